// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static io.redliner.redirector.lease.Examples.START;
import static io.redliner.redirector.lease.Examples.lease;
import static io.redliner.redirector.lease.Examples.released;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The redirector obeys the kill switch by itself: the controller that wrote the lease may not obey it, or may be gone. */
class KillSwitchTest extends LeaseReconcilerFixture {

    private void turn(boolean engaged, Instant at) {
        redirector.killSwitchChanged(new KillSwitch(engaged, "ops", "incident 4711", at), clock.instant());
        redirector.reconcile();
    }

    @Test
    void ends_every_lease_and_obeys_none() {
        apply(7);

        turn(true, START);

        assertThat(dataPlane.last().lease()).isEmpty();
        assertThat(journal.state()).isEqualTo(ReportedLeaseState.FAILED);
        assertThat(journal.statuses.getLast().reason()).contains("ops").contains("incident 4711");
        receive(lease(7, 2, 900_000, START));
        receive(lease(8, 1, 900_000, START));
        assertThat(journal.rejections).containsExactly(LeaseRejectionReason.EPOCH_ENDED,
                LeaseRejectionReason.KILL_SWITCH);
        assertThat(dataPlane.last().lease()).isEmpty();
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

        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void leases_are_obeyed_again_a_while_after_it_is_released() {
        apply(7);
        turn(true, START);
        turn(false, START.plusSeconds(60));

        receive(lease(8, 1, 600_000, clock.instant()));
        assertThat(dataPlane.last().lease()).isEmpty();
        assertThat(journal.statuses.getLast().killSwitch().engaged()).isTrue();
        // A repetition of the release does not put it off.
        pass(Duration.ofSeconds(1));
        turn(false, START.plusSeconds(60));
        assertThat(redirector.nextChange()).contains(clock.instant().plusSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(journal.statuses.getLast().killSwitch().engaged()).isFalse();
        receive(lease(9, 1, 600_000, clock.instant()));

        assertThat(dataPlane.last().lease()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
    void a_release_that_no_controller_wrote_is_overruled_by_the_controllers_repetition(Instant forged) {
        apply(7);
        turn(true, START);

        // The forger writes ten times as often as the controller.
        for (int i = 0; i < 100; i++) {
            turn(false, forged);
            receive(lease(8 + i, 1, 900_000, clock.instant()));
            assertThat(dataPlane.last().lease()).as("after %d records", i).isEmpty();
            if (i % 10 == 9) {
                turn(true, START);
            }
            pass(Duration.ofMillis(50));
        }

        assertThat(journal.statuses.getLast().killSwitch())
                .isEqualTo(new KillSwitch(true, "ops", "incident 4711", START));
    }

    @Test
    void is_obeyed_whatever_the_clock_of_the_controller_that_engaged_it() {
        apply(7);
        turn(true, START.plusSeconds(3600));
        turn(false, START.plusSeconds(3600));
        pass(Duration.ofSeconds(3));
        turn(true, START.minusSeconds(3600));

        receive(lease(8, 1, 600_000, clock.instant()));

        assertThat(dataPlane.last().lease()).isEmpty();
    }

    @Test
    void a_release_among_the_leases_of_former_times_holds_up_no_run() {
        turn(true, START);
        turn(false, START);
        apply(7);

        assertThat(dataPlane.last().lease()).isPresent();
    }
}
