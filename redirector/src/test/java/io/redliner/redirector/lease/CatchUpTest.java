// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.Epochs;
import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatchUpTest extends LeaseReconcilerFixture {

    /** A redirector that began without the leases of former times reads two minutes of a live run's renewals. */
    @Test
    void says_nothing_of_a_live_run_before_it_has_caught_up() {
        clock.pass(Duration.ofMinutes(2));
        redirector.startUninformed();
        connect();
        for (int second = 0; second < 120; second++) {
            receive(lease(7, second + 1, 600_000, START.plusSeconds(second)));
        }
        // What was read last ran out meanwhile, and the renewal is yet to be read.
        pass(Duration.ofSeconds(4));
        assertThat(journal.statuses).isEmpty();

        redirector.start();
        redirector.reconcile();
        assertThat(journal.statuses).isNotEmpty().allMatch(status -> status.state() == ReportedLeaseState.PENDING);
        receive(lease(7, 121, 600_000, START.plusSeconds(124)));
        acknowledge();

        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
        assertThat(journal.statuses).noneMatch(
                status -> List.of(ReportedLeaseState.REJECTED, ReportedLeaseState.EXPIRED, ReportedLeaseState.FAILED)
                        .contains(status.state()));
    }

    /** As after a restart, when proxies come back one after the other. */
    @Test
    void a_lease_that_no_proxy_got_has_not_ended_when_it_lapses() {
        start();
        receive(lease(7, 1, 600_000, START));
        pass(Duration.ofSeconds(4));
        connect();
        pass(Duration.ofMillis(700));
        assertThat(dataPlane.last().lease()).isEmpty();

        receive(lease(7, 2, 600_000, clock.instant()));
        acknowledge();

        assertThat(journal.rejections).isEmpty();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.APPLIED);
    }

    @Test
    void an_epoch_that_no_controller_makes_is_refused_and_forgotten() {
        apply(7);

        receive(lease(Long.MAX_VALUE, 1, 900_000, START));
        receive(lease(-1, 1, 900_000, START));

        assertThat(journal.rejections).containsExactly(LeaseRejectionReason.EPOCH_JUMP,
                LeaseRejectionReason.EPOCH_JUMP);
        assertThat(journal.statuses.getLast().reason())

                .startsWith(Epochs.JUMP).contains("epoch 18446744073709551615 is more than 1000000 above");
        assertThat(dataPlane.last().lease().orElseThrow().share()).isEqualTo(new Share(600_000));
        receive(released(lease(7, 2, 0, START)));
        receive(lease(8, 1, 300_000, START));
        assertThat(dataPlane.last().lease().orElseThrow().share()).isEqualTo(new Share(300_000));
    }

    @Test
    void an_epoch_that_no_controller_makes_is_refused_when_it_is_the_first_that_is_read() {
        redirector.receive(lease(Long.MAX_VALUE, 1, 900_000, START), START);
        start();
        connect();
        acknowledge();
        receive(lease(1, 1, 300_000, START));

        assertThat(dataPlane.last().lease().orElseThrow().share()).isEqualTo(new Share(300_000));
    }
}
