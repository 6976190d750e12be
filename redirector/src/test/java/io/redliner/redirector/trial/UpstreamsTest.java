// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.fixture.Certificates;
import io.redliner.fixture.Fixture;
import io.redliner.fixture.Proxy;
import io.redliner.redirector.share.Cohort;
import io.redliner.redirector.share.Cohort.PathMatch;
import io.redliner.redirector.share.Redirect;
import io.redliner.redirector.share.Redirect.Mode;
import io.redliner.redirector.share.ShareStatus;
import io.redliner.redirector.share.ShareStatus.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What instances speak: gRPC, HTTP over TLS; and what becomes of a resource that a proxy cannot take. */
@Timeout(600)
class UpstreamsTest {

    @TempDir
    private Path folder;

    private final int port = FreePort.next();

    private RunningRedirector redirector(String protocol, List<String> instances) {
        Path file = ServicesText.write(folder, "listen: \"127.0.0.1:" + port + "\"", protocol, instances);
        RunningRedirector redirector = RunningRedirector.start(file, 0, "redliner.redirector.xds.refusal-pause=1s");
        redirector.begin();
        return redirector;
    }

    private Proxy proxy(RunningRedirector redirector, String apiType) {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.everything("node-1", redirector.xdsPort(), FreePort.next(),
                FreePort.next());
        Proxy proxy = Fixture
                .proxy(bootstrap.withYaml(bootstrap.yaml().replace("api_type: GRPC", "api_type: " + apiType)), folder);
        proxy.awaitLive(Duration.ofSeconds(20));
        return proxy;
    }

    private static void awaitState(RunningRedirector redirector, State state) {
        await().until(() -> redirector.last("demo").filter(status -> status.state() == state
                && !status.proxies().isEmpty()).isPresent());
    }

    @Test
    void grpc_calls_are_moved_and_told_apart_by_method() {
        Redirect redirect = new Redirect(Mode.SPLIT, Optional.empty(), 0, List.of(new Cohort("am", List.of(),
                Optional.of(new PathMatch.Grpc("trial.Who/Am")), Set.of())));
        try (GrpcFleet fleet = new GrpcFleet(3);
                RunningRedirector redirector = redirector("protocol: grpc", fleet.addresses());
                Proxy proxy = proxy(redirector, "GRPC");
                Tenant tenant = new Tenant(redirector, fleet.addresses().getLast(), 1, redirect)) {
            awaitState(redirector, State.NATURAL);
            assertThat(GrpcFleet.call(port, GrpcFleet.AM, 60)).containsAll(fleet.addresses());

            // when
            tenant.hold(1_000_000);
            awaitState(redirector, State.APPLIED);

            // then
            String sut = fleet.addresses().getLast();
            assertThat(GrpcFleet.call(port, GrpcFleet.AM, 30)).containsOnly(sut);
            assertThat(GrpcFleet.call(port, GrpcFleet.ELSE, 30)).doesNotContain(sut);
            assertThat(proxy.isAlive()).isTrue();
        }
    }

    @Test
    void instances_behind_tls_are_reached_only_with_the_right_certificate()
            throws IOException, GeneralSecurityException {
        Certificates trusted = new Certificates(folder, "trusted");
        Certificates other = new Certificates(folder, "other");
        trusted.certificate("demo.test");
        other.certificate("demo.test");
        List<HttpsServer> fleet = List.of(https(trusted, "demo.test"), https(trusted, "demo.test"),
                https(trusted, "demo.test"));
        HttpsServer impostor = https(other, "demo.test");
        List<String> honest = fleet.stream().map(UpstreamsTest::address).toList();
        List<String> all = new ArrayList<>(honest);
        all.add(address(impostor));
        try (RunningRedirector redirector = redirector(
                "tls: {sni: demo.test, trusted: \"" + trusted.authority() + "\"}", all);
                Proxy proxy = proxy(redirector, "DELTA_GRPC");
                Tenant tenant = new Tenant(redirector, address(impostor), 1);
                Traffic traffic = new Traffic(port)) {
            awaitState(redirector, State.NATURAL);
            assertThat(proxy.isAlive()).isTrue();

            // when nothing goes to the one that cannot be trusted, then
            tenant.hold(0);
            awaitState(redirector, State.APPLIED);
            assertThat(traffic.send(90)).containsOnlyKeys(honest);

            // when it should get everything, then it gets nothing
            tenant.hold(1_000_000);
            await().until(() -> redirector.last("demo").orElseThrow().share().ppm() == 1_000_000);
            assertThat(traffic.status()).isEqualTo(503);
        } finally {
            fleet.forEach(server -> server.stop(0));
            impostor.stop(0);
        }
    }

    private static String address(HttpsServer server) {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private static HttpsServer https(Certificates certificates, String name)
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
    @ValueSource(strings = {"GRPC", "DELTA_GRPC"})
    void a_resource_that_a_proxy_cannot_take_fails_the_lease_with_its_words_and_ends_in_no_hot_loop(String apiType) {
        try (Fleet fleet = new Fleet(3);
                RunningRedirector redirector = redirector("tls: {sni: demo.test, trusted: /nowhere/ca.pem}",
                        fleet.addresses());
                Proxy proxy = proxy(redirector, apiType);
                Tenant tenant = new Tenant(redirector, fleet.addresses().getLast(), 1)) {
            // when
            tenant.hold(500_000);
            await().until(() -> redirector.last("demo").filter(status -> status.state() == State.FAILED).isPresent());

            // then
            ShareStatus failed = redirector.last("demo").orElseThrow();
            assertThat(failed.reason()).contains("proxy node-1").contains("/nowhere/ca.pem");
            assertThat(redirector.statuses()).extracting(ShareStatus::state).doesNotContain(State.APPLIED);
            AdminClient admin = new AdminClient(proxy.adminPort());
            int before = rejected(admin);
            int reports = redirector.statuses().size();
            await().until(() -> redirector.statuses().size() >= reports + 3);
            assertThat(rejected(admin)).isBetween(before, before + 6).isLessThan(20);
        }
    }

    private static int rejected(AdminClient admin) {
        Matcher matcher = Pattern.compile("cluster_manager.cds.update_rejected: ([0-9]+)")
                .matcher(admin.get("/stats?filter=cds.update_rejected"));
        assertThat(matcher.find()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
