// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static io.redliner.redirector.testing.Promptly.promptly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.lease.FleetChange;
import io.redliner.redirector.lease.FleetChange.Kind;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.trial.Scene.Xds;
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

    private static Scene scene(Xds xds) {
        return Scene.start(redirector, Setting.of(Level.EVERYTHING, xds));
    }

    @Test
    void the_lease_ends_within_a_second_when_its_instance_is_taken_out() {
        try (Scene scene = scene(Xds.INCREMENTS);
                Tenant tenant = scene.applied(1, 700_000, Redirect.SPLIT)) {
            // when
            redirector.edit(scene.name, ", \"" + scene.sut + '"', "");

            // then
            promptly("a vanished instance", () -> {
                ServiceLeaseStatus status = scene.last();
                assertThat(status.state()).isEqualTo(State.FAILED);
                assertThat(status.reason()).contains(scene.sut + " is not in the fleet any more");
                assertThat(status.changes()).extracting(FleetChange::kind, FleetChange::instance)
                        .containsExactly(tuple(Kind.REMOVED, scene.sut));
            });
            assertThat(tenant).isNotNull();
            assertThat(scene.traffic.send(200)).doesNotContainKey(scene.sut);
        }
    }

    @Test
    void an_added_peer_is_reported_within_a_second_and_takes_its_part() {
        try (Scene scene = scene(Xds.WHOLE_STATE);
                Fleet more = new Fleet(1);
                Tenant tenant = scene.applied(1, 400_000, Redirect.SPLIT)) {
            // when
            String added = more.addresses().getFirst();
            redirector.edit(scene.name, "instances: [", "instances: [\"" + added + "\", ");

            // then
            promptly("an added instance", () -> assertThat(scene.last().changes())
                    .extracting(FleetChange::kind, FleetChange::instance)
                    .containsExactly(tuple(Kind.ADDED, added)));
            scene.await(State.APPLIED);
            assertThat(scene.traffic.shareOf(scene.sut, 1_000)).isCloseTo(0.4, within(Traffic.bound(0.4, 1_000)));
            assertThat(scene.traffic.shareOf(added, 1_000)).isCloseTo(0.15, within(Traffic.bound(0.15, 1_000)));
            tenant.release();
        }
    }

    @Test
    void a_broken_file_changes_nothing() {
        try (Scene scene = scene(Xds.WHOLE_STATE);
                Tenant tenant = scene.applied(1, 400_000, Redirect.SPLIT)) {
            int reports = scene.statuses().size();
            redirector.edit(scene.name, "instances: [", "instancess: [");
            org.awaitility.Awaitility.await().until(() -> scene.statuses().size() >= reports + 4);
            assertThat(scene.last().state()).isEqualTo(State.APPLIED);
            assertThat(scene.last().changes()).isEmpty();
            assertThat(scene.traffic.shareOf(scene.sut, 500)).isCloseTo(0.4, within(Traffic.bound(0.4, 500)));
            tenant.release();
        }
    }

    @Test
    void an_ejection_and_a_return_are_reported_within_a_second() {
        // Half of the instances may be ejected, and the proxy reports it.
        Setting ejecting = Setting.of(Level.EVERYTHING, Xds.WHOLE_STATE)
                .more("ejection: {consecutiveErrors: 3, interval: 1s, baseTime: 2s, maxPercent: 50}")
                .changing(EnvoyBootstrap::reportingEjections);
        try (Scene scene = Scene.start(redirector, ejecting);
                Tenant tenant = scene.applied(1, 300_000, Redirect.SPLIT)) {
            // when
            String peer = scene.fleet.addresses().getFirst();
            scene.fleet.breakDown(peer);
            for (int request = 0, failures = 0; failures < 3; request++) {
                assertThat(request).isLessThan(1_000);
                failures += scene.traffic.status() == 500 ? 1 : 0;
            }

            // then
            promptly("an ejection", () -> assertThat(scene.last().changes())
                    .extracting(FleetChange::kind, FleetChange::instance)
                    .contains(tuple(Kind.EJECTED, peer)));
            assertThat(scene.last().changes().getFirst().detail()).isEqualTo(
                    "proxy " + scene.name + " sends it no requests");
            org.awaitility.Awaitility.await().untilAsserted(() -> assertThat(scene.last().changes())
                    .extracting(FleetChange::kind).isEqualTo(List.of(Kind.EJECTED, Kind.RETURNED)));
            tenant.release();
        }
    }
}
