// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers.Thresholds;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.Upstream;
import io.redliner.redirector.routing.Upstream.CircuitBreakers;
import io.redliner.redirector.routing.Upstream.HealthCheck;
import io.redliner.redirector.routing.Upstream.Protocol;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.tomcat.util.http.parser.Host;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClustersTest {

    private static Service service(String name, Upstream upstream) {
        return new Service(name, "edge", new EnvoyIntegration.RoutesAndEndpoints(), upstream, List.of());
    }

    private static Upstream checked(Protocol protocol, @Nullable String path, @Nullable String host) {
        Upstream plain = Upstream.plain(Optional.empty());
        return new Upstream(protocol, plain.chosenTimeout(), plain.tls(), plain.ejection(),
                Optional.of(new HealthCheck(Optional.ofNullable(path), Optional.ofNullable(host), Duration.ofSeconds(1),
                        Duration.ofSeconds(1), 2, 2)),
                plain.breakers(), plain.errors(), plain.streams());
    }

    private static HealthChecked check(String service, Upstream upstream, String cluster) {
        return HealthChecked.of(Clusters.cluster(cluster, service(service, upstream)).getHealthChecks(0));
    }

    private record HealthChecked(String host, String authority) {

        static HealthChecked of(io.envoyproxy.envoy.config.core.v3.HealthCheck check) {
            return new HealthChecked(check.getHttpHealthCheck().getHost(), check.getGrpcHealthCheck().getAuthority());
        }
    }

    @Test
    void every_cluster_of_a_service_is_checked_under_the_services_name_or_the_host_that_is_set() {
        for (String cluster : List.of("cart", "cart/sut/10.0.0.7:80", "cart/peers-of/10.0.0.7:80/before")) {
            assertThat(check("cart", checked(Protocol.HTTP1, "/health", null), cluster))
                    .isEqualTo(new HealthChecked("cart", ""));
            assertThat(check("cart", checked(Protocol.HTTP2, null, null), cluster))
                    .isEqualTo(new HealthChecked("", "cart"));
            assertThat(check("cart", checked(Protocol.HTTP1, "/health", "shop.test:8080"), cluster))
                    .isEqualTo(new HealthChecked("shop.test:8080", ""));
            assertThat(check("cart", checked(Protocol.HTTP2, null, "[::1]"), cluster))
                    .isEqualTo(new HealthChecked("", "[::1]"));
        }
    }

    /** The judge is Tomcat's own parser, which is the strictest of those that were looked at. */
    @ParameterizedTest
    @CsvSource({"cart, cart", "my_cart, my-cart", "Cart.v2, Cart.v2", "cart-, cart", "a..b, a.b", "a.-.b, a.b",
        "1__, 1", "a_._b, a.b", "7, 7", "a., a"})
    void a_name_that_is_no_host_name_is_made_one(String name, String host) {
        assertThat(check(name, checked(Protocol.HTTP1, "/", null), name).host()).isEqualTo(host);
        assertThat(Host.parse(host)).isEqualTo(-1);
    }

    @Test
    void no_part_of_a_host_name_is_longer_than_63() {
        String host = check("a".repeat(62) + "_b.c", checked(Protocol.HTTP1, "/", null), "a").host();
        assertThat(host).isEqualTo("a".repeat(62) + ".c");
    }

    private static List<Thresholds> thresholds(Upstream upstream) {
        return Clusters.cluster("demo", service("demo", upstream)).getCircuitBreakers().getThresholdsList();
    }

    @Test
    void a_service_without_circuit_breakers_of_its_own_cannot_exhaust_the_proxies() {
        assertThat(thresholds(Upstream.plain(Optional.empty()))).hasSize(2).allSatisfy(threshold -> {
            assertThat(threshold.getMaxConnections().getValue()).isEqualTo(10_000);
            assertThat(threshold.getMaxPendingRequests().getValue()).isEqualTo(10_000);
            assertThat(threshold.getMaxRequests().getValue()).isEqualTo(10_000);
            assertThat(threshold.getMaxRetries().getValue()).isEqualTo(1_000);
        });
    }

    @Test
    void an_instance_that_is_taken_out_gets_nothing_however_well_it_is() {
        assertThat(Clusters.cluster("demo", service("demo", Upstream.plain(Optional.empty())))
                .getIgnoreHealthOnHostRemoval())
                .isTrue();
    }

    @Test
    void the_owners_circuit_breakers_reach_the_proxies() {
        Upstream plain = Upstream.plain(Optional.empty());
        Upstream own = new Upstream(plain.protocol(), plain.chosenTimeout(), plain.tls(), plain.ejection(),
                plain.healthCheck(), new CircuitBreakers(1, 2, 3, 0), plain.errors(), plain.streams());
        assertThat(thresholds(own)).allSatisfy(threshold -> {
            assertThat(threshold.getMaxConnections().getValue()).isEqualTo(1);
            assertThat(threshold.getMaxPendingRequests().getValue()).isEqualTo(2);
            assertThat(threshold.getMaxRequests().getValue()).isEqualTo(3);
            assertThat(threshold.getMaxRetries().getValue()).isZero();
        });
    }
}
