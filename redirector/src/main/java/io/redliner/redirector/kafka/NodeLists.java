// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which statuses name all proxies of their service: a long list is sent when it has changed, and every five seconds.
 * Confined to one thread.
 */
final class NodeLists {

    /** Half of the time for which a collector keeps a list. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private record Sent(List<String> nodes, Instant at) {}

    private final Map<String, Sent> sent = new HashMap<>();

    /** Returns whether this status names all proxies. */
    boolean due(ServiceLeaseStatus status) {
        if (status.proxies().size() <= LeaseStatusEncoder.MAX_PROXIES) {
            sent.remove(status.service());
            return false;
        }
        List<String> nodes = status.proxies().stream().map(ProxyState::node).toList();
        Sent before = sent.get(status.service());
        if (before != null && before.nodes().equals(nodes) && status.at().isBefore(before.at().plus(INTERVAL))) {
            return false;
        }
        sent.put(status.service(), new Sent(nodes, status.at()));
        return true;
    }
}
