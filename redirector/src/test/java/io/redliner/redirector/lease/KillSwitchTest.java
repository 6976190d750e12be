// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.lease.ServiceLeaseStatus.State;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The redirector obeys the kill switch by itself: the controller that wrote the lease may not obey it, or may be gone. */
class KillSwitchTest extends LeaseReconcilerFixture {

    private void turn(boolean engaged, Instant at) {
        redirector.turned(new KillSwitch(engaged, "ops", "incident 4711", at));
        redirector.reconcile();
    }

    @Test
    void ends_every_lease_and_obeys_none() {
        apply(7);

        turn(true, START);

        assertThat(dataPlane.last().override()).isEmpty();
        assertThat(journal.state()).isEqualTo(State.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("ops").contains("incident 4711");
        receive(lease(7, 2, 900_000, START));
        receive(lease(8, 1, 900_000, START));
        assertThat(journal.rejections).containsExactly(LeaseRejectionReason.EPOCH_ENDED,
                LeaseRejectionReason.KILL_SWITCH);
        assertThat(dataPlane.last().override()).isEmpty();
        receive(released(lease(8, 2, 0, START)));
        assertThat(journal.rejections).hasSize(2);
    }

    @Test
    void is_in_force_when_it_was_read_among_the_leases_of_former_times() {
        turn(true, START);
        redirector.receive(lease(7, 1, 900_000, START), START);
        start();
        connect();
        acknowledge();

        assertThat(dataPlane.last().override()).isEmpty();
    }

    @Test
    void leases_are_obeyed_again_when_it_is_released() {
        apply(7);
        turn(true, START);
        turn(false, START.plusSeconds(60));
        // The older record of another controller arrives later.
        turn(true, START.plusSeconds(59));

        receive(lease(8, 1, 600_000, START));

        assertThat(dataPlane.last().override()).isPresent();
    }
}
