// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import io.redliner.redirector.trial.Scene.Xds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One proxy of two does not answer. */
@Timeout(600)
class SlowProxyTest {

    @Test
    void a_lease_ends_by_a_proxy_that_does_not_answer_only_when_traffic_comes_through_it() {
        Setting reporting = Setting.of(Level.EVERYTHING, Xds.WHOLE_STATE).changing(EnvoyBootstrap::reportingEjections);
        try (Scene scene = Scene.start(reporting);
                SlowProxy slow = new SlowProxy(scene.redirector.xdsPort(), scene.name, scene.name);
                Tenant tenant = scene.tenant(1)) {
            // given
            scene.await(status -> status.state() == State.NATURAL && status.proxies().size() == 2);
            slow.answerNoMore();

            // when all traffic comes through the other one
            tenant.hold(600_000);

            // then
            await().untilAsserted(() -> {
                scene.traffic.send(20);
                slow.report(0);
                assertThat(scene.last().state()).isEqualTo(State.APPLIED);
            });
            assertThat(scene.last().reason()).contains("not acknowledged yet by slow");
            assertThat(scene.last().proxies()).filteredOn(proxy -> proxy.node().equals(SlowProxy.NAME)).singleElement()
                    .satisfies(proxy -> assertThat(proxy.acknowledged()).isNotEqualTo(proxy.wanted()));

            // when
            slow.report(1_000_000);

            // then
            scene.await(State.FAILED);
            assertThat(scene.last().reason()).contains("proxy slow did not acknowledge");
        }
    }
}
