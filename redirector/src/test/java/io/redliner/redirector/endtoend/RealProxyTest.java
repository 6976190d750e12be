// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.redirector.lease.ServiceLeaseStatus;
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

    private static void assertShare(ProxiedService proxied, double share) {
        assertThat(proxied.traffic.shareOf(proxied.sut, REQUESTS)).isCloseTo(share,
                within(Traffic.bound(share, REQUESTS)));
    }

    @Test
    void traffic_is_natural_when_nobody_tests() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE)) {
            Map<String, Integer> answers = proxied.traffic.send(REQUESTS);
            assertThat(answers).containsOnlyKeys(proxied.fleet.addresses())
                    .allSatisfy((instance, count) -> assertThat(count)
                            .isCloseTo(REQUESTS / 4, within((int) (REQUESTS * Traffic.bound(0.25, REQUESTS)))));
            assertThat(proxied.last().proxies()).singleElement().satisfies(known -> {
                assertThat(known.node()).isEqualTo(Xds.WHOLE_STATE.name());
                assertThat(known.acknowledged()).isEqualTo(known.wanted()).isNotEmpty();
                assertThat(known.error()).isEmpty();
            });
        }
    }

    @Test
    void a_lease_moves_traffic_as_long_as_it_is_renewed_and_its_release_restores_it() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE); LeaseHolder holder = proxied.holder(1)) {
            // when
            proxied.hold(holder, 1, 600_000);

            // then it holds beyond its time to live, and the peers share the rest evenly
            Instant applied = Instant.now();
            assertShare(proxied, 0.6);
            await().until(() -> Instant.now().isAfter(applied.plus(LeaseHolder.TTL.multipliedBy(5).dividedBy(4))));
            assertShare(proxied, 0.6);
            assertThat(proxied.last().share()).isEqualTo(new Share(600_000));

            // when
            holder.release();
            proxied.await(ReportedLeaseState.NATURAL);

            // then
            assertShare(proxied, 0.25);
            awaitPlainRoute(proxied);
            assertShare(proxied, 0.25);
        }
    }

    private static void awaitPlainRoute(ProxiedService proxied) {
        await().untilAsserted(() -> {
            String routes = proxied.admin()
                    .get("/config_dump?resource=dynamic_route_configs&name_regex=" + proxied.name);
            assertThat(routes).doesNotContain("weighted_clusters").contains("\"cluster\": \"" + proxied.name + "\"");
            assertThat(proxied.admin().get("/config_dump")).doesNotContain(proxied.name + "/sut/");
        });
    }

    @Test
    void small_and_extreme_shares_arrive_as_asked() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE);
                LeaseHolder holder = proxied.applied(1, 0, Redirect.SPLIT)) {
            assertThat(proxied.traffic.shareOf(proxied.sut, 300)).isZero();
            proxied.hold(holder, 1, 1_000_000);
            assertThat(proxied.traffic.shareOf(proxied.sut, 300)).isEqualTo(1);
        }
    }

    @Test
    void traffic_is_natural_within_the_time_to_live_when_nobody_renews() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE); LeaseHolder holder = proxied.holder(1)) {
            // when
            holder.lease(1_000_000);
            Instant leased = Instant.now();
            proxied.await(ReportedLeaseState.APPLIED);

            // then
            assertThat(LastUnrestoredAnswer.of(proxied.traffic, proxied.sut).asked()).isBetween(leased.plusMillis(1),
                    leased.plus(LeaseHolder.TTL));
            assertShare(proxied, 0.25);
            assertThat(proxied.last().state()).isEqualTo(ReportedLeaseState.EXPIRED);
        }
    }

    @Test
    void a_lower_epoch_moves_nothing() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE);
                LeaseHolder holder = proxied.applied(7, 600_000, Redirect.SPLIT);
                LeaseHolder zombie = proxied.holder(6)) {
            // when
            zombie.lease(0);

            // then
            await().until(() -> proxied.statuses().stream().anyMatch(status -> status.epoch() == 6));
            assertThat(proxied.statuses()).filteredOn(status -> status.epoch() == 6).singleElement()
                    .satisfies(status -> {
                        assertThat(status.state()).isEqualTo(ReportedLeaseState.REJECTED);
                        assertThat(status.reason()).contains("epoch 7 has been seen");
                    });
            assertShare(proxied, 0.6);
            holder.release();
        }
    }

    private static ProxiedServiceSettings ownProxy() {
        return ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE).withOwnProxy();
    }

    @Test
    void not_applied_without_a_proxy_and_applied_to_a_proxy_that_comes_later() {
        try (ProxiedService proxied = ProxiedService.start(ownProxy()); LeaseHolder holder = proxied.holder(1)) {
            // given
            proxied.proxy().close();
            await().until(() -> proxied.last().proxies().isEmpty());
            int before = proxied.statuses().size();

            // when
            holder.hold(600_000);
            Instant leased = Instant.now();
            await().until(
                    () -> Instant.now().isAfter(leased.plus(ACKNOWLEDGEMENT_DEADLINE.multipliedBy(5).dividedBy(4))));

            // then
            assertThat(proxied.statuses().stream().skip(before)).extracting(ServiceLeaseStatus::state)
                    .isSubsetOf(ReportedLeaseState.NATURAL, ReportedLeaseState.PENDING);
            proxied.replaceProxy("node-2");
            proxied.await(ReportedLeaseState.APPLIED);
            assertShare(proxied, 0.6);
        }
    }

    @Test
    void a_second_proxy_must_acknowledge_too_and_gets_the_same_share() {
        try (ProxiedService proxied = ProxiedService.start(ownProxy());
                LeaseHolder holder = proxied.applied(1, 600_000, Redirect.SPLIT)) {
            // The second proxy's listener shares the port: SO_REUSEPORT is on in Envoy.
            try (TestProxy second = proxied.startProxy("node-2")) {
                assertThat(second.isAlive()).isTrue();
                proxied.await(status -> status.state() == ReportedLeaseState.APPLIED && status.proxies().size() == 2);
                assertShare(proxied, 0.6);
            }
            proxied.await(status -> status.state() == ReportedLeaseState.APPLIED && status.proxies().size() == 1);
            holder.release();
        }
    }

    @Test
    void no_request_fails_while_layouts_come_and_go() {
        try (ProxiedService proxied = ProxiedService.start(Xds.WHOLE_STATE)) {
            // given
            AtomicBoolean going = new AtomicBoolean(true);
            CompletableFuture<Void> stream = CompletableFuture.runAsync(() -> {
                while (going.get()) {
                    proxied.traffic.send(20);
                }
            });

            // when
            List<String> instances = proxied.fleet.addresses();
            for (int epoch = 1; epoch <= 6; epoch++) {
                String instance = instances.get(epoch % instances.size());
                try (LeaseHolder holder = proxied.holder(epoch, instance, Redirect.SPLIT)) {
                    holder.lease(600_000);
                    long wanted = epoch;
                    proxied.await(
                            status -> status.state() == ReportedLeaseState.APPLIED && status.epoch() == wanted);
                    // The next run begins only after a release, and need not wait until traffic is natural.
                    holder.release();
                    if (epoch % 2 == 0) {
                        proxied.await(ReportedLeaseState.NATURAL);
                    }
                }
            }
            going.set(false);

            // then
            assertThat(stream).succeedsWithin(Duration.ofSeconds(60));
        }
    }
}
