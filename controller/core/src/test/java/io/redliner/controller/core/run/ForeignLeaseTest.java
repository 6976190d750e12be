// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.contract.lease.ReportedLeaseState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A redirector may follow or refuse what this controller did not send. */
class ForeignLeaseTest {

    private final RunScenario run = new RunScenario();

    @BeforeEach
    void ramp() {
        run.ramping(400);
    }

    private void reported(ReportedLeaseState state, long sequence, String reason) {
        run.decide(new RunEvent.LeaseStatusArrived(new RedirectorReport("r1", "run", run.state().facts().epoch(),
                sequence, state, reason,
                List.of(new RedirectorReport.ProxyReport("node-1", true, "1", "1", "")))));
    }

    @Test
    void a_redirector_that_follows_a_lease_which_the_run_never_sent_fences_it() {
        long sent = run.lease().sequence();

        reported(ReportedLeaseState.APPLIED, sent + 1, "");

        assertThat(run.ending().reason().code()).isEqualTo(StopCode.FENCED);
        assertThat(run.ending().reason().detail()).contains("r1", "lease " + (sent + 1), "newest is lease " + sent);
        assertThat(run.lease().released()).isTrue();
    }

    @Test
    void what_a_redirector_refused_it_does_not_follow_and_a_release_may_be_sent_before_it_is_decided() {
        long sent = run.lease().sequence();

        reported(ReportedLeaseState.REJECTED, sent + 1, "SEQUENCE_JUMP");
        reported(ReportedLeaseState.REJECTED, -1, "SEQUENCE_JUMP");
        reported(ReportedLeaseState.NATURAL, sent + 1, "");

        assertThat(run.state()).isInstanceOf(RunState.Searching.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"REJECTED", "FAILED"})
    void the_kill_switch_ends_a_run_by_its_name_also_when_a_redirector_is_the_first_to_say_so(
            ReportedLeaseState state) {
        reported(state, run.lease().sequence(), KillSwitch.ENGAGED_BY + "ops: incident 4711");

        assertThat(run.ending().outcome()).isEqualTo(RunOutcome.ABORTED);
        assertThat(run.ending().reason().code()).isEqualTo(StopCode.KILL_SWITCH);
        assertThat(run.ending().reason().detail()).contains("ops", "incident 4711");
    }
}
