// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.Share;
import io.redliner.redirector.trial.Scene.Xds;
import io.redliner.testkit.TestProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What real traffic through a real Envoy does when leases come, stay, end and are fenced off. */
@Timeout(600)
class RealProxyTest {

    private static final int REQUESTS = 1_000;

    /** The default of {@code redliner.redirector.loop.acknowledgement-deadline}. */
    private static final Duration ACKNOWLEDGEMENT_DEADLINE = Duration.ofSeconds(2);

    private static void assertShare(Scene scene, double share) {
        assertThat(scene.traffic.shareOf(scene.sut, REQUESTS)).isCloseTo(share, within(Traffic.bound(share, REQUESTS)));
    }

    @Test
    void traffic_is_natural_when_nobody_tests() {
        try (Scene scene = Scene.start(Xds.WHOLE_STATE)) {
            Map<String, Integer> answers = scene.traffic.send(REQUESTS);
            assertThat(answers).containsOnlyKeys(scene.fleet.addresses())
                    .allSatisfy((instance, count) -> assertThat(count)
                            .isCloseTo(REQUESTS / 4, within((int) (REQUESTS * Traffic.bound(0.25, REQUESTS)))));
            assertThat(scene.last().proxies()).singleElement().satisfies(known -> {
                assertThat(known.node()).isEqualTo(Xds.WHOLE_STATE.name());
                assertThat(known.acknowledged()).isEqualTo(known.wanted()).isNotEmpty();
                assertThat(known.error()).isEmpty();
            });
        }
    }

    @Test
    void a_lease_moves_traffic_as_long_as_it_is_renewed_and_its_release_restores_it() {
        try (Scene scene = Scene.start(Xds.WHOLE_STATE); Tenant tenant = scene.tenant(1)) {
            // when
            scene.hold(tenant, 1, 600_000);

            // then it holds beyond its time to live, and the peers share the rest evenly
            Instant applied = Instant.now();
            assertShare(scene, 0.6);
            await().until(() -> Instant.now().isAfter(applied.plus(Tenant.TTL.multipliedBy(5).dividedBy(4))));
            assertShare(scene, 0.6);
            assertThat(scene.last().share()).isEqualTo(new Share(600_000));

            // when
            tenant.release();
            scene.await(State.NATURAL);

            // then
            assertShare(scene, 0.25);
            awaitPlainRoute(scene);
            assertShare(scene, 0.25);
        }
    }

    private static void awaitPlainRoute(Scene scene) {
        await().untilAsserted(() -> {
            String routes = scene.admin().get("/config_dump?resource=dynamic_route_configs&name_regex=" + scene.name);
            assertThat(routes).doesNotContain("weighted_clusters").contains("\"cluster\": \"" + scene.name + "\"");
            assertThat(scene.admin().get("/config_dump")).doesNotContain(scene.name + "/sut/");
        });
    }

    @Test
    void small_and_extreme_shares_arrive_as_asked() {
        try (Scene scene = Scene.start(Xds.WHOLE_STATE); Tenant tenant = scene.applied(1, 0, Redirect.SPLIT)) {
            assertThat(scene.traffic.shareOf(scene.sut, 300)).isZero();
            scene.hold(tenant, 1, 1_000_000);
            assertThat(scene.traffic.shareOf(scene.sut, 300)).isEqualTo(1);
        }
    }

    @Test
    void traffic_is_natural_within_the_time_to_live_when_nobody_renews() {
        try (Scene scene = Scene.start(Xds.WHOLE_STATE); Tenant tenant = scene.tenant(1)) {
            // when
            tenant.lease(1_000_000);
            Instant leased = Instant.now();
            scene.await(State.APPLIED);

            // then
            assertThat(LastUnnatural.of(scene.traffic, scene.sut).asked()).isBetween(leased.plusMillis(1),
                    leased.plus(Tenant.TTL));
            assertShare(scene, 0.25);
            assertThat(scene.last().state()).isEqualTo(State.EXPIRED);
        }
    }

    @Test
    void a_lower_epoch_moves_nothing() {
        try (Scene scene = Scene.start(Xds.WHOLE_STATE);
                Tenant tenant = scene.applied(7, 600_000, Redirect.SPLIT);
                Tenant zombie = scene.tenant(6)) {
            // when
            zombie.lease(0);

            // then
            await().until(() -> scene.statuses().stream().anyMatch(status -> status.epoch() == 6));
            assertThat(scene.statuses()).filteredOn(status -> status.epoch() == 6).singleElement()
                    .satisfies(status -> {
                        assertThat(status.state()).isEqualTo(State.REJECTED);
                        assertThat(status.reason()).contains("epoch 7 has been seen");
                    });
            assertShare(scene, 0.6);
            tenant.release();
        }
    }

    private static Setting ownProxy() {
        return Setting.of(Level.EVERYTHING, Xds.WHOLE_STATE).withOwnProxy();
    }

    @Test
    void not_applied_without_a_proxy_and_applied_to_a_proxy_that_comes_later() {
        try (Scene scene = Scene.start(ownProxy()); Tenant tenant = scene.tenant(1)) {
            // given
            scene.proxy().close();
            await().until(() -> scene.last().proxies().isEmpty());
            int before = scene.statuses().size();

            // when
            tenant.hold(600_000);
            Instant leased = Instant.now();
            await().until(
                    () -> Instant.now().isAfter(leased.plus(ACKNOWLEDGEMENT_DEADLINE.multipliedBy(5).dividedBy(4))));

            // then
            assertThat(scene.statuses().stream().skip(before)).extracting(ServiceLeaseStatus::state)
                    .isSubsetOf(State.NATURAL, State.PENDING);
            scene.replaceProxy("node-2");
            scene.await(State.APPLIED);
            assertShare(scene, 0.6);
        }
    }

    @Test
    void a_second_proxy_must_acknowledge_too_and_gets_the_same_share() {
        try (Scene scene = Scene.start(ownProxy()); Tenant tenant = scene.applied(1, 600_000, Redirect.SPLIT)) {
            // The second proxy's listener shares the port: SO_REUSEPORT is on in Envoy.
            try (TestProxy second = scene.startProxy("node-2")) {
                assertThat(second.isAlive()).isTrue();
                scene.await(status -> status.state() == State.APPLIED && status.proxies().size() == 2);
                assertShare(scene, 0.6);
            }
            scene.await(status -> status.state() == State.APPLIED && status.proxies().size() == 1);
            tenant.release();
        }
    }

    @Test
    void no_request_fails_while_layouts_come_and_go() {
        try (Scene scene = Scene.start(Xds.WHOLE_STATE)) {
            // given
            AtomicBoolean going = new AtomicBoolean(true);
            CompletableFuture<Void> stream = CompletableFuture.runAsync(() -> {
                while (going.get()) {
                    scene.traffic.send(20);
                }
            });

            // when
            List<String> instances = scene.fleet.addresses();
            for (int epoch = 1; epoch <= 6; epoch++) {
                String instance = instances.get(epoch % instances.size());
                try (Tenant tenant = scene.tenant(epoch, instance, Redirect.SPLIT)) {
                    tenant.lease(600_000);
                    long wanted = epoch;
                    scene.await(status -> status.state() == State.APPLIED && status.epoch() == wanted);
                    if (epoch % 2 == 0) {
                        tenant.release();
                        scene.await(State.NATURAL);
                    }
                }
            }
            going.set(false);

            // then
            assertThat(stream).succeedsWithin(Duration.ofSeconds(60));
        }
    }
}
