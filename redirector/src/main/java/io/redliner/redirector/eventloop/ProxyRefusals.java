// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.eventloop;

import io.redliner.redirector.lease.Lease;
import io.redliner.redirector.lease.LeaseJournal;
import io.redliner.redirector.lease.LeaseRejectionReason;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Refusals of proxies by service, taken from the reported statuses. Health is down while a proxy refuses something, such as a
 * listener whose port is taken; a restart of the redirector would not help. Safe for use by several threads.
 */
public final class ProxyRefusals implements LeaseJournal, HealthIndicator {

    private final LeaseJournal journal;

    private final Map<String, String> byService = new ConcurrentSkipListMap<>();

    private volatile Consumer<String> listener = text -> {};

    /** @param journal receives all events, too */
    public ProxyRefusals(LeaseJournal journal) {
        this.journal = journal;
    }

    /** Returns the health, with the refusals by service in words for people. */
    @Override
    public Health health() {
        Map<String, String> refused = new TreeMap<>(byService);
        return refused.isEmpty() ? Health.up().build() : Health.down().withDetails(refused).build();
    }

    /** Passes the current refusals and each later change to this consumer. It must not block. */
    public void listen(Consumer<String> next) {
        listener = next;
        byService.values().forEach(next);
    }

    @Override
    public void reported(ServiceLeaseStatus status) {
        journal.reported(status);
        note(status.service(), refusal(status.proxies().stream().filter(proxy -> !proxy.error().isEmpty()).toList()));
    }

    @Override
    public void ended(String service) {
        journal.ended(service);
        note(service, "");
    }

    private void note(String service, String text) {
        String before = text.isEmpty() ? byService.remove(service) : byService.put(service, text);
        if (before == null ? !text.isEmpty() : !before.equals(text)) {
            listener.accept(text.isEmpty() ? "No proxy refuses anything of service " + service + " any more" : text);
        }
    }

    private static String refusal(List<ProxyState> refusing) {
        if (refusing.isEmpty()) {
            return "";
        }
        String others = refusing.size() == 1 ? "" : " (and " + (refusing.size() - 1) + " more)";
        return "Proxy " + refusing.getFirst().node() + others + " refused " + refusing.getFirst().error();
    }

    @Override
    public void accepted(Lease lease) {
        journal.accepted(lease);
    }

    @Override
    public void rejected(Lease lease, LeaseRejectionReason rejection) {
        journal.rejected(lease, rejection);
    }
}
