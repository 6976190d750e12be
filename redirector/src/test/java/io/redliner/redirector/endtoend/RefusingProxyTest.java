// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.embedded.FreePort;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.redirector.eventloop.ProxyRefusals;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Status;

/** A real Envoy that cannot open its listener: the service's port is taken. */
@Timeout(600)
class RefusingProxyTest {

    /** Keeps a proxy from serving for two seconds after it has got its listeners: nobody has this one's route. */
    private static final String LATE_LISTENER = """
            static_resources:
              listeners:
                - name: late
                  address: {socket_address: {address: 127.0.0.1, port_value: 0}}
                  filter_chains:
                    - filters:
                        - name: http
                          typed_config:
                            "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                            stat_prefix: late
                            rds:
                              route_config_name: nobody-has-it
                              config_source: {resource_api_version: V3, initial_fetch_timeout: 2s, ads: {}}
                            http_filters:
                              - name: router
                                typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
            """;

    @Test
    void a_refusal_is_quoted_fails_the_lease_is_not_repeated_in_haste_and_heals() throws IOException {
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ProxiedServiceSettings setting = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE).size(2)
                .port(taken.getLocalPort())
                .withOwnProxy();
        try (ProxiedService proxied = ProxiedService.startUnproven(setting)) {
            // when
            try (LeaseHolder holder = proxied.holder(1)) {
                holder.hold(900_000);

                // then
                proxied.await(status -> status.epoch() == 1 && status.state() == ReportedLeaseState.FAILED);
            }
            ServiceLeaseStatus failed = proxied.last();
            assertThat(failed.reason()).contains("proxy " + proxied.name).contains("ROUTE " + proxied.name)
                    .contains("Address already in use");
            assertThat(failed.proxies()).singleElement()
                    .satisfies(known -> assertThat(known.error()).contains("Address already in use"));
            assertThat(proxied.statuses()).extracting(ServiceLeaseStatus::state)
                    .doesNotContain(ReportedLeaseState.APPLIED);
            assertThat(rejectedUpdates(proxied)).isBetween(1, 20);

            // when the port is free again, then
            taken.close();
            await().ignoreExceptions().until(() -> proxied.traffic.once() != null);
            try (LeaseHolder holder = proxied.applied(2, 1_000_000, Redirect.SPLIT)) {
                assertThat(proxied.traffic.shareOf(proxied.sut, 50)).isEqualTo(1);
                assertThat(proxied.last().proxies().getFirst().error()).isEmpty();
                holder.release();
            }
        } finally {
            taken.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void what_a_proxy_refuses_is_named_at_its_service_alone_and_no_more_when_the_proxy_has_taken_it(Xds xds)
            throws IOException {
        SharedRedirector shared = SharedRedirector.ofJvm();
        ProxyRefusals refusals = shared.running().bean(ProxyRefusals.class);
        List<String> reported = new CopyOnWriteArrayList<>();
        refusals.listen(reported::add);
        String taken = SharedRedirector.nextName();
        String moved = SharedRedirector.nextName();
        String unsafe = SharedRedirector.nextName();
        int free = FreePort.next();
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ProxiedService served = ProxiedService
                        .start(ProxiedServiceSettings.of(Level.EVERYTHING, xds).size(2).withOwnProxy())) {
            // when
            put(shared, taken, served, one.getLocalPort(), "");
            put(shared, moved, served, free, "");
            put(shared, unsafe, served, FreePort.next(), "tls: {sni: a, trusted: /no/such/file}");

            // then
            await().untilAsserted(() -> assertThat(refusals.health().getDetails().get(taken)).asString()
                    .startsWith("Proxy " + served.name + " refused listener " + taken + " on 127.0.0.1:"
                            + one.getLocalPort() + ": ")
                    .contains("Address already in use"));
            await().untilAsserted(() -> assertThat(refusals.health().getDetails().get(unsafe)).asString()
                    .contains(" refused cluster " + unsafe + ": ", "/no/such/file"));
            await().ignoreExceptions().untilAsserted(() -> assertThat(new Traffic(free).once()).isNotNull());
            assertThat(refusals.health().getDetails()).doesNotContainKeys(served.name, moved);
            assertThat(refusals.health().getStatus()).isEqualTo(Status.DOWN);

            // when a listener that serves is to move to a port that is taken, then its old one is no acknowledgement
            put(shared, moved, served, other.getLocalPort(), "");
            await().untilAsserted(() -> assertThat(refusals.health().getDetails().get(moved)).asString()
                    .contains("listener " + moved + " on 127.0.0.1:" + other.getLocalPort() + ": "));

            // when the ports are free, then
            one.close();
            other.close();
            await().untilAsserted(() -> assertThat(reported)
                    .contains("No proxy refuses anything of service " + taken + " any more",
                            "No proxy refuses anything of service " + moved + " any more"));
            assertThat(refusals.health().getDetails()).doesNotContainKeys(taken, moved).containsKey(unsafe);
        } finally {
            List.of(taken, moved, unsafe).forEach(shared::remove);
        }
        await().untilAsserted(() -> assertThat(refusals.health().getDetails()).doesNotContainKey(unsafe));
    }

    @ParameterizedTest
    @Tag("fault")
    @EnumSource(Xds.class)
    void a_port_that_another_program_takes_before_the_proxy_listens_is_named_until_the_proxy_has_it(Xds xds)
            throws Exception {
        int port = FreePort.next();
        CompletableFuture<ServerSocket> taker = new CompletableFuture<>();
        ProxiedServiceSettings setting = ProxiedServiceSettings.of(Level.EVERYTHING, xds).size(2).port(port)
                .changing(bootstrap -> {
                    taker.completeAsync(() -> takeOnceBound(bootstrap.adminPort(), port));
                    return bootstrap.withYaml(bootstrap.yaml().replace("static_resources:\n", LATE_LISTENER))
                            .reportingEjections();
                });
        ProxyRefusals refusals = SharedRedirector.ofJvm().running().bean(ProxyRefusals.class);

        // when
        try (ProxiedService proxied = ProxiedService.startUnproven(setting); ServerSocket taken = taker.join()) {
            // then
            await().untilAsserted(() -> assertThat(refusals.health().getDetails().get(proxied.name)).asString()
                    .contains("refused listener " + proxied.name + " on 127.0.0.1:" + port + ": ",
                            "Address already in use"));

            // when the port is free again, then
            taken.close();
            await().ignoreExceptions().until(() -> proxied.traffic.once() != null);
            await().untilAsserted(() -> assertThat(refusals.health().getDetails()).doesNotContainKey(proxied.name));
        }
    }

    /** Takes the port once the proxy has bound it for its listener, and before the proxy listens. */
    private static ServerSocket takeOnceBound(int adminPort, int port) {
        await().pollInterval(Duration.ofMillis(20)).ignoreExceptions()
                .until(() -> new AdminClient(adminPort).get("/config_dump?resource=dynamic_listeners")
                        .contains("\"port_value\": " + port));
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void put(SharedRedirector shared, String service, ProxiedService neighbour, int port, String more) {
        shared.put(service, ServicesText.service(service, "proxies: " + neighbour.name,
                "listen: \"127.0.0.1:" + port + "\"", more, neighbour.instances()));
    }

    private static int rejectedUpdates(ProxiedService proxied) {
        String stats = proxied.admin().get("/stats?filter=listener_manager.lds.update_rejected");
        return Integer.parseInt(stats.strip().replaceFirst(".*: ", ""));
    }
}
