// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.redliner.contract.lease.FleetChange;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.testkit.TestCertificateAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What instances speak: gRPC, HTTP over TLS; and what becomes of a resource that a proxy cannot take. */
@Timeout(600)
class UpstreamsTest {

    @TempDir
    private Path folder;

    @Test
    void grpc_calls_are_moved_and_distinguished_by_method() {
        Redirect redirect = new Redirect(RedirectMode.SPLIT, null, null, List.of(new Cohort("am", List.of(),
                new PathMatch(PathMatch.Kind.GRPC_METHOD, "trial.Who/Am"), List.of())));
        try (GrpcFleet fleet = new GrpcFleet(3);
                ProxiedService proxied = ProxiedService.start(
                        ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE).more("protocol: grpc"),
                        fleet.addresses());
                LeaseHolder holder = proxied.holder(1, redirect)) {
            assertThat(GrpcFleet.call(proxied.port, GrpcFleet.AM, 60)).containsAll(fleet.addresses());

            // when
            proxied.hold(holder, 1, 1_000_000);

            // then
            assertThat(GrpcFleet.call(proxied.port, GrpcFleet.AM, 30)).containsOnly(proxied.sut);
            assertThat(GrpcFleet.call(proxied.port, GrpcFleet.ELSE, 30)).doesNotContain(proxied.sut);
            assertThat(proxied.proxy().isAlive()).isTrue();
            holder.release();
        }
    }

    /** The instances answer to {@code /slow} after a fifth of a second. */
    @Test
    void long_streams_outlive_the_timeout_of_requests() {
        Map<String, String> events = Map.of("accept", "text/event-stream");
        ProxiedServiceSettings everything = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE);
        try (ProxiedService proxied = ProxiedService.start(everything.more("timeout: 100ms"))) {
            assertThatThrownBy(() -> proxied.traffic.at("/slow")).hasMessageContaining("status 504");
            assertThat(proxied.fleet.addresses()).contains(proxied.traffic.with("GET", "/slow", events));
            try (LeaseHolder holder = proxied.applied(1, 1_000_000, Redirect.SPLIT)) {
                assertThatThrownBy(() -> proxied.traffic.at("/slow")).hasMessageContaining("status 504");
                assertThat(proxied.traffic.with("GET", "/slow", events)).isEqualTo(proxied.sut);
                holder.release();
            }
        }
        try (ProxiedService proxied = ProxiedService.start(everything.more("timeout: 100ms\n    streams: [/slow]"))) {
            assertThat(proxied.fleet.addresses()).contains(proxied.traffic.at("/slow"));
            Redirect slow = new Redirect(RedirectMode.SPLIT, null, null, List.of(new Cohort("s", List.of(),
                    new PathMatch(PathMatch.Kind.PREFIX, "/s"), List.of())));
            try (LeaseHolder holder = proxied.applied(1, 1_000_000, slow)) {
                assertThat(proxied.traffic.at("/slow")).isEqualTo(proxied.sut);
                holder.release();
            }
        }
        try (ProxiedService proxied = ProxiedService.start(everything.more("timeout: 0s"))) {
            assertThat(proxied.fleet.addresses()).contains(proxied.traffic.at("/slow"));
        }
    }

    @Test
    void instances_behind_tls_are_reached_only_with_the_right_certificate()
            throws IOException, GeneralSecurityException {
        TestCertificateAuthority trusted = new TestCertificateAuthority(folder, "trusted");
        TestCertificateAuthority other = new TestCertificateAuthority(folder, "other");
        trusted.certificate("demo.test");
        other.certificate("demo.test");
        List<HttpsServer> fleet = List.of(https(trusted, "demo.test"), https(trusted, "demo.test"),
                https(trusted, "demo.test"));
        HttpsServer impostor = https(other, "demo.test");
        List<String> honest = fleet.stream().map(UpstreamsTest::address).toList();
        List<String> all = new ArrayList<>(honest);
        all.add(address(impostor));
        ProxiedServiceSettings tls = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS)
                .more("tls: {sni: demo.test, trusted: \"" + trusted.authority() + "\"}");
        try (ProxiedService proxied = ProxiedService.start(tls, all); LeaseHolder holder = proxied.holder(1)) {
            assertThat(proxied.proxy().isAlive()).isTrue();

            // when nothing goes to the one that cannot be trusted, then
            proxied.hold(holder, 1, 0);
            assertThat(proxied.traffic.send(90)).containsOnlyKeys(honest);

            // when it should get everything, then it gets nothing
            proxied.hold(holder, 1, 1_000_000);
            assertThat(proxied.traffic.status()).isEqualTo(503);
            holder.release();
        } finally {
            fleet.forEach(server -> server.stop(0));
            impostor.stop(0);
        }
    }

    @Test
    void an_instance_that_is_not_healthy_gets_nothing_and_the_lease_says_so() {
        ProxiedServiceSettings checked = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.INCREMENTS)
                .more("healthCheck: {path: /health, interval: 250ms, timeout: 200ms, unhealthy: 1, healthy: 1}")
                .changing(EnvoyBootstrap::reportingEjections);
        try (ProxiedService proxied = ProxiedService.start(checked);
                LeaseHolder holder = proxied.applied(1, 400_000, Redirect.SPLIT)) {
            // when
            String peer = proxied.fleet.addresses().getFirst();
            proxied.fleet.breakDown(peer);

            // then
            await().untilAsserted(() -> assertThat(proxied.last().changes())
                    .extracting(FleetChange::kind, FleetChange::instance)
                    .contains(tuple(FleetChange.Kind.EJECTED, peer)));
            // Each cluster has checks of its own, and the first failure is reported.
            await().untilAsserted(() -> assertThat(proxied.traffic.send(200)).doesNotContainKey(peer));
            assertThat(proxied.traffic.shareOf(proxied.sut, 500)).isCloseTo(0.4, within(Traffic.bound(0.4, 500)));
            holder.release();
        }
    }

    private static String address(HttpsServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static HttpsServer https(TestCertificateAuthority certificates, String name)
            throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(certificates.store(name), "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            byte[] answer = address(server).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    @ParameterizedTest
    @EnumSource(Xds.class)
    void a_resource_that_a_proxy_cannot_take_fails_the_lease_with_its_words_and_ends_in_no_hot_loop(Xds xds) {
        ProxiedServiceSettings impossible = ProxiedServiceSettings.of(Level.EVERYTHING, xds).size(3).withOwnProxy()
                .more("tls: {sni: demo.test, trusted: /nowhere/ca.pem}");
        try (ProxiedService proxied = ProxiedService.startUnproven(impossible);
                LeaseHolder holder = proxied.holder(1)) {
            // when
            holder.hold(500_000);
            await().until(() -> proxied.last().state() == ReportedLeaseState.FAILED);

            // then
            assertThat(proxied.last().reason()).contains("proxy " + proxied.name).contains("/nowhere/ca.pem");
            assertThat(proxied.statuses()).extracting(ServiceLeaseStatus::state)
                    .doesNotContain(ReportedLeaseState.APPLIED);
            int before = rejected(proxied.admin());
            int reports = proxied.statuses().size();
            await().until(() -> proxied.statuses().size() >= reports + 3);
            assertThat(rejected(proxied.admin())).isBetween(before, before + 6).isLessThan(20);
        }
    }

    private static int rejected(AdminClient admin) {
        Matcher matcher = Pattern.compile("cluster_manager.cds.update_rejected: ([0-9]+)")
                .matcher(admin.get("/stats?filter=cds.update_rejected"));
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
