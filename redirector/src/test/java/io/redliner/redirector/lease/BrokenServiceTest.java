// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.dataplane.ProxyEventHandler.StreamId;
import io.redliner.redirector.dataplane.ProxyTraffic;
import io.redliner.redirector.dataplane.ResourceKey;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.lease.DataPlane.DesiredRouting;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RoutedServices;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.testing.MovableClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A service whose lease cannot be laid out stays natural, and keeps no other service from its lease. */
class BrokenServiceTest {

    private final MovableClock clock = new MovableClock();

    /** By service, the routing that was applied last. */
    private final Map<String, DesiredRouting> applied = new HashMap<>();

    private final class BreakingDataPlane implements DataPlane {

        @Override
        public Map<String, Map<ResourceKey, String>> apply(List<DesiredRouting> routings) {
            routings.forEach(routing -> {
                if (routing.service().name().equals("broken") && routing.lease().isPresent()) {
                    throw new IllegalStateException("no such cluster");
                }
            });
            Map<String, Map<ResourceKey, String>> wanted = new HashMap<>();
            routings.forEach(routing -> {
                applied.put(routing.service().name(), routing);
                wanted.put(routing.service().name(), Map.of());
            });
            return wanted;
        }

        @Override
        public void withdraw(Service service) {
            applied.remove(service.name());
        }

        @Override
        public void suspend(Set<String> groups) {
            // Nothing is unknown here.
        }

        @Override
        public void admit(StreamId shares, String service) {
            // No proxy is connected.
        }

        @Override
        public void send() {
            // Applied at once.
        }
    }

    private static Service service(String name, int port) {
        return new Service(name, Service.DEFAULT_PROXIES,
                new EnvoyIntegration.Everything(new HostPort("127.0.0.1", port)),
                Upstream.plain(Optional.empty()),
                List.of(new Instance(new HostPort("127.0.0.1", port + 1), 1),
                        new Instance(new HostPort("127.0.0.1", port + 2), 1)));
    }

    private static Lease lease(String service, int port) {
        return new Lease(service, "run", 1, 1,
                new RequestedTraffic("127.0.0.1:" + (port + 1), 700_000, Share.WHOLE_PPM, Redirect.SPLIT),
                new Validity(START, START.plus(TTL), TTL), false);
    }

    private Optional<ActiveLease> applied(String service) {
        return Optional.ofNullable(applied.get(service)).flatMap(DesiredRouting::lease);
    }

    @Test
    void keeps_no_other_from_its_lease() {
        LeaseReconciler redirector = new LeaseReconciler(
                RoutedServices.of(List.of(service("before", 10_000), service("broken", 11_000),
                        service("later", 12_000))),
                LeaseReconcilerFixture.RULES, new BreakingDataPlane(), status -> {}, new LeaseJournal() {

                    @Override
                    public void accepted(Lease lease) {
                        // Not looked at.
                    }

                    @Override
                    public void rejected(Lease lease, LeaseRejectionReason rejection) {
                        throw new AssertionError(rejection);
                    }
                }, new ProxyTraffic(clock), clock);
        redirector.start();
        redirector.reconcile();

        redirector.receive(lease("before", 10_000), clock.instant());
        redirector.receive(lease("broken", 11_000), clock.instant());
        redirector.receive(lease("later", 12_000), clock.instant());
        assertThatThrownBy(redirector::reconcile).hasMessageContaining("service broken")
                .hasMessageContaining("no such cluster");

        assertThat(applied("before")).isPresent();
        assertThat(applied("later")).isPresent();
        redirector.reconcile();
        assertThat(applied("broken")).isEmpty();
    }
}
