// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.sender.StatusSenders;
import io.redliner.contract.sender.StatusSenders.Standing;
import io.redliner.controller.core.catalog.ServiceReport.KnownInstance;
import io.redliner.controller.core.run.RedirectorReport;
import io.redliner.controller.core.run.RedirectorReport.ProxyReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceCatalogTest {

    private static final Instant START = Instant.parse("2026-11-20T09:00:00Z");

    private Instant now = START;

    private final ServiceCatalog catalog = new ServiceCatalog((InstantSource) () -> now, Duration.ofSeconds(3));

    private void report(String service, String redirector) {
        report(service, redirector, "", 7, ReportedLeaseState.NATURAL, "");
    }

    private void report(String service, String redirector, String runId, long epoch, ReportedLeaseState state,
            String reason) {
        report(service, lease(redirector, runId, epoch, state, reason, proxy("node", "")), null);
    }

    private void report(String service, RedirectorReport lease, @Nullable KillSwitch killSwitch) {
        int connected = (int) lease.proxies().stream().filter(ProxyReport::connected).count();
        catalog.update(new ServiceReport(service, lease, List.of(), connected, null, killSwitch), null);
    }

    private static RedirectorReport lease(String redirector, String runId, long epoch, ReportedLeaseState state,
            String reason, ProxyReport... proxies) {
        return new RedirectorReport(redirector, runId, epoch, 1, state, reason, List.of(proxies));
    }

    private static RedirectorReport natural(String redirector, ProxyReport... proxies) {
        return lease(redirector, "", 7, ReportedLeaseState.NATURAL, "", proxies);
    }

    private static ProxyReport proxy(String node, String error) {
        return new ProxyReport(node, true, "1", "1", error);
    }

    private List<String> names() {
        return catalog.services().stream().map(KnownService::name).toList();
    }

    @Test
    void what_was_silent_for_long_is_forgotten_and_the_rest_is_not() {
        report("gone", "r-1");
        report("moved", "r-1");
        now = START.plus(Duration.ofDays(5));
        report("moved", "r-2");

        assertThat(catalog.forget(START, Set.of())).as("nobody was silent before that").isZero();
        assertThat(catalog.forget(START.plusSeconds(1), Set.of())).isEqualTo(1);

        assertThat(names()).containsExactly("moved");
        assertThat(catalog.find("gone")).isEmpty();
        assertThat(catalog.find("moved").orElseThrow().redirectors()).containsExactly("r-2");
    }

    @Test
    void an_epoch_that_only_the_analyzer_has_seen_counts() {
        report("cart", "r-1");
        catalog.judged("cart", 12);
        catalog.judged("cart", 11);
        catalog.judged("cart", -1);
        catalog.judged("unknown", 99);

        assertThat(catalog.find("cart").orElseThrow().epoch()).isEqualTo(12);
        assertThat(names()).containsExactly("cart");
    }

    @Test
    void a_refused_lease_raises_the_epoch_that_is_known_unless_no_controller_issues_it() {
        report("cart", "r-1");
        report("cart", "r-1", "evil", 1_099, ReportedLeaseState.REJECTED, "KILL_SWITCH: engaged");
        report("cart", "r-1", "evil", Long.MAX_VALUE, ReportedLeaseState.REJECTED, "EPOCH_JUMP: no controller");
        report("cart", "r-1", "evil", -1, ReportedLeaseState.REJECTED, "UNKNOWN_INSTANCE: none");
        report("cart", "r-1", "", 7, ReportedLeaseState.NATURAL, "");

        assertThat(catalog.find("cart").orElseThrow().epoch()).isEqualTo(1_099);
    }

    @Test
    void an_epoch_far_above_all_others_hides_none_of_them() {
        report("cart", "r-1", "", 7, ReportedLeaseState.NATURAL, "");
        report("cart", "r-1", "evil", Long.MAX_VALUE, ReportedLeaseState.APPLIED, "");
        report("cart", "stranger", "evil", 1L << 40, ReportedLeaseState.NATURAL, "");
        catalog.judged("cart", 1L << 50);
        report("cart", "r-1", "evil", 19_387, ReportedLeaseState.APPLIED, "");

        assertThat(catalog.find("cart").orElseThrow().epoch()).isEqualTo(19_387);

        report("cart", "r-1", "evil", 900_000, ReportedLeaseState.APPLIED, "");
        report("cart", "r-1", "evil", 1_800_000, ReportedLeaseState.APPLIED, "");
        report("cart", "r-1", "evil", 500_000, ReportedLeaseState.APPLIED, "");
        assertThat(catalog.find("cart").orElseThrow().epoch()).as("in steps").isEqualTo(1_800_000);
    }

    @Test
    void thousands_of_epochs_far_above_hide_none_that_is_near() {
        for (long i = 1; i <= 5_000; i++) {
            report("cart", "r-1", "evil", i << 40, ReportedLeaseState.APPLIED, "");
        }
        report("cart", "r-1", "", 7, ReportedLeaseState.NATURAL, "");
        for (long i = 8; i <= 20_000; i++) {
            report("cart", "r-1", "", i, ReportedLeaseState.NATURAL, "");
        }

        assertThat(catalog.find("cart").orElseThrow().epoch()).isEqualTo(20_000);
    }

    @Test
    void each_redirector_that_is_alive_says_which_kill_switch_it_obeys() {
        KillSwitch engaged = new KillSwitch(true, "ops", "incident", START);
        report("cart", "r-1");
        report("cart", natural("r-2"), engaged);
        assertThat(catalog.killSwitches()).containsExactly(engaged);

        now = START.plusSeconds(1);
        report("shop", natural("r-2"), new KillSwitch(false, "ops", "over", START));
        assertThat(catalog.killSwitches()).as("its last word").noneMatch(KillSwitch::engaged).hasSize(1);
        now = START.plusSeconds(60);
        assertThat(catalog.killSwitches()).isEmpty();
    }

    @Test
    void a_service_with_a_live_run_keeps_all_that_was_said_of_it() {
        report("busy", "r-1");
        now = START.plus(Duration.ofDays(30));

        assertThat(catalog.forget(now, Set.of("busy"))).isZero();
        assertThat(catalog.find("busy").orElseThrow().epoch()).isEqualTo(7);
        assertThat(catalog.find("busy").orElseThrow().fresh()).isFalse();

        assertThat(catalog.forget(now, Set.of("other"))).isEqualTo(1);
        assertThat(names()).isEmpty();
    }

    private List<String> alarms(String liveRun) {
        return catalog.find("shop").orElseThrow().alarms(Optional.of(liveRun));
    }

    private void refusing(String redirector, String node, String refusal) {
        report("shop", natural(redirector, proxy(node, refusal), proxy("well", "")), null);
    }

    @Test
    void what_a_proxy_refuses_is_an_alarm_until_it_takes_it() {
        refusing("r-1", "envoy-1", "listener shop on 127.0.0.1:80: Address already in use");
        refusing("r-2", "envoy-2", "listener shop on 127.0.0.1:80: Address already in use");

        assertThat(alarms("")).containsExactly("Proxies envoy-1, envoy-2 refuse a part of the configuration of shop:"
                + " listener shop on 127.0.0.1:80: Address already in use");

        refusing("r-2", "envoy-2", "");
        assertThat(alarms("")).containsExactly("Proxy envoy-1 refuses a part of the configuration of shop:"
                + " listener shop on 127.0.0.1:80: Address already in use");

        refusing("r-1", "envoy-1", "");
        assertThat(alarms("")).isEmpty();
    }

    @Test
    void a_lease_that_is_not_of_the_live_run_is_an_alarm_when_it_stays() {
        report("shop", "r-1", "mine", 7, ReportedLeaseState.APPLIED, "");
        assertThat(alarms("other")).as("it may have ended just now").isEmpty();
        for (int second = 0; second < 4; second++) {
            now = now.plusSeconds(1);
            report("shop", "r-1", "mine", 7, ReportedLeaseState.APPLIED, "");
        }

        assertThat(alarms("mine")).isEmpty();
        assertThat(alarms("other")).singleElement().asString().contains("r-1", "shop", "run mine");
        assertThat(catalog.find("shop").orElseThrow().alarms(Optional.empty())).hasSize(1);
        report("shop", "r-1", "mine", 7, ReportedLeaseState.NATURAL, "");
        assertThat(alarms("other")).isEmpty();
    }

    @Test
    void a_lease_that_no_controller_issues_is_an_alarm_for_a_minute_and_changes_nothing_else() {
        report("shop", "r-1");
        report("shop", "r-1", "evil", Long.MAX_VALUE, ReportedLeaseState.REJECTED, "EPOCH_JUMP: too far");
        report("shop", "r-1", "mine", 6, ReportedLeaseState.REJECTED, "LOWER_EPOCH: fenced off");

        assertThat(catalog.find("shop").orElseThrow().epoch()).isEqualTo(7);
        assertThat(alarms("mine")).singleElement().asString().contains("r-1", "EPOCH_JUMP: too far");
        now = now.plusSeconds(61);
        report("shop", "r-1");
        assertThat(alarms("mine")).isEmpty();
    }

    @Test
    void a_service_that_was_forgotten_is_known_again_when_it_is_reported() {
        report("shop", "r-1");
        now = START.plus(Duration.ofDays(30));
        catalog.forget(now, Set.of());

        report("shop", "r-9");

        assertThat(catalog.find("shop").orElseThrow().fresh()).isTrue();
        assertThat(catalog.find("shop").orElseThrow().redirectors()).containsExactly("r-9");
    }

    @Test
    void a_stranger_changes_nothing_of_a_service_and_is_shown() {
        for (int second = 0; second < 20; second++) {
            report("shop", "r-1");
            now = now.plusSeconds(1);
        }
        KillSwitch forged = new KillSwitch(true, "evil", "forged", now);
        Standing standing = catalog.update(new ServiceReport("shop",
                lease("evil", "evil", 900_000, ReportedLeaseState.APPLIED, "", proxy("x", "")),
                List.of(new KnownInstance("10.9.9.9:22", new Share(1_000_000))), 1, null, forged), null);

        assertThat(standing).isEqualTo(Standing.CLAIMED);
        KnownService shop = catalog.find("shop").orElseThrow();
        assertThat(shop.epoch()).isEqualTo(7);
        assertThat(shop.redirectors()).containsExactly("r-1");
        assertThat(shop.instances()).isEmpty();
        assertThat(shop.proxiesConnected()).isEqualTo(1);
        assertThat(catalog.killSwitches()).isEmpty();
        assertThat(alarms("mine")).singleElement().asString().contains("shop", "evil", "no collector sees");
        now = now.plusSeconds(61);
        report("shop", "r-1");
        assertThat(alarms("mine")).isEmpty();
    }

    @Test
    void a_redirector_that_stands_by_without_a_proxy_is_no_alarm() {
        for (int second = 0; second < 20; second++) {
            report("shop", "r-1");
            now = now.plusSeconds(1);
        }
        report("shop", natural("r-2"), null);

        assertThat(alarms("mine")).isEmpty();
    }

    @Test
    void two_thousand_invented_services_are_not_listed_and_have_no_kill_switch() {
        KillSwitch forged = new KillSwitch(true, "evil", "forged", now);
        report("shop", "r-1");
        now = now.plusSeconds(61);
        for (int invented = 0; invented < 2_000; invented++) {
            report("invented-" + invented, natural("r-1"), forged);
        }

        assertThat(names()).hasSize(1 + StatusSenders.MAX_LATE_SERVICES).contains("shop");
        assertThat(catalog.killSwitches()).isEmpty();
        for (int second = 0; second < 62; second++) {
            now = now.plusSeconds(1);
            report("shop", "r-1");
        }
        report("of-ours", "r-1");
        assertThat(names()).as("they make room once nobody reports them").containsExactlyInAnyOrder("shop", "of-ours");
    }

    @Test
    void a_redirector_counts_from_the_first_verdict_that_says_that_its_proxies_are_seen() {
        for (int second = 0; second < 20; second++) {
            report("shop", "r-1");
            now = now.plusSeconds(1);
        }
        report("shop", "r-2");
        assertThat(catalog.find("shop").orElseThrow().redirectors()).containsExactly("r-1");

        catalog.seen("shop", List.of("r-1", "r-2"));
        report("shop", "r-2");
        assertThat(catalog.find("shop").orElseThrow().redirectors()).containsExactly("r-1", "r-2");
    }
}
