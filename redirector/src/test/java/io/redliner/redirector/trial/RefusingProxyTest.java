// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.lease.ServiceLeaseStatus;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.trial.Scene.Xds;
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
        Setting setting = Setting.of(Level.EVERYTHING, Xds.WHOLE_STATE).size(2).port(taken.getLocalPort())
                .withOwnProxy();
        try (Scene scene = Scene.startUnproven(setting)) {
            // when
            try (Tenant tenant = scene.tenant(1)) {
                tenant.hold(900_000);

                // then
                scene.await(status -> status.epoch() == 1 && status.state() == State.FAILED);
            }
            ServiceLeaseStatus failed = scene.last();
            assertThat(failed.reason()).contains("proxy " + scene.name).contains("ROUTE " + scene.name)
                    .contains("Address already in use");
            assertThat(failed.proxies()).singleElement()
                    .satisfies(known -> assertThat(known.error()).contains("Address already in use"));
            assertThat(scene.statuses()).extracting(ServiceLeaseStatus::state).doesNotContain(State.APPLIED);
            assertThat(rejectedUpdates(scene)).isBetween(1, 20);

            // when the port is free again, then
            taken.close();
            await().ignoreExceptions().until(() -> scene.traffic.once() != null);
            try (Tenant tenant = scene.applied(2, 1_000_000, Redirect.SPLIT)) {
                assertThat(scene.traffic.shareOf(scene.sut, 50)).isEqualTo(1);
                assertThat(scene.last().proxies().getFirst().error()).isEmpty();
                tenant.release();
            }
        } finally {
            taken.close();
        }
    }

    private static int rejectedUpdates(Scene scene) {
        String stats = scene.admin().get("/stats?filter=listener_manager.lds.update_rejected");
        return Integer.parseInt(stats.strip().replaceFirst(".*: ", ""));
    }
}
