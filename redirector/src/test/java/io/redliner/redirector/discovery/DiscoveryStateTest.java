// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import static io.redliner.redirector.discovery.Examples.DNS;
import static io.redliner.redirector.discovery.Examples.KUBERNETES;
import static io.redliner.redirector.discovery.Examples.instances;
import static io.redliner.redirector.discovery.Examples.definitions;
import static io.redliner.redirector.discovery.Examples.listed;
import static io.redliner.redirector.discovery.Examples.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.RedirectMode;
import io.redliner.redirector.envoy.EnvoyIntegration;
import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Upstream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiscoveryStateTest {

    private static final String[] LISTED = {"10.0.0.1:80", "10.0.0.2:80"};

    @Test
    void a_listed_fleet_is_known_from_the_start() {
        // when
        DiscoveryState directory = DiscoveryState.of(definitions(service("cart", listed(LISTED))));

        // then
        assertThat(directory.routedServices().find("cart").orElseThrow().instances()).isEqualTo(instances(LISTED));
        assertThat(directory.routedServices().suspended()).isEmpty();
        assertThat(directory.problems()).isEmpty();
    }

    @Test
    void an_unknown_fleet_is_not_an_empty_one() {
        // when
        DiscoveryState directory = DiscoveryState.of(definitions(service("cart", "edge", listed(LISTED)),
                service("search", "edge", DNS), service("profile", "inner", listed(LISTED))));

        // then
        assertThat(directory.routedServices().byName()).containsOnlyKeys("cart", "profile");
        assertThat(directory.routedServices().suspended()).containsExactly("edge");
        assertThat(directory.problems()).containsOnlyKeys("search");
        assertThat(directory.problems().get("search")).contains("has not answered yet").contains("'edge'");
    }

    @Test
    void a_source_that_fails_before_it_ever_answered_leaves_the_fleet_unknown() {
        // when
        DiscoveryState directory = DiscoveryState.of(definitions(service("search", DNS))).failed("search", DNS,
                "no answer");

        // then
        assertThat(directory.routedServices().byName()).isEmpty();
        assertThat(directory.routedServices().suspended()).containsExactly("redliner");
        assertThat(directory.problems().get("search")).startsWith("no answer");
    }

    @Test
    void the_first_answer_ends_the_withholding() {
        // when
        DiscoveryState directory = DiscoveryState.of(definitions(service("search", DNS)))
                .found("search", DNS, instances("10.0.0.9:80", "10.0.0.10:80", "10.0.0.9:80"));

        // then
        assertThat(directory.routedServices().suspended()).isEmpty();
        assertThat(directory.routedServices().find("search").orElseThrow().instances())
                .containsExactlyInAnyOrderElementsOf(instances("10.0.0.9:80", "10.0.0.10:80"));
        assertThat(directory.problems()).isEmpty();
    }

    @Test
    void the_order_of_instances_does_not_hang_on_the_order_of_the_answer() {
        // given
        DiscoveryState directory = DiscoveryState.of(definitions(service("search", DNS)));

        // when
        var one = directory.found("search", DNS, instances("[fd00::1]:80", "10.0.0.9:80", "10.0.0.10:80"));
        var other = directory.found("search", DNS, instances("10.0.0.10:80", "[fd00::1]:80", "10.0.0.9:80"));

        // then
        assertThat(one.routedServices()).isEqualTo(other.routedServices());
    }

    @Test
    void an_empty_answer_and_a_failure_keep_the_last_known_fleet_and_are_said() {
        // given
        DiscoveryState known = DiscoveryState.of(definitions(service("cart", KUBERNETES)))
                .found("cart", KUBERNETES, instances(LISTED));

        // when
        DiscoveryState empty = known.found("cart", KUBERNETES, List.of());
        DiscoveryState failed = empty.failed("cart", KUBERNETES, "forbidden");

        // then
        assertThat(empty.routedServices()).isEqualTo(known.routedServices());
        assertThat(empty.problems().get("cart")).contains("names no instance").contains("last known 2 instances");
        assertThat(failed.routedServices()).isEqualTo(known.routedServices());
        assertThat(failed.problems().get("cart")).startsWith("forbidden");
        assertThat(failed.found("cart", KUBERNETES, instances(LISTED)).problems()).isEmpty();
    }

    @Test
    void a_source_that_is_not_asked_any_more_changes_nothing() {
        // given
        DiscoveryState directory = DiscoveryState.of(definitions(service("cart", KUBERNETES)));

        // then
        assertThat(directory.found("cart", DNS, instances(LISTED))).isEqualTo(directory);
        assertThat(directory.found("gone", DNS, instances(LISTED))).isEqualTo(directory);
        assertThat(directory.failed("gone", DNS, "late")).isEqualTo(directory);
    }

    @Test
    void a_new_source_takes_over_when_it_has_answered() {
        // given
        DiscoveryState before = DiscoveryState.of(definitions(service("cart", DNS))).found("cart", DNS,
                instances(LISTED));

        // when
        DiscoveryState pending = before.defined(definitions(service("cart", KUBERNETES)));
        DiscoveryState after = pending.found("cart", KUBERNETES, instances("10.0.0.3:80"));

        // then
        assertThat(pending.routedServices()).isEqualTo(before.routedServices());
        assertThat(pending.problems().get("cart")).contains("has not answered yet");
        assertThat(after.routedServices().find("cart").orElseThrow().instances()).isEqualTo(instances("10.0.0.3:80"));
    }

    @Test
    void services_come_go_and_change_without_a_touch_on_the_others() {
        // given
        DiscoveryState before = DiscoveryState.of(definitions(service("cart", DNS), service("search", listed(LISTED))))
                .found("cart", DNS, instances("10.0.0.3:80"));

        // when
        DiscoveryState after = before
                .defined(definitions(service("cart", "edge", DNS), service("profile", listed(LISTED))));

        // then
        assertThat(after.routedServices().byName()).containsOnlyKeys("cart", "profile");
        assertThat(after.routedServices().find("cart").orElseThrow().proxies()).isEqualTo("edge");
        assertThat(after.routedServices().find("cart").orElseThrow().instances()).isEqualTo(instances("10.0.0.3:80"));
    }

    @Test
    void a_service_that_was_taken_out_is_forgotten() {
        // given
        DiscoveryState without = DiscoveryState.of(definitions(service("cart", DNS), service("search", listed(LISTED))))
                .found("cart", DNS, instances(LISTED))
                .defined(definitions(service("search", listed(LISTED))));

        // when
        DiscoveryState again = without.defined(definitions(service("cart", DNS), service("search", listed(LISTED))));

        // then
        assertThat(again.routedServices().byName()).containsOnlyKeys("search");
        assertThat(again.routedServices().suspended()).containsExactly("redliner");
    }

    @Test
    void definitions_that_cannot_be_used_change_nothing_and_are_said_until_they_are_mended() {
        // given
        ServiceDefinitions good = definitions(service("cart", listed(LISTED)));
        DiscoveryState directory = DiscoveryState.of(good);

        // when
        DiscoveryState broken = directory.withRejectedDefinitions("services.yaml:3:5: unknown field");

        // then
        assertThat(broken.routedServices()).isEqualTo(directory.routedServices());
        assertThat(broken.problems()).containsOnlyKeys(DiscoveryState.DEFINITIONS);
        assertThat(broken.problems().get(DiscoveryState.DEFINITIONS)).startsWith("services.yaml:3:5: unknown field");
        assertThat(broken.defined(good).problems()).isEmpty();
    }

    @Test
    void a_runtime_service_needs_its_sut_in_a_listed_fleet() {
        // given
        var runtime = new EnvoyIntegration.RuntimeOnly("cart", HostPort.parse("10.0.0.3:80"), "sut", "peers", Map.of(),
                RedirectMode.SPLIT);
        Upstream upstream = Upstream.plain(Optional.empty());

        // then
        for (EndpointSource source : List.of(listed(LISTED), DNS)) {
            assertThatThrownBy(() -> new ServiceDefinition("cart", "redliner", runtime, upstream, source))
                    .hasMessageContaining("must be one of the listed instances");
        }
    }

    @Test
    void names_are_unique() {
        assertThatThrownBy(() -> definitions(service("cart", DNS), service("cart", KUBERNETES)))
                .hasMessageContaining("service cart is listed twice");
    }

    @Test
    void a_dns_name_is_checked() {
        for (String bad : List.of("", ".", "a..b", "a b", "-a", "http://a")) {
            assertThatThrownBy(() -> new EndpointSource.Dns(bad, 80, Duration.ofSeconds(1), Optional.empty()))
                    .as(bad).hasMessageContaining("is not a DNS name");
        }
    }
}
