// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Redirect;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real Envoy that cannot open its listener: the service's port is taken. */
@Timeout(600)
class RefusingProxyTest {

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
                proxied.await(status -> status.epoch() == 1 && status.state() == State.FAILED);
            }
            ServiceLeaseStatus failed = proxied.last();
            assertThat(failed.reason()).contains("proxy " + proxied.name).contains("ROUTE " + proxied.name)
                    .contains("Address already in use");
            assertThat(failed.proxies()).singleElement()
                    .satisfies(known -> assertThat(known.error()).contains("Address already in use"));
            assertThat(proxied.statuses()).extracting(ServiceLeaseStatus::state).doesNotContain(State.APPLIED);
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

    private static int rejectedUpdates(ProxiedService proxied) {
        String stats = proxied.admin().get("/stats?filter=listener_manager.lds.update_rejected");
        return Integer.parseInt(stats.strip().replaceFirst(".*: ", ""));
    }
}
