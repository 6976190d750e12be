// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers.Thresholds;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClustersTest {

    private static List<Thresholds> thresholds(Upstream upstream) {
        return Clusters.cluster("demo", upstream).getCircuitBreakers().getThresholdsList();
    }

    @Test
    void a_service_without_circuit_breakers_of_its_own_cannot_exhaust_the_proxies() {
        assertThat(thresholds(Upstream.plain(Duration.ofSeconds(15)))).hasSize(2).allSatisfy(threshold -> {
            assertThat(threshold.getMaxConnections().getValue()).isEqualTo(10_000);
            assertThat(threshold.getMaxPendingRequests().getValue()).isEqualTo(10_000);
            assertThat(threshold.getMaxRequests().getValue()).isEqualTo(10_000);
            assertThat(threshold.getMaxRetries().getValue()).isEqualTo(1_000);
        });
    }

    @Test
    void an_instance_that_is_taken_out_gets_nothing_however_well_it_is() {
        assertThat(Clusters.cluster("demo", Upstream.plain(Duration.ofSeconds(15))).getIgnoreHealthOnHostRemoval())
                .isTrue();
    }

    @Test
    void the_owners_circuit_breakers_reach_the_proxies() {
        Upstream plain = Upstream.plain(Duration.ofSeconds(15));
        Upstream own = new Upstream(plain.protocol(), plain.timeout(), plain.tls(), plain.ejection(),
                plain.healthCheck(), new CircuitBreakers(1, 2, 3, 0), plain.errors(), plain.streams());
        assertThat(thresholds(own)).allSatisfy(threshold -> {
            assertThat(threshold.getMaxConnections().getValue()).isEqualTo(1);
            assertThat(threshold.getMaxPendingRequests().getValue()).isEqualTo(2);
            assertThat(threshold.getMaxRequests().getValue()).isEqualTo(3);
            assertThat(threshold.getMaxRetries().getValue()).isZero();
        });
    }
}
