// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.redirector.envoy.XdsServer.InvalidXdsTlsException;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.testkit.TestCertificateAuthority;
import io.redliner.testkit.TestKit;
import io.redliner.testkit.TestProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets something from a redirector that asks for certificates. */
@Timeout(600)
class MutualTlsTest {

    @TempDir
    private static Path folder;

    private static final int PORT = FreePort.next();

    private static Fleet fleet;

    private static Path services;

    /** It signed the certificates of the redirector and of the proxies that are known. */
    private static TestCertificateAuthority trusted;

    /** A stranger's. */
    private static TestCertificateAuthority other;

    private static RunningRedirector redirector;

    @BeforeAll
    static void start() {
        fleet = new Fleet(3);
        services = ServicesText.listening(folder, "demo", PORT, fleet.addresses());
        trusted = new TestCertificateAuthority(folder, "trusted");
        other = new TestCertificateAuthority(folder, "other");
        redirector = RunningRedirector.start(services, 0,
                "redliner.redirector.xds.tls.certificate=" + trusted.certificate("redirector"),
                "redliner.redirector.xds.tls.key=" + trusted.key("redirector"),
                "redliner.redirector.xds.tls.trusted=" + trusted.authority(),
                "redliner.redirector.xds.tls.identities=known,distrustful");
        redirector.begin();
    }

    @AfterAll
    static void end() {
        redirector.close();
        fleet.close();
    }

    /** The bootstrap that owners get, with what is said there for TLS. */
    private static TestProxy proxy(String node, TestCertificateAuthority own, TestCertificateAuthority redirectors) {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.everything(node, redirector.xdsPort(), FreePort.next(),
                FreePort.next());
        String yaml = bootstrap.yaml().lines()
                .map(line -> line.startsWith("      # ") && !line.contains("When the redirector")
                        ? "      " + line.substring(8)
                        : line)
                .collect(Collectors.joining("\n"))
                .replace("/etc/redliner/proxy.pem", own.certificate(node).toString())
                .replace("/etc/redliner/proxy.key", own.key(node).toString())
                .replace("/etc/redliner/ca.pem", redirectors.authority().toString());
        assertThat(yaml).contains("\n      transport_socket:");
        return TestKit.proxy(bootstrap.withYaml(yaml), folder);
    }

    /** Waits until a proxy that may just be starting counts something at its redirectors. */
    private static void awaitSome(TestProxy proxy, String statistic) {
        await().ignoreExceptions()
                .until(() -> new AdminClient(proxy.adminPort()).get("/stats?filter=redliner_xds." + statistic)
                        .matches("(?s).*" + statistic + "[a-z_]*: [1-9].*"));
    }

    @Test
    void a_proxy_without_a_valid_certificate_gets_nothing() {
        try (TestProxy stranger = proxy("stranger", other, trusted);
                TestProxy unlisted = proxy("unlisted", trusted, trusted);
                TestProxy inTheClear = TestKit.proxy(EnvoyBootstrap
                        .everything("clear", redirector.xdsPort(), FreePort.next(), FreePort.next()), folder)) {
            // when
            try (TestProxy known = proxy("known", trusted, trusted);
                    LeaseHolder holder = new LeaseHolder(redirector, "demo", fleet.addresses().getLast(), 1,
                            Redirect.SPLIT);
                    Traffic traffic = new Traffic(PORT)) {
                known.awaitLive(Duration.ofMinutes(1));
                holder.hold(600_000);
                await().until(() -> redirector.last("demo")
                        .filter(status -> status.state() == ReportedLeaseState.APPLIED).isPresent());

                // then
                assertThat(traffic.shareOf(fleet.addresses().getLast(), 500))
                        .isCloseTo(0.6, within(Traffic.bound(0.6, 500)));
                assertThat(redirector.statuses("demo")).flatExtracting(ServiceLeaseStatus::proxies)
                        .extracting(ServiceLeaseStatus.ProxyState::node).containsOnly("known");
                for (TestProxy refused : new TestProxy[]{stranger, unlisted, inTheClear}) {
                    awaitSome(refused, "upstream_cx_total");
                    assertThat(new AdminClient(refused.adminPort()).get("/config_dump")).doesNotContain("peers-of");
                }
            }
        }
    }

    @Test
    void a_proxy_does_not_take_shares_from_a_stranger() {
        try (TestProxy proxy = proxy("distrustful", trusted, other)) {
            awaitSome(proxy, "ssl.fail_verify");
            assertThat(redirector.statuses("demo")).flatExtracting(ServiceLeaseStatus::proxies)
                    .extracting(ServiceLeaseStatus.ProxyState::node).doesNotContain("distrustful");
            assertThat(new AdminClient(proxy.adminPort()).get("/config_dump")).doesNotContain("peers-of");
        }
    }

    @Test
    void unusable_files_stop_the_start_with_a_clear_message() {
        assertThatThrownBy(() -> RunningRedirector.start(services, 0,
                "redliner.redirector.xds.tls.certificate=/nowhere/a.pem",
                "redliner.redirector.xds.tls.key=/nowhere/a.key",
                "redliner.redirector.xds.tls.trusted=/nowhere/ca.pem"))
                .hasStackTraceContaining(InvalidXdsTlsException.class.getName())
                .hasStackTraceContaining("certificate /nowhere/a.pem");
        assertThatThrownBy(() -> RunningRedirector.start(services, 0,
                "redliner.redirector.xds.tls.certificate=/nowhere/a.pem"))
                .hasStackTraceContaining("needs certificate, key and trusted, or none of them");
    }
}
