// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.EnvoyBootstrap.Level;
import io.redliner.redirector.endtoend.ProxiedService.Xds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One proxy of two does not answer. */
@Timeout(600)
class SlowProxyTest {

    @Test
    void a_lease_ends_by_a_proxy_that_does_not_answer_only_when_traffic_comes_through_it() {
        ProxiedServiceSettings reporting = ProxiedServiceSettings.of(Level.EVERYTHING, Xds.WHOLE_STATE)
                .changing(EnvoyBootstrap::reportingEjections);
        try (ProxiedService proxied = ProxiedService.start(reporting);
                SlowProxy slow = new SlowProxy(proxied.redirector.xdsPort(), proxied.name, proxied.name);
                LeaseHolder holder = proxied.holder(1)) {
            // given
            proxied.await(status -> status.state() == ReportedLeaseState.NATURAL && status.proxies().size() == 2);
            slow.answerNoMore();

            // when all traffic comes through the other one
            holder.hold(600_000);

            // then
            await().untilAsserted(() -> {
                proxied.traffic.send(20);
                slow.report(0);
                assertThat(proxied.last().state()).isEqualTo(ReportedLeaseState.APPLIED);
            });
            assertThat(proxied.last().reason()).contains("not acknowledged yet by slow");
            assertThat(proxied.last().proxies()).filteredOn(proxy -> proxy.node().equals(SlowProxy.NAME))
                    .singleElement()
                    .satisfies(proxy -> assertThat(proxy.acknowledged()).isNotEqualTo(proxy.wanted()));

            // when
            slow.report(1_000_000);

            // then
            proxied.await(ReportedLeaseState.FAILED);
            assertThat(proxied.last().reason()).contains("proxy slow did not acknowledge");
        }
    }
}
