// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.dataplane.ResourceKey.StreamKind;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.testing.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A redirector whose proxies and whose controller are this test. */
abstract class LeaseReconcilerFixture {

    static final StreamId CONFIGURATION = new StreamId(StreamKind.CONFIGURATION, 1);

    static final StreamId SHARES = new StreamId(StreamKind.SHARES, 1);

    static final LeaseTimeouts RULES = new LeaseTimeouts(Duration.ofMillis(300), Duration.ofSeconds(2),
            Duration.ofSeconds(10), 0.01);

    final MovableClock clock = new MovableClock();

    /** Of the proxy. */
    ProxySoftware software = Examples.SOFTWARE;

    final FakeDataPlane dataPlane = new FakeDataPlane();

    final FakeJournal journal = new FakeJournal();

    final ProxyTraffic traffic = new ProxyTraffic(clock);

    final LeaseReconciler redirector = new LeaseReconciler(Examples.CATALOG, RULES, dataPlane, journal, journal,
            traffic, clock);

    /** Keeps the routings that were applied. Versions are the text of the routing without its time. */
    static final class FakeDataPlane implements DataPlane {

        final List<DesiredRouting> applied = new ArrayList<>();

        final List<StreamId> admitted = new ArrayList<>();

        final List<String> withdrawn = new ArrayList<>();

        private Map<ResourceKey, String> wanted = Map.of();

        @Override
        public Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> routings) {
            DesiredRouting desired = routings.getFirst();
            applied.add(desired);
            wanted = Map.of(
                    new ResourceKey(StreamKind.CONFIGURATION, "CLUSTER", "demo"),
                    "c" + (desired.layout() instanceof RouteLayout.SplitClusters),
                    new ResourceKey(StreamKind.CONFIGURATION, "ROUTE", "demo"),
                    "r" + (desired.layout() instanceof RouteLayout.SplitClusters),
                    ResourceKey.share("demo"), desired.lease()
                            .map(moving -> "s" + moving.share()).orElse(ResourceKey.NATURAL_SHARE));
            return Map.of("demo", wanted);
        }

        @Override
        public void withdraw(Service service) {
            withdrawn.add(service.name());
        }

        @Override
        public void suspend(Set<String> groups) {
            // Nothing is unknown here.
        }

        @Override
        public void admit(StreamId shares, String service) {
            admitted.add(shares);
        }

        @Override
        public void send() {
            // Applied at once.
        }

        DesiredRouting last() {
            return applied.getLast();
        }
    }

    static final class FakeJournal implements LeaseStatusSink, LeaseJournal {

        final List<ServiceLeaseStatus> statuses = new ArrayList<>();

        final List<LeaseRejectionReason> rejections = new ArrayList<>();

        final List<String> ended = new ArrayList<>();

        @Override
        public void ended(String service) {
            ended.add(service);
        }

        @Override
        public void publish(ServiceLeaseStatus status) {
            statuses.add(status);
        }

        @Override
        public void accepted(Lease lease) {
            // The status says it as well.
        }

        @Override
        public void rejected(Lease lease, LeaseRejectionReason rejection) {
            rejections.add(rejection);
        }

        ReportedLeaseState state() {
            return statuses.getLast().state();
        }
    }

    void start() {
        redirector.start();
        redirector.reconcile();
    }

    void connect() {
        redirector.opened(SHARES, "p", Service.DEFAULT_PROXIES, software);
        redirector.opened(CONFIGURATION, "p", Service.DEFAULT_PROXIES, software);
        redirector.carries(CONFIGURATION, Set.of("demo"));
        redirector.reconcile();
    }

    /** Takes everything until nothing new comes. */
    void acknowledge() {
        Map<ResourceKey, String> taken = Map.of();
        while (!taken.equals(dataPlane.wanted)) {
            taken = dataPlane.wanted;
            for (String type : List.of("CLUSTER", "ROUTE", ResourceKey.SHARE)) {
                Map<ResourceKey, String> own = new HashMap<>(taken);
                own.keySet().removeIf(key -> !key.type().equals(type));
                redirector.acknowledged(type.equals(ResourceKey.SHARE) ? SHARES : CONFIGURATION, type, own);
                redirector.reconcile();
            }
        }
    }

    void receive(Lease lease) {
        redirector.receive(lease, clock.instant());
        redirector.reconcile();
    }

    void pass(Duration duration) {
        clock.pass(duration);
        redirector.reconcile();
    }

    void apply(long epoch) {
        start();
        connect();
        acknowledge();
        receive(lease(epoch, 1, 600_000, START));
        acknowledge();
    }
}
