// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.v1.LeaseStatus;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.kafka.LeaseStatusEncoder.NodeLists;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.ProxyState;
import io.redliner.redirector.lease.ServiceLeaseStatus.Standing;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.IntegrationLevel;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeaseStatusEncoderTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final NodeLists nodes = new NodeLists();

    /** Of a service with so many proxies, of which the last ones are behind. */
    private static ServiceLeaseStatus status(int proxies, int behind, Instant at) {
        return new ServiceLeaseStatus("demo", Optional.empty(), Optional.empty(),
                new Standing(ReportedLeaseState.PENDING, new Share(250_000), "waiting"), at,
                IntStream.range(0, proxies).mapToObj(number -> new ProxyState("envoy-" + number,
                        "2", "2", number >= proxies - behind, "")).toList(),
                List.of(), KillSwitch.NEVER_ENGAGED);
    }

    private LeaseStatus message(ServiceLeaseStatus status) {
        return LeaseStatusEncoder.message("r", status, Duration.ZERO, nodes.due(status));
    }

    @Test
    void a_status_counts_the_proxies_and_tells_of_those_that_are_behind_first() {
        LeaseStatus message = message(status(5_000, 3, START));

        assertThat(message.getProxiesConnected()).isEqualTo(5_000);
        assertThat(message.getProxiesAcknowledged()).isEqualTo(4_997);
        assertThat(message.getProxiesList()).hasSize(20);
        assertThat(message.getProxiesList().subList(0, 3)).extracting(proxy -> proxy.getNode())
                .containsExactly("envoy-4997", "envoy-4998", "envoy-4999");
    }

    @Test
    void all_are_named_when_they_change_and_every_five_seconds() {
        assertThat(message(status(30, 0, START)).getNodesCount()).isEqualTo(30);
        for (int second = 1; second < 5; second++) {
            assertThat(message(status(30, second % 2, START.plusSeconds(second))).getNodesCount()).isZero();
        }
        assertThat(message(status(30, 0, START.plusSeconds(5))).getNodesCount()).isEqualTo(30);
        assertThat(message(status(31, 0, START.plusSeconds(6))).getNodesCount()).isEqualTo(31);
    }

    private LeaseStatus message(IntegrationLevel integration, Upstream upstream) {
        Service service = new Service("demo", "edge", integration, upstream, List.of(
                new Instance(new HostPort("10.0.0.1", 80), 1, Optional.of("web-1")),
                new Instance(new HostPort("10.0.0.2", 80), 3)));
        return message(new ServiceLeaseStatus("demo", Optional.of(service), Optional.empty(),
                new Standing(ReportedLeaseState.NATURAL, new Share(0), ""), START, List.of(), List.of(),
                KillSwitch.NEVER_ENGAGED));
    }

    @Test
    void a_status_has_the_natural_shares_and_the_limits_that_the_services_file_leaves_open() {
        LeaseStatus message = message(new EnvoyIntegration.Everything(new HostPort("127.0.0.1", 80)),
                Upstream.plain(Optional.empty()));

        assertThat(message.getInstancesList()).extracting(instance -> instance.getNaturalSharePpm())
                .containsExactly(250_000, 750_000);
        assertThat(message.getInstancesList()).extracting(instance -> instance.getHost())
                .containsExactly("web-1", "");
        assertThat(message.getOwnLimits().getRouteTimeoutMs()).isEqualTo(15_000);
        assertThat(message.getOwnLimits().getIdleTimeoutMs()).isEqualTo(300_000);
        assertThat(message.getOwnLimits().getCircuitBreakerRequests())
                .isEqualTo(Upstream.CircuitBreakers.DEFAULT.requests());
        assertThat(message.hasElsewherePpm()).isFalse();
        assertThat(message(new EnvoyIntegration.Everything(new HostPort("127.0.0.1", 80)),
                Upstream.plain(Optional.of(Duration.ofSeconds(3)))).getOwnLimits().getRouteTimeoutMs()).isZero();
    }

    @Test
    void of_an_owners_route_redliner_chose_no_limit() {
        LeaseStatus message = message(
                new EnvoyIntegration.RuntimeOnly("routing.shop", new HostPort("10.0.0.1", 80), "canary", "rest",
                        Map.of("canary", 20, "rest", 60, "other", 20), RedirectMode.SPLIT),
                Upstream.plain(Optional.empty()));

        assertThat(message.hasOwnLimits()).isFalse();
        assertThat(message.getElsewherePpm()).isEqualTo(200_000);
        assertThat(message.hasErrors()).isTrue();
    }

    @Test
    void few_proxies_are_reported_one_by_one() {
        LeaseStatus message = message(status(20, 1, START));

        assertThat(message.getProxiesList()).hasSize(20);
        assertThat(message.getNodesList()).isEmpty();
        assertThat(message(status(0, 0, START)).getProxiesConnected()).isZero();
    }

    @Test
    void a_status_of_many_proxies_stays_small() {
        assertThat(message(status(5_000, 5_000, START)).toByteArray().length).as("with all names").isLessThan(70_000);
        assertThat(message(status(5_000, 5_000, START.plusSeconds(1))).toByteArray().length).isLessThan(1_000);
    }
}
