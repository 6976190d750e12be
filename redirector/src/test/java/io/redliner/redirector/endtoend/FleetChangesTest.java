// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static io.redliner.redirector.testing.Promptly.promptly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.FleetChange.Kind;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a run whose fleet changes under it. */
@Timeout(600)
class FleetChangesTest {

    /** Looks at the services file as often as it does by default: that is a part of what is promised. */
    private static SharedRedirector redirector;

    @BeforeAll
    static void start() {
        redirector = SharedRedirector.start("redliner.redirector.loop.cluster-linger=1s");
    }

    @AfterAll
    static void end() {
        redirector.close();
    }

    private static ProxiedService proxied(Xds xds) {
        return ProxiedService.start(redirector, ProxiedServiceSettings.of(Level.EVERYTHING, xds));
    }

    @Test
    void the_lease_ends_within_a_second_when_its_instance_is_taken_out() {
        try (ProxiedService proxied = proxied(Xds.INCREMENTS);
                LeaseHolder holder = proxied.applied(1, 700_000, Redirect.SPLIT)) {
            // when
            redirector.edit(proxied.name, ", \"" + proxied.sut + '"', "");

            // then
            promptly("a vanished instance", () -> {
                ServiceLeaseStatus status = proxied.last();
                assertThat(status.state()).isEqualTo(ReportedLeaseState.FAILED);
                assertThat(status.reason()).contains(proxied.sut + " is not in the fleet any more");
                assertThat(status.changes()).extracting(FleetChange::kind, FleetChange::instance)
                        .containsExactly(tuple(Kind.REMOVED, proxied.sut));
            });
            assertThat(holder).isNotNull();
            // The status says that the lease has ended; the proxy's threads hear of it a moment later.
            promptly("traffic without it", () -> assertThat(proxied.traffic.send(200)).doesNotContainKey(proxied.sut));
        }
    }

    @Test
    void an_added_peer_is_reported_within_a_second_and_takes_its_part() {
        try (ProxiedService proxied = proxied(Xds.WHOLE_STATE);
                Fleet more = new Fleet(1);
                LeaseHolder holder = proxied.applied(1, 400_000, Redirect.SPLIT)) {
            // when
            String added = more.addresses().getFirst();
            redirector.edit(proxied.name, "instances: [", "instances: [\"" + added + "\", ");

            // then
            promptly("an added instance", () -> assertThat(proxied.last().changes())
                    .extracting(FleetChange::kind, FleetChange::instance)
                    .containsExactly(tuple(Kind.ADDED, added)));
            proxied.await(ReportedLeaseState.APPLIED);
            assertThat(proxied.traffic.shareOf(proxied.sut, 1_000)).isCloseTo(0.4, within(Traffic.bound(0.4, 1_000)));
            assertThat(proxied.traffic.shareOf(added, 1_000)).isCloseTo(0.15, within(Traffic.bound(0.15, 1_000)));
            holder.release();
        }
    }

    @Test
    void a_broken_file_changes_nothing() {
        try (ProxiedService proxied = proxied(Xds.WHOLE_STATE);
                LeaseHolder holder = proxied.applied(1, 400_000, Redirect.SPLIT)) {
            int reports = proxied.statuses().size();
            redirector.edit(proxied.name, "instances: [", "instancess: [");
            org.awaitility.Awaitility.await().until(() -> proxied.statuses().size() >= reports + 4);
            assertThat(proxied.last().state()).isEqualTo(ReportedLeaseState.APPLIED);
            assertThat(proxied.last().changes()).isEmpty();
            assertThat(proxied.traffic.shareOf(proxied.sut, 500)).isCloseTo(0.4, within(Traffic.bound(0.4, 500)));
            holder.release();
        }
    }

    @Test
    void an_ejection_and_a_return_are_reported_within_a_second() {
        // Half of the instances may be ejected, and the proxy reports it.
        ProxiedServiceSettings ejecting = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE)
                .more("ejection: {consecutiveErrors: 3, interval: 1s, baseTime: 2s, maxPercent: 50}")
                .changing(EnvoyBootstrap::reportingEjections);
        try (ProxiedService proxied = ProxiedService.start(redirector, ejecting);
                LeaseHolder holder = proxied.applied(1, 300_000, Redirect.SPLIT)) {
            // when
            String peer = proxied.fleet.addresses().getFirst();
            proxied.fleet.breakDown(peer);
            for (int request = 0, failures = 0; failures < 3; request++) {
                assertThat(request).isLessThan(1_000);
                failures += proxied.traffic.status() == 500 ? 1 : 0;
            }

            // then
            promptly("an ejection", () -> assertThat(proxied.last().changes())
                    .extracting(FleetChange::kind, FleetChange::instance)
                    .contains(tuple(Kind.EJECTED, peer)));
            assertThat(proxied.last().changes().getFirst().detail()).isEqualTo(
                    "proxy " + proxied.name + " sends it no requests");
            org.awaitility.Awaitility.await().untilAsserted(() -> assertThat(proxied.last().changes())
                    .extracting(FleetChange::kind).isEqualTo(List.of(Kind.EJECTED, Kind.RETURNED)));
            holder.release();
        }
    }
}
