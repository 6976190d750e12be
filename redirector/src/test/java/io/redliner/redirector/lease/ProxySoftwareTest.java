// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.redirector.dataplane.ProxyEventHandler.ProxySoftware;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProxySoftwareTest extends LeaseReconcilerFixture {

    private static final Redirect HASH = new Redirect(RedirectMode.HASH,
            new RoutingAttribute(RoutingAttribute.Source.HEADER, "uid"), null,
            List.of());

    private static final ProxySoftware WITHOUT_HASH = new ProxySoftware("Envoy 1.35", Set.of(RedirectMode.SPLIT));

    private void hold(Redirect redirect) {
        start();
        connect();
        acknowledge();
        Lease split = Examples.lease(7, 1, 600_000, START);
        receive(new Lease(split.service(), split.runId(), split.epoch(), split.sequence(),
                new RequestedTraffic(split.sut(), split.traffic().sharePpm(), split.traffic().maxSharePpm(), redirect),
                split.validity(), false));
        acknowledge();
    }

    @Test
    void a_mode_that_a_proxy_does_not_know_is_refused() {
        software = WITHOUT_HASH;

        hold(HASH);

        assertThat(journal.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason())
                .contains("proxy p is Envoy 1.35, which does not know redirect mode hash")
                .contains("upgrade it, or choose another mode");
        assertThat(journal.statuses).extracting(ServiceLeaseStatus::state).doesNotContain(ReportedLeaseState.APPLIED);
        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void what_a_proxy_knows_is_taken() {
        hold(HASH);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }

    @Test
    void what_a_proxy_knows_beside_is_taken() {
        software = WITHOUT_HASH;
        hold(Redirect.SPLIT);
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }
}
