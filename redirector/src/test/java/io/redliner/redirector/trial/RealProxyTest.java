// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.fixture.Fixture;
import io.redliner.fixture.Proxy;
import io.redliner.redirector.share.Share;
import io.redliner.redirector.share.ShareStatus;
import io.redliner.redirector.share.ShareStatus.State;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What real traffic through a real Envoy does when leases come, stay, end and are fenced off. */
@Timeout(600)
class RealProxyTest {

    private static final int REQUESTS = 1_000;

    @TempDir
    private Path folder;

    private final Fleet fleet = new Fleet(4);

    private final int listenPort = FreePort.next();

    private final Traffic traffic = new Traffic(listenPort);

    private final String sut = fleet.addresses().getLast();

    private RunningRedirector redirector;

    private Proxy proxy;

    @BeforeEach
    void start() {
        redirector = RunningRedirector.start(servicesFile(), 0, "redliner.redirector.loop.cluster-linger=1s");
        redirector.begin();
        proxy = startProxy("node-1");
        awaitState(State.NATURAL);
    }

    private Proxy startProxy(String node) {
        Proxy started = Fixture
                .proxy(EnvoyBootstrap.everything(node, redirector.xdsPort(), FreePort.next(), FreePort.next()), folder);
        started.awaitLive(Duration.ofSeconds(20));
        return started;
    }

    private Path servicesFile() {
        return ServicesText.listening(folder, listenPort, fleet.addresses());
    }

    @AfterEach
    void end() {
        proxy.close();
        redirector.close();
        traffic.close();
        fleet.close();
    }

    private void awaitState(State state) {
        await().pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(redirector.last("demo")).hasValueSatisfying(status -> {
                    assertThat(status.state()).as(status.toString()).isEqualTo(state);
                    assertThat(status.proxies()).isNotEmpty();
                }));
    }

    private void assertShare(double share) {
        assertThat(traffic.shareOf(sut, REQUESTS)).isCloseTo(share, within(Traffic.bound(share, REQUESTS)));
    }

    /** Waits until the SUT, which gets everything, does so no more; when that was last so. */
    private Instant lastUnnatural() {
        Instant lastUnnatural = Instant.now();
        // On a machine that stands still time passes without a look.
        int natural = 0;
        while (natural < 5 || Duration.between(lastUnnatural, Instant.now()).toMillis() < 300) {
            Instant before = Instant.now();
            natural++;
            // By chance at the natural share: once in sixteen million.
            if (traffic.send(12).keySet().equals(Set.of(sut))) {
                lastUnnatural = before;
                natural = 0;
            }
        }
        return lastUnnatural;
    }

    @Test
    void traffic_is_natural_when_nobody_tests() {
        Map<String, Integer> answers = traffic.send(REQUESTS);
        assertThat(answers).containsOnlyKeys(fleet.addresses()).allSatisfy((instance, count) -> assertThat(count)
                .isCloseTo(REQUESTS / 4, within((int) (REQUESTS * Traffic.bound(0.25, REQUESTS)))));
        assertThat(redirector.last("demo").orElseThrow().proxies()).singleElement().satisfies(known -> {
            assertThat(known.node()).isEqualTo("node-1");
            assertThat(known.acknowledged()).isEqualTo(known.wanted()).isNotEmpty();
            assertThat(known.error()).isEmpty();
        });
    }

    @Test
    void a_lease_moves_traffic_as_long_as_it_is_renewed_and_its_release_restores_it() {
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            // when
            tenant.hold(600_000);
            awaitState(State.APPLIED);

            // then it holds beyond its time to live, and the peers share the rest evenly
            Instant applied = Instant.now();
            assertShare(0.6);
            await().until(() -> Instant.now().isAfter(applied.plus(Tenant.TTL).plusMillis(500)));
            assertShare(0.6);
            assertThat(redirector.last("demo").orElseThrow().share()).isEqualTo(new Share(600_000));

            // when
            tenant.release();
            awaitState(State.NATURAL);

            // then
            assertShare(0.25);
        }
        awaitPlainRoute();
        assertShare(0.25);
    }

    private void awaitPlainRoute() {
        await().untilAsserted(() -> {
            String dump = new AdminClient(proxy.adminPort()).get("/config_dump");
            assertThat(dump).doesNotContain("weighted_clusters").doesNotContain("/sut/")
                    .contains("\"cluster\": \"demo\"");
        });
    }

    @Test
    void small_and_extreme_shares_arrive_as_asked() {
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            tenant.hold(0);
            awaitState(State.APPLIED);
            assertThat(traffic.shareOf(sut, 300)).isZero();
            tenant.hold(1_000_000);
            await().until(() -> redirector.last("demo").orElseThrow().share().ppm() == 1_000_000);
            assertThat(traffic.shareOf(sut, 300)).isEqualTo(1);
        }
    }

    @Test
    void traffic_is_natural_within_the_time_to_live_when_nobody_renews() {
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            // when
            tenant.lease(1_000_000);
            Instant leased = Instant.now();
            awaitState(State.APPLIED);

            // then
            assertThat(lastUnnatural()).isBetween(leased.plusMillis(1), leased.plus(Tenant.TTL));
            assertShare(0.25);
            assertThat(redirector.last("demo").orElseThrow().state()).isEqualTo(State.EXPIRED);
        }
    }

    @Test
    void the_proxy_itself_returns_to_natural_within_the_time_to_live_when_the_redirector_is_killed() {
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            // given
            tenant.hold(1_000_000);
            awaitState(State.APPLIED);
            assertThat(traffic.shareOf(sut, 100)).isEqualTo(1);

            // when
            Instant killed = Instant.now();
            redirector.kill();

            // then by the proxy's own timer, and not because the stream broke
            assertThat(lastUnnatural()).isBetween(killed.plusMillis(500), killed.plus(Tenant.TTL).plusMillis(900));
            assertShare(0.25);
        }
    }

    @Test
    void a_lower_epoch_moves_nothing() {
        try (Tenant tenant = new Tenant(redirector, sut, 7); Tenant zombie = new Tenant(redirector, sut, 6)) {
            // given
            tenant.hold(600_000);
            awaitState(State.APPLIED);

            // when
            zombie.lease(0);

            // then
            await().until(() -> redirector.statuses().stream().anyMatch(status -> status.epoch() == 6));
            assertThat(redirector.statuses()).filteredOn(status -> status.epoch() == 6).singleElement()
                    .satisfies(status -> {
                        assertThat(status.state()).isEqualTo(State.REJECTED);
                        assertThat(status.reason()).contains("epoch 7 has been seen");
                    });
            assertShare(0.6);
        }
    }

    @Test
    void not_applied_without_a_proxy_and_applied_to_a_proxy_that_comes_later() {
        // given
        proxy.close();
        await().until(() -> redirector.last("demo").orElseThrow().proxies().isEmpty());
        int before = redirector.statuses().size();
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            // when
            tenant.hold(600_000);
            Instant leased = Instant.now();
            await().until(() -> Instant.now().isAfter(leased.plusMillis(2_500)));

            // then
            assertThat(redirector.statuses().stream().skip(before)).extracting(ShareStatus::state)
                    .isSubsetOf(State.NATURAL, State.PENDING);
            proxy = startProxy("node-2");
            awaitState(State.APPLIED);
            assertShare(0.6);
        }
    }

    @Test
    void a_second_proxy_must_acknowledge_too_and_gets_the_same_share() {
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            tenant.hold(600_000);
            awaitState(State.APPLIED);
            // The second proxy's listener shares the port: SO_REUSEPORT is on in Envoy.
            try (Proxy second = startProxy("node-2")) {
                assertThat(second.isAlive()).isTrue();
                await().until(() -> redirector.last("demo").filter(status -> status.state() == State.APPLIED
                        && status.proxies().size() == 2).isPresent());
                assertShare(0.6);
            }
            await().until(() -> redirector.last("demo").filter(status -> status.state() == State.APPLIED
                    && status.proxies().size() == 1).isPresent());
        }
    }

    @Test
    void a_restarted_redirector_comes_to_the_same_version() {
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            tenant.hold(600_000);
            awaitState(State.APPLIED);
        }
        String version = redirector.last("demo").orElseThrow().proxies().getFirst().wanted();
        int port = redirector.xdsPort();

        // when it comes back, and the proxy is there before the old leases are read
        redirector.close();
        redirector = RunningRedirector.start(servicesFile(), port);
        await().until(() -> new AdminClient(proxy.adminPort())
                .get("/stats?filter=control_plane.connected_state").contains("connected_state: 1"));
        try (Tenant tenant = new Tenant(redirector, sut, 1)) {
            tenant.hold(600_000);
            redirector.begin();
            awaitState(State.APPLIED);

            // then
            assertThat(redirector.last("demo").orElseThrow().proxies().getFirst().acknowledged()).isEqualTo(version);
            assertShare(0.6);
            assertThat(redirector.statuses()).extracting(ShareStatus::state).doesNotContain(State.FAILED);
        }
    }

    @Test
    void no_request_fails_while_layouts_come_and_go() {
        // given
        AtomicBoolean going = new AtomicBoolean(true);
        CompletableFuture<Void> stream = CompletableFuture.runAsync(() -> {
            while (going.get()) {
                traffic.send(20);
            }
        });

        // when
        List<String> instances = fleet.addresses();
        for (int epoch = 1; epoch <= 6; epoch++) {
            try (Tenant tenant = new Tenant(redirector, instances.get(epoch % instances.size()), epoch)) {
                tenant.lease(600_000);
                long wanted = epoch;
                await().until(() -> redirector.last("demo").filter(status -> status.state() == State.APPLIED
                        && status.epoch() == wanted).isPresent());
                if (epoch % 2 == 0) {
                    tenant.release();
                    awaitState(State.NATURAL);
                }
            }
        }
        going.set(false);

        // then
        assertThat(stream).succeedsWithin(Duration.ofSeconds(60));
    }
}
