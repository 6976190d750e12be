// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which statuses name all proxies of their service: long lists go out when they have changed, and every few seconds. For one thread. */
final class NodeLists {

    /** Half of the time for which a collector uses a list. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private record Sent(List<String> nodes, Instant at) {}

    private final Map<String, Sent> sent = new HashMap<>();

    /** Whether this one does. */
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
