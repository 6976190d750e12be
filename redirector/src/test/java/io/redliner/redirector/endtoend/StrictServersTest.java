// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static io.redliner.redirector.testing.Promptly.promptly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.testkit.TomcatFleet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Health checks of servers that refuse a Host which is no host name: a lease changes nothing for users and for sick instances. */
@Timeout(600)
class StrictServersTest {

    private static ProxiedServiceSettings checked(Xds xds) {
        return ProxiedServiceSettings.of(Level.EVERYTHING, xds).withOwnProxy()
                .more("healthCheck: {path: /health, interval: 250ms, timeout: 5s, unhealthy: 2, healthy: 1}");
    }

    /** By {@code /stats}, the sum of a counter or gauge of all clusters of the service. */
    private static long sum(ProxiedService proxied, String statistic) {
        return proxied.admin().get("/stats?filter=cluster." + proxied.name + ".*" + statistic).lines()
                .collect(Collectors.summingLong(line -> Long.parseLong(line.substring(line.indexOf(": ") + 2))));
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void a_sick_tomcat_gets_no_request_in_a_test_either(Xds xds) {
        try (TomcatFleet fleet = new TomcatFleet(4)) {
            String sick = fleet.addresses().getFirst();
            fleet.fallSick(sick);
            try (ProxiedService proxied = ProxiedService.start(checked(xds), fleet.addresses());
                    Users users = new Users(proxied.port);
                    LeaseHolder holder = proxied.holder(1)) {
                users.await(100);

                // when
                proxied.hold(holder, 1, 400_000);
                users.await(300);
                assertThat(proxied.traffic.shareOf(proxied.sut, 500)).isCloseTo(0.4, within(Traffic.bound(0.4, 500)));
                holder.release();
                proxied.await(ReportedLeaseState.NATURAL);
                users.await(50);

                // then
                assertThat(users.statuses()).containsOnlyKeys(200);
                assertThat(fleet.requests()).doesNotContainKey(sick);
                assertThat(sum(proxied, "lb_healthy_panic")).isZero();
                assertThat(fleet.checkedAs()).containsExactly(proxied.name);
            }
        }
    }

    @Test
    void a_sick_grpc_server_gets_no_call_in_a_test_either() {
        try (GrpcFleet fleet = new GrpcFleet(4)) {
            String sick = fleet.addresses().getFirst();
            fleet.fallSick(sick);
            ProxiedServiceSettings asked = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS).withOwnProxy()
                    .more("protocol: grpc\n    healthCheck: {interval: 250ms, timeout: 5s, healthy: 1}");
            try (ProxiedService proxied = ProxiedService.start(asked, fleet.addresses());
                    LeaseHolder holder = proxied.holder(1)) {
                proxied.hold(holder, 1, 400_000);
                assertThat(GrpcFleet.call(proxied.port, GrpcFleet.AM, 200)).contains(proxied.sut).doesNotContain(sick);
                holder.release();
                assertThat(fleet.checkedAs()).containsExactly(proxied.name);
                assertThat(sum(proxied, "lb_healthy_panic")).isZero();
            }
        }
    }

    @Test
    void the_lease_ends_by_itself_when_the_instance_under_test_falls_sick_and_is_refused_until_it_is_well() {
        try (TomcatFleet fleet = new TomcatFleet(3);
                ProxiedService proxied = ProxiedService.start(
                        checked(Xds.INCREMENTS).changing(EnvoyBootstrap::reportingEjections), fleet.addresses());
                Users users = new Users(proxied.port)) {
            try (LeaseHolder holder = proxied.holder(1)) {
                proxied.hold(holder, 1, 600_000);

                // when
                fleet.fallSick(proxied.sut);

                // then
                proxied.await(ReportedLeaseState.FAILED);
                assertThat(proxied.last().reason()).contains("proxy " + proxied.name, proxied.sut,
                        "no healthy instance");
                promptly("natural traffic", () -> assertThat(proxied.traffic.send(50)).doesNotContainKey(proxied.sut));
            }
            // when somebody tries again, then no user notices
            int failed = users.statuses().getOrDefault(503, 0);
            int served = fleet.requests().getOrDefault(proxied.sut, 0);
            try (LeaseHolder holder = proxied.holder(2)) {
                holder.hold(600_000);
                proxied.await(status -> status.state() == ReportedLeaseState.FAILED && status.epoch() == 2);
                users.await(100);
                assertThat(users.statuses().getOrDefault(503, 0)).isEqualTo(failed);
                assertThat(fleet.requests()).containsEntry(proxied.sut, served);
            }
        }
    }
}
