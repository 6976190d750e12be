// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.run.RedirectorReport;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reports that wait for the driver. A redirector says again and again where it stands, and all of it each time: a newer
 * report that brings no other news takes the place of the one that waits. So a driver that was held up hears what is true
 * now first, and not what was, and its queue does not grow with the time. One thread adds, another takes.
 */
final class RedirectorReportQueue {

    private final Map<Sender, Place> newest = new ConcurrentHashMap<>();

    private record Sender(String service, String redirector) {}

    /** One place in the queue. */
    final class Place {

        private final Sender sender;

        private final AtomicReference<@Nullable RedirectorReport> report;

        private Place(Sender sender, RedirectorReport report) {
            this.sender = sender;
            this.report = new AtomicReference<>(report);
        }

        /** What waits here, once. */
        Optional<RedirectorReport> take() {
            newest.remove(sender, this);
            return Optional.ofNullable(report.getAndSet(null));
        }
    }

    /** A new place for the report; empty when it took the one of an older report. */
    Optional<Place> add(String service, RedirectorReport report) {
        Sender sender = new Sender(service, report.redirector());
        Place waiting = newest.get(sender);
        if (waiting != null) {
            RedirectorReport older = waiting.report.get();
            if (older != null && sameNews(older, report) && waiting.report.compareAndSet(older, report)) {
                return Optional.empty();
            }
        }
        Place place = new Place(sender, report);
        newest.put(sender, place);
        return Optional.of(place);
    }

    /** Bad news, once said, is heard also when it is followed by better news. */
    private static boolean sameNews(RedirectorReport older, RedirectorReport newer) {
        return older.state() == newer.state() && older.epoch() == newer.epoch()
                && older.runId().equals(newer.runId()) && newer.changes().containsAll(older.changes());
    }
}
