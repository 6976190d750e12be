// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import io.redliner.fixture.Fixture;
import io.redliner.fixture.Proxy;
import io.redliner.redirector.share.ShareStatus;
import io.redliner.redirector.share.ShareStatus.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Envoy that cannot do what it is told: the service's port is taken. */
@Timeout(600)
class RefusingProxyTest {

    @TempDir
    private Path folder;

    @Test
    void a_refusal_is_quoted_fails_the_lease_is_not_repeated_in_haste_and_heals() throws IOException {
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (Fleet fleet = new Fleet(2);
                RunningRedirector redirector = RunningRedirector.start(servicesFile(fleet, taken.getLocalPort()), 0,
                        "redliner.redirector.xds.refusal-pause=1s");
                Proxy proxy = Fixture.proxy(
                        EnvoyBootstrap.everything("node-1", redirector.xdsPort(), FreePort.next(), FreePort.next()),
                        folder);
                Traffic traffic = new Traffic(taken.getLocalPort())) {
            // given
            redirector.begin();
            proxy.awaitLive(Duration.ofSeconds(20));
            String sut = fleet.addresses().getLast();

            // when
            try (Tenant tenant = new Tenant(redirector, sut, 1)) {
                tenant.hold(900_000);

                // then
                await().until(() -> redirector.last("demo").filter(status -> status.epoch() == 1
                        && status.state() == State.FAILED).isPresent());
            }
            ShareStatus failed = redirector.last("demo").orElseThrow();
            assertThat(failed.reason()).contains("proxy node-1").contains("ROUTE demo")
                    .contains("Address already in use");
            assertThat(failed.proxies()).singleElement()
                    .satisfies(known -> assertThat(known.error()).contains("Address already in use"));
            assertThat(redirector.statuses()).extracting(ShareStatus::state).doesNotContain(State.APPLIED);
            assertThat(rejectedUpdates(proxy)).isBetween(1, 20);

            // when the port is free again, then
            taken.close();
            await().ignoreExceptions().until(() -> traffic.once() != null);
            try (Tenant tenant = new Tenant(redirector, sut, 2)) {
                tenant.hold(1_000_000);
                await().until(() -> redirector.last("demo").orElseThrow().state() == State.APPLIED);
                assertThat(traffic.shareOf(sut, 50)).isEqualTo(1);
                assertThat(redirector.last("demo").orElseThrow().proxies().getFirst().error()).isEmpty();
            }
        }
    }

    private static int rejectedUpdates(Proxy proxy) {
        String stats = new AdminClient(proxy.adminPort()).get("/stats?filter=listener_manager.lds.update_rejected");
        return Integer.parseInt(stats.strip().replaceFirst(".*: ", ""));
    }

    private Path servicesFile(Fleet fleet, int port) {
        return ServicesText.listening(folder, port, fleet.addresses());
    }
}
