// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.sender.StatusSenders;
import io.redliner.contract.sender.StatusSenders.Standing;
import io.redliner.controller.core.catalog.ServiceReport;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs lease statuses that do not count, by kind at powers of two. For one thread. */
final class IgnoredStatusLog {

    private static final Logger LOG = LoggerFactory.getLogger(IgnoredStatusLog.class);

    private static final int MAX_SHOWN = 100;

    private final Map<Standing, Long> counts = new EnumMap<>(Standing.class);

    void log(Standing standing, ServiceReport report) {
        long count = counts.merge(standing, 1L, Long::sum);
        if (Long.bitCount(count) != 1) {
            return;
        }
        String service = shown(report.service());
        String redirector = shown(report.redirector());
        switch (standing) {
            case BELIEVED, IGNORED -> {
            }
            case CLAIMED ->
                LOG.warn("{} lease statuses do not count, the last: {} reports {}, and no collector sees its"
                        + " proxies. If it is a redirector of yours, its statuses count with the first run that its proxies"
                        + " have requests of, or when this controller starts again", count, redirector, service);
            case IMPOSTOR ->
                LOG.error("{} lease statuses do not count, the last: of {} under the name of redirector {},"
                        + " by another sender. Two redirectors may have one name; else find out who writes to the topic of"
                        + " lease status", count, service, redirector);
            case TOO_MANY -> LOG.error("{} lease statuses do not count, the last: of {} by {}. At most {} services are"
                    + " known, {} of them from after the start, with {} redirectors each, and names of {} characters. If"
                    + " they are yours, start this controller again, which takes all services of its first minute",
                    count, service, redirector, StatusSenders.MAX_SERVICES, StatusSenders.MAX_LATE_SERVICES,
                    StatusSenders.MAX_SENDERS, StatusSenders.MAX_NAME_LENGTH);
        }
    }

    private static String shown(String name) {
        return name.length() <= MAX_SHOWN ? name : name.substring(0, MAX_SHOWN) + "…";
    }
}
