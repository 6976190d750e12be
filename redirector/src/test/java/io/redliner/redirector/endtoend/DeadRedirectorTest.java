// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traffic after the redirector is gone: each Envoy drops the share by its own timer. */
@Timeout(600)
class DeadRedirectorTest {

    private static final int USERS = 1_000;

    /** A service whose instance under test gets all its requests. */
    private record Tested(Level level, ProxiedService proxied, LeaseHolder holder,
            Redirect redirect) implements AutoCloseable {

        static Tested start(SharedRedirector redirector, ProxiedServiceSettings setting, Redirect redirect,
                Duration ttl) {
            ProxiedService proxied = ProxiedService.start(redirector, setting);
            LeaseHolder holder = new LeaseHolder(redirector.running(), proxied.name, proxied.sut, 1, redirect, ttl);
            proxied.hold(holder, 1, 1_000_000);
            return new Tested(setting.level(), proxied, holder, redirect);
        }

        /** Who answers some users' requests. */
        Set<String> answering(Traffic traffic, int users) {
            return IntStream.range(0, users).mapToObj(user -> traffic.withHeader("x-user-id", Integer.toString(user)))
                    .collect(Collectors.toSet());
        }

        LastUnrestoredAnswer lastUnnatural() {
            return LastUnrestoredAnswer.of(proxied.sut, () -> answering(proxied.traffic, 12));
        }

        @Override
        public void close() {
            holder.close();
            proxied.close();
        }
    }

    private static Redirect redirect(RedirectMode mode) {
        RoutingAttribute users = new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id");
        return switch (mode) {
            case MODULO -> new Redirect(mode, users, USERS, List.of());
            case HASH -> new Redirect(mode, users, null, List.of());
            case SPLIT, ENDPOINT_WEIGHT -> new Redirect(mode, null, null, List.of());
        };
    }

    private static EnvoyBootstrap choosingByUser(EnvoyBootstrap bootstrap) {
        String prefix = "runtime_key_prefix: routing.profile-be\n";
        return bootstrap.withYaml(bootstrap.yaml().replace(prefix,
                prefix + " ".repeat(30) + "header_name: x-user-id\n"));
    }

    /**
     * Kills the redirector while all of these services are tested.
     *
     * @param ttl of the leases
     */
    private static void naturalWithinTheTimeToLive(SharedRedirector redirector, List<Tested> services, Duration ttl) {
        services.forEach(tested -> assertThat(tested.answering(tested.proxied().traffic, 100))
                .as(tested.redirect() + " before").containsExactly(tested.proxied().sut));

        // when
        Instant issued = services.stream().map(tested -> tested.holder().issuedBefore()).min(Instant::compareTo)
                .orElseThrow();
        redirector.running().kill();
        Instant killed = Instant.now();

        // then by the proxy's own timer, and not because the stream broke
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<LastUnrestoredAnswer>> looking = services.stream()
                    .map(tested -> CompletableFuture.supplyAsync(tested::lastUnnatural, threads)).toList();
            List<LastUnrestoredAnswer> ends = looking.stream().map(CompletableFuture::join).toList();
            IntStream.range(0, ends.size()).forEach(i -> System.out.println("natural again "
                    + Duration.between(killed, ends.get(i).answered()).toMillis()
                    + " ms after the redirector was killed: "
                    + services.get(i).level() + " " + services.get(i).redirect().mode()));
            assertThat(ends).as("the last requests to the instances under test, killed at %s", killed)
                    .allSatisfy(end -> {
                        assertThat(end.answered()).isAfter(issued.plus(ttl).minus(LeaseHolder.renewal(ttl)));
                        assertThat(end.asked()).isBefore(killed.plus(ttl).plus(LeaseHolder.renewal(ttl)));
                    });
        }
        services.forEach(tested -> assertThat(tested.proxied().traffic.shareOf(tested.proxied().sut, 1_000))
                .as(tested.redirect().toString()).isCloseTo(0.25, within(Traffic.bound(0.25, 1_000))));
    }

    @Test
    void every_proxy_returns_to_natural_within_the_time_to_live_at_each_level_and_in_each_mode() {
        Duration ttl = LeaseHolder.TTL;
        ProxiedServiceSettings wholeState = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE);
        try (SharedRedirector redirector = SharedRedirector.start("redliner.redirector.services.poll-interval=25ms");
                Tested split = Tested.start(redirector, wholeState, Redirect.SPLIT, ttl);
                Tested weight = Tested.start(redirector, wholeState, redirect(RedirectMode.ENDPOINT_WEIGHT), ttl);
                Tested modulo = Tested.start(redirector, wholeState, redirect(RedirectMode.MODULO), ttl);
                Tested hash = Tested.start(redirector, wholeState, redirect(RedirectMode.HASH), ttl);
                Tested everything = Tested.start(redirector,
                        ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS),
                        Redirect.SPLIT, ttl);
                Tested routes = Tested.start(redirector,
                        ProxiedServiceSettings.of(Level.ROUTES_AND_ENDPOINTS, Xds.INCREMENTS),
                        Redirect.SPLIT, ttl);
                Tested endpoints = Tested.start(redirector,
                        ProxiedServiceSettings.of(Level.ENDPOINTS_ONLY, Xds.INCREMENTS), Redirect.SPLIT, ttl);
                Tested endpointsModulo = Tested.start(redirector,
                        ProxiedServiceSettings.of(Level.ENDPOINTS_ONLY, Xds.WHOLE_STATE).more("modulo")
                                .changing(DeadRedirectorTest::choosingByUser),
                        redirect(RedirectMode.MODULO), ttl);
                Tested runtime = Tested.start(redirector, ProxiedServiceSettings.of(Level.RUNTIME_ONLY, Xds.INCREMENTS),
                        Redirect.SPLIT, ttl)) {
            naturalWithinTheTimeToLive(redirector, List.of(split, weight, modulo, hash, everything, routes, endpoints,
                    endpointsModulo, runtime), ttl);
        }
    }

    @Tag("fault")
    @Test
    void a_proxy_returns_to_natural_within_five_seconds_with_the_default_times() {
        Duration ttl = Duration.ofSeconds(5);
        try (SharedRedirector redirector = SharedRedirector.start();
                Tested split = Tested.start(redirector, ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE),
                        Redirect.SPLIT,
                        ttl);
                Tested hash = Tested.start(redirector, ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS),
                        redirect(RedirectMode.HASH), ttl)) {
            naturalWithinTheTimeToLive(redirector, List.of(split, hash), ttl);
        }
    }

    @Test
    void a_restarted_redirector_comes_to_the_same_version(
            @TempDir Path folder) throws IOException {
        ProxiedServiceSettings setting = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE);
        try (SharedRedirector first = SharedRedirector.start("redliner.redirector.services.poll-interval=25ms");
                ProxiedService proxied = ProxiedService.start(first, setting)) {
            try (LeaseHolder holder = proxied.applied(1, 600_000, Redirect.SPLIT)) {
                assertThat(holder).isNotNull();
            }
            String version = proxied.last().proxies().getFirst().wanted();
            int port = first.running().xdsPort();

            // when it comes back, and the proxy is there before the old leases are read
            Path services = Files.copy(first.file(), folder.resolve("services.yaml"));
            first.running().close();
            try (RunningRedirector second = RunningRedirector.start(services, port)) {
                await().until(() -> proxied.admin().get("/stats?filter=control_plane.connected_state")
                        .contains("connected_state: 1"));
                try (LeaseHolder holder = new LeaseHolder(second, proxied.name, proxied.sut, 1, Redirect.SPLIT)) {
                    holder.hold(600_000);
                    second.begin();
                    await().until(() -> second.last(proxied.name)
                            .filter(status -> status.state() == ReportedLeaseState.APPLIED
                                    && !status.proxies().isEmpty())
                            .isPresent());

                    // then
                    assertThat(second.last(proxied.name).orElseThrow().proxies().getFirst().acknowledged())
                            .isEqualTo(version);
                    assertThat(proxied.traffic.shareOf(proxied.sut, 1_000))
                            .isCloseTo(0.6, within(Traffic.bound(0.6, 1_000)));
                    assertThat(second.statuses(proxied.name)).extracting(status -> status.state())
                            .doesNotContain(ReportedLeaseState.FAILED);
                }
            }
        }
    }
}
