// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.testkit.OwnersRoute;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The owner's listeners, routes and clusters; the endpoints of two clusters, and the shares, come from the redirector. */
class EndpointsOnlyTest {

    private static final int REQUESTS = 2_000;

    private static final int USERS = 500;

    private static void assertPart(Map<String, Integer> answers, String instance, double part) {
        assertThat((double) answers.getOrDefault(instance, 0) / REQUESTS).as(instance).isCloseTo(part,
                within(Traffic.bound(part, REQUESTS)));
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void any_instance_is_tested_one_right_after_the_other(Xds xds) {
        try (ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings.of(Level.ENDPOINTS_ONLY, xds))) {
            long epoch = 0;
            for (String tested : List.of(proxied.instances().get(1), proxied.instances().get(3))) {
                epoch++;
                try (LeaseHolder holder = proxied.holder(epoch, tested, Redirect.SPLIT)) {
                    proxied.hold(holder, epoch, 250_000);
                    assertPart(proxied.traffic.send(REQUESTS), tested, 0.25);
                    proxied.hold(holder, epoch, 700_000);
                    Map<String, Integer> answers = proxied.traffic.send(REQUESTS);
                    for (String instance : proxied.instances()) {
                        assertPart(answers, instance, instance.equals(tested) ? 0.7 : 0.1);
                    }
                    holder.release();
                }
            }
            proxied.await(ReportedLeaseState.NATURAL);
            Map<String, Integer> answers = proxied.traffic.send(REQUESTS);
            proxied.instances().forEach(instance -> assertPart(answers, instance, 0.25));
        }
    }

    @Test
    void an_instance_that_passes_its_health_checks_leaves_the_clusters_all_the_same() {
        try (ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings
                .of(Level.ENDPOINTS_ONLY, Xds.INCREMENTS)
                .changing(bootstrap -> bootstrap.withYaml(bootstrap.yaml()
                        .replace("ignore_health_on_host_removal: true\n",
                                """
                                        ignore_health_on_host_removal: true
                                              health_checks:
                                                - {timeout: 1s, interval: 0.2s, no_traffic_interval: 0.2s, unhealthy_threshold: 2, \
                                        healthy_threshold: 1, http_health_check: {path: /}}
                                        """))))) {
            await().untilAsserted(() -> assertThat(proxied.admin().get("/stats?filter=health_check.success"))
                    .matches("(?s)(cluster.profile-be-(sut|peers).health_check.success: [1-9]\\d*\n){2}.*"));
            try (LeaseHolder holder = proxied.applied(1, 700_000, Redirect.SPLIT)) {
                Map<String, Integer> answers = proxied.traffic.send(REQUESTS);
                proxied.instances().forEach(instance -> assertPart(answers, instance,
                        instance.equals(proxied.sut) ? 0.7 : 0.1));
                holder.release();
            }
        }
    }

    @Test
    void the_lease_ends_when_the_owners_clusters_find_the_instance_under_test_sick() {
        try (ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings
                .of(Level.ENDPOINTS_ONLY, Xds.INCREMENTS)
                .changing(bootstrap -> bootstrap.withYaml(bootstrap.yaml()
                        .replace("ignore_health_on_host_removal: true\n",
                                """
                                        ignore_health_on_host_removal: true
                                              track_cluster_stats: {per_endpoint_stats: true}
                                              health_checks:
                                                - {timeout: 5s, interval: 0.2s, no_traffic_interval: 0.2s, unhealthy_threshold: 2, \
                                        healthy_threshold: 1, http_health_check: {path: /, host: profile-be}}
                                        """))
                        .reportingEjections()));
                LeaseHolder holder = proxied.applied(1, 700_000, Redirect.SPLIT)) {
            proxied.fleet.breakDown(proxied.sut);
            proxied.await(ReportedLeaseState.FAILED);
            assertThat(proxied.last().reason()).contains(proxied.sut, "no healthy instance");
            assertThat(holder).isNotNull();
        }
    }

    @Test
    void a_variant_that_is_no_part_of_the_test_keeps_its_fifth() {
        try (Fleet variant = new Fleet(1);
                ProxiedService proxied = ProxiedService
                        .start(ProxiedServiceSettings.of(Level.ENDPOINTS_ONLY, Xds.INCREMENTS)
                                .more("split, weights: {profile-be: 80, profile-be-variant: 20}")
                                .changing(bootstrap -> OwnersRoute.variant(
                                        OwnersRoute.weight(bootstrap, "profile-be", 80),
                                        "profile-be-variant", 20, variant.addresses().getFirst())))) {
            String other = variant.addresses().getFirst();
            assertPart(proxied.traffic.send(REQUESTS), other, 0.2);
            try (LeaseHolder holder = proxied.applied(1, 600_000, Redirect.SPLIT)) {
                Map<String, Integer> answers = proxied.traffic.send(REQUESTS);
                assertPart(answers, other, 0.2);
                assertPart(answers, proxied.sut, 0.8 * 0.6);
                holder.release();
            }
            proxied.await(ReportedLeaseState.NATURAL);
            assertThat(proxied.lastMessage().getElsewherePpm()).isEqualTo(200_000);
            assertPart(proxied.traffic.send(REQUESTS), other, 0.2);
        }
    }

    @Test
    void users_stay_where_they_are_where_the_owners_route_chooses_by_users() {
        Redirect byUser = new Redirect(RedirectMode.MODULO,
                new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id"), USERS,
                List.of());
        try (ProxiedService proxied = ProxiedService
                .start(ProxiedServiceSettings.of(Level.ENDPOINTS_ONLY, Xds.WHOLE_STATE).more("modulo")
                        .changing(bootstrap -> bootstrap.withYaml(bootstrap.yaml()
                                .replace("runtime_key_prefix: routing.profile-be\n", """
                                        runtime_key_prefix: routing.profile-be
                                                                      header_name: x-user-id
                                        """))));
                LeaseHolder holder = proxied.applied(1, 600_000, byUser)) {
            Set<Integer> users = atSut(proxied);
            assertThat(users).hasSize(USERS * 6 / 10);
            proxied.hold(holder, 1, 800_000);
            assertThat(atSut(proxied)).hasSize(USERS * 8 / 10).containsAll(users);
            holder.release();
        }
    }

    private static Set<Integer> atSut(ProxiedService proxied) {
        return IntStream.range(0, USERS).boxed()
                .filter(user -> proxied.traffic.withHeader("x-user-id", user.toString()).equals(proxied.sut))
                .collect(Collectors.toSet());
    }
}
