// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What traffic does in each redirect mode, in both kinds of xDS. */
@Timeout(600)
class ModesTest {

    private static final int USERS = 1_000;

    private static Redirect modulo(int modulus) {
        return new Redirect(RedirectMode.MODULO, new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id"),
                modulus, List.of());
    }

    private static Redirect hash(RoutingAttribute.Source source, String name) {
        return new Redirect(RedirectMode.HASH, new RoutingAttribute(source, name), null, List.of());
    }

    /** The users that the SUT answers. */
    private static Set<Integer> atSut(ProxiedService proxied, IntFunction<String> answer) {
        return IntStream.range(0, USERS).boxed().filter(user -> answer.apply(user).equals(proxied.sut))
                .collect(Collectors.toSet());
    }

    private static IntFunction<String> byHeader(ProxiedService proxied) {
        return user -> proxied.traffic.withHeader("x-user-id", Integer.toString(user));
    }

    private static void splitMovesRequestsAndGoesBack(ProxiedService proxied, double share) {
        try (LeaseHolder holder = proxied.applied(1, (int) Math.round(share * 1_000_000), Redirect.SPLIT)) {
            assertThat(proxied.traffic.shareOf(proxied.sut, 1_000)).isCloseTo(share,
                    within(Traffic.bound(share, 1_000)));
            holder.release();
            proxied.await(ReportedLeaseState.NATURAL);
            assertThat(proxied.traffic.shareOf(proxied.sut, 1_000)).isCloseTo(0.25, within(Traffic.bound(0.25, 1_000)));
        }
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void split_moves_requests_and_goes_back(Xds xds) {
        try (ProxiedService proxied = ProxiedService.start(xds)) {
            splitMovesRequestsAndGoesBack(proxied, 0.6);
        }
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void endpoint_weight_raises_one_of_ten_and_keeps_the_others_proportions(Xds xds) {
        Redirect redirect = new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of());
        try (ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings.of(Level.EVERYTHING, xds).size(10));
                LeaseHolder holder = proxied.applied(1, 200_000, redirect)) {
            // when, then
            Map<String, Integer> answers = proxied.traffic.send(2_700);
            double bound = Traffic.bound(0.2, 2_700);
            assertThat((double) answers.getOrDefault(proxied.sut, 0) / 2_700).isCloseTo(0.2, within(bound));
            assertThat(proxied.fleet.addresses()).filteredOn(address -> !address.equals(proxied.sut)).allSatisfy(
                    peer -> assertThat((double) answers.getOrDefault(peer, 0) / 2_700).isCloseTo(0.8 / 9,
                            within(bound)));

            // when it gets nothing, and everything
            proxied.hold(holder, 1, 0);
            assertThat(proxied.traffic.shareOf(proxied.sut, 200)).isZero();
            proxied.hold(holder, 1, 1_000_000);
            assertThat(proxied.traffic.shareOf(proxied.sut, 200)).isEqualTo(1);

            // then
            holder.release();
            proxied.await(ReportedLeaseState.NATURAL);
            assertThat(proxied.traffic.shareOf(proxied.sut, 1_000)).isCloseTo(0.1, within(Traffic.bound(0.1, 1_000)));
        }
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void modulo_gives_the_sut_exactly_its_users_and_nobody_changes_sides(Xds xds) {
        try (ProxiedService proxied = ProxiedService.start(xds);
                LeaseHolder holder = proxied.applied(1, 200_000, modulo(USERS))) {
            // when
            Set<Integer> first = atSut(proxied, byHeader(proxied));

            // then
            assertThat(first).hasSize(USERS / 5);
            assertThat(atSut(proxied, byHeader(proxied))).isEqualTo(first);
            proxied.hold(holder, 1, 300_000);
            Set<Integer> second = atSut(proxied, byHeader(proxied));
            assertThat(second).hasSize(3 * USERS / 10).containsAll(first);
        }
    }

    @Test
    void successive_runs_choose_other_users() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE)) {
            Set<Integer> first;
            try (LeaseHolder holder = proxied.applied(1, 100_000, modulo(USERS))) {
                first = atSut(proxied, byHeader(proxied));
                holder.release();
            }
            try (LeaseHolder holder = proxied.applied(2, 100_000, modulo(USERS))) {
                assertThat(atSut(proxied, byHeader(proxied))).hasSameSizeAs(first).isNotEqualTo(first);
                holder.release();
            }
        }
    }

    @Test
    void requests_without_a_usable_attribute_go_to_the_peers_and_are_counted() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE);
                LeaseHolder holder = proxied.applied(1, 1_000_000, modulo(USERS))) {
            assertThat(proxied.traffic.withHeader("x-user-id", "17")).isEqualTo(proxied.sut);
            for (String unusable : List.of("abc", "-3", "1.5", "99999999999999999999999", "")) {
                assertThat(proxied.traffic.withHeader("x-user-id", unusable)).as(unusable).isNotEqualTo(proxied.sut);
            }
            assertThat(proxied.traffic.shareOf(proxied.sut, 45)).isZero();
            assertThat(proxied.admin().get("/stats?filter=vhost." + proxied.name))
                    .contains("vhost." + proxied.name + ".route.outside.upstream_rq_total: 50");
            holder.release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void hash_keeps_each_user_on_one_side(RoutingAttribute.Source source) {
        Redirect redirect = hash(source, "uid");
        try (ProxiedService proxied = ProxiedService.start(Xds.INCREMENTS);
                LeaseHolder holder = proxied.applied(1, 300_000, redirect)) {
            IntFunction<String> answer = user -> switch (source) {
                case HEADER -> proxied.traffic.withHeader("uid", "user-" + user);
                case COOKIE -> proxied.traffic.withHeader("Cookie", "a=1; uid=user-" + user + "; z=2");
                case QUERY -> proxied.traffic.at("/page?a=1&uid=user-" + user);
            };
            Set<Integer> first = atSut(proxied, answer);
            assertThat((double) first.size() / USERS).isCloseTo(0.3, within(Traffic.bound(0.3, USERS)));
            assertThat(atSut(proxied, answer)).isEqualTo(first);
            assertThat(proxied.traffic.shareOf(proxied.sut, 50)).as("without the attribute").isZero();
            holder.release();
        }
    }

    @Test
    void only_the_cohorts_are_redirected() {
        Cohort german = new Cohort("german", List.of(HeaderMatch.exactly("accept-language", "de"),
                HeaderMatch.between("x-created", 20_250_101, 20_260_101)), null, List.of());
        Cohort writers = new Cohort("writers", List.of(HeaderMatch.exactly("accept-language", "fr")),
                new PathMatch(PathMatch.Kind.PREFIX, "/write"), List.of("POST", "PUT"));
        Redirect redirect = new Redirect(RedirectMode.SPLIT, null, null, List.of(german, writers));
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE);
                LeaseHolder holder = proxied.applied(1, 1_000_000, redirect)) {
            assertThat(german(proxied, "20250101")).isEqualTo(proxied.sut);
            assertThat(german(proxied, "20251231")).isEqualTo(proxied.sut);
            assertThat(writing(proxied, "/write/x", "POST")).isEqualTo(proxied.sut);
            for (int i = 0; i < 12; i++) {
                assertThat(german(proxied, "20260101")).isNotEqualTo(proxied.sut);
                assertThat(german(proxied, "soon")).isNotEqualTo(proxied.sut);
                assertThat(writing(proxied, "/read", "POST")).isNotEqualTo(proxied.sut);
                assertThat(writing(proxied, "/write/x", "GET")).isNotEqualTo(proxied.sut);
            }
            holder.release();
        }
    }

    private static String german(ProxiedService proxied, String created) {
        return proxied.traffic.with("GET", "/", Map.of("accept-language", "de", "x-created", created));
    }

    private static String writing(ProxiedService proxied, String path, String method) {
        return proxied.traffic.with(method, path, Map.of("accept-language", "fr"));
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void with_all_but_the_shares_of_the_owners(Xds xds) {
        try (ProxiedService proxied = ProxiedService.start(ProxiedServiceSettings.of(Level.RUNTIME_ONLY, xds))) {
            splitMovesRequestsAndGoesBack(proxied, 0.7);
        }
    }

    /** One run after the other: each mode needs other clusters of the same instance, and those of the run before are still there. */
    @ParameterizedTest
    @EnumSource(Xds.class)
    void every_mode_with_the_owners_listeners(Xds xds) {
        try (ProxiedService proxied = ProxiedService
                .start(ProxiedServiceSettings.of(Level.ROUTES_AND_ENDPOINTS, xds))) {
            splitMovesRequestsAndGoesBack(proxied, 0.7);
            long epoch = 1;
            for (RedirectMode mode : List.of(RedirectMode.ENDPOINT_WEIGHT, RedirectMode.MODULO, RedirectMode.HASH)) {
                epoch++;
                try (LeaseHolder holder = proxied.applied(epoch, 700_000, redirect(mode))) {
                    assertThat((double) atSut(proxied, byHeader(proxied)).size() / USERS).as(mode.toString())
                            .isCloseTo(0.7, within(Traffic.bound(0.7, USERS)));
                    holder.release();
                }
            }
        }
    }

    private static Redirect redirect(RedirectMode mode) {
        return switch (mode) {
            case MODULO -> modulo(USERS);
            case HASH -> hash(RoutingAttribute.Source.HEADER, "x-user-id");
            case SPLIT, ENDPOINT_WEIGHT -> new Redirect(mode, null, null, List.of());
        };
    }

    @ParameterizedTest
    @CsvSource({"MODULO, header_name: x-user-id", "HASH, use_hash_policy: true"})
    void by_users_with_everything_the_owners_but_the_shares(RedirectMode mode, String chooses) {
        try (ProxiedService proxied = ProxiedService.start(owning(mode, chooses));
                LeaseHolder holder = proxied.applied(1, 700_000, redirect(mode))) {
            Set<Integer> users = atSut(proxied, byHeader(proxied));
            assertThat((double) users.size() / USERS).isCloseTo(0.7, within(Traffic.bound(0.7, USERS)));
            assertThat(atSut(proxied, byHeader(proxied))).isEqualTo(users);
            holder.release();
        }
    }

    /** Four instances behind a proxy whose own route chooses by users. */
    private static ProxiedServiceSettings owning(RedirectMode mode, String chooses) {
        return ProxiedServiceSettings.of(Level.RUNTIME_ONLY, Xds.WHOLE_STATE).more(mode.name().toLowerCase(Locale.ROOT))
                .changing(bootstrap -> bootstrap.withYaml(bootstrap.yaml()
                        .replace("timeout: 15s\n", "timeout: 15s\n                            hash_policy: "
                                + "[{header: {header_name: x-user-id}}]\n")
                        .replace("runtime_key_prefix: routing.profile-be\n", "runtime_key_prefix: routing.profile-be\n"
                                + "                              " + chooses + "\n")));
    }
}
