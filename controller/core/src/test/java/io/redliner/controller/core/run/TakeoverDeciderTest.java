// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeoverDeciderTest {

    private static final RunEvent TAKEN = new RunEvent.TakenOver(9, List.of("r1"), null);

    private final RunScenario scenario = new RunScenario();

    @Test
    void while_the_lease_is_in_force_the_run_goes_on_at_its_share_under_a_higher_epoch() {
        scenario.ramping(400);
        long sequence = scenario.lease().sequence();
        scenario.after(Duration.ofSeconds(3));

        scenario.decide(TAKEN);

        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share().ppm()).isEqualTo(400_000);
        assertThat(scenario.lease().epoch()).isEqualTo(9);
        assertThat(scenario.lease().sequence()).isEqualTo(sequence + 1);
        assertThat(scenario.commands()).containsExactly(new RunCommand.SendLease(scenario.lease()),
                new RunCommand.PublishRun(RunPhase.RAMPING));
    }

    @Test
    void a_run_without_an_answer_for_too_long_goes_on_at_its_natural_share() {
        scenario.ramping(400);
        scenario.after(Duration.ofSeconds(4));

        scenario.decide(TAKEN);

        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void after_the_lease_ran_out_traffic_is_natural_by_itself_and_the_run_only_ends() {
        scenario.ramping(400);
        scenario.after(Duration.ofSeconds(5));

        scenario.decide(TAKEN);

        assertThat(scenario.ending().outcome()).isEqualTo(RunOutcome.ABORTED);
        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.CONTROLLER_LOST);
        assertThat(scenario.lease().epoch()).isEqualTo(9);
        assertThat(scenario.lease().released()).isTrue();
    }

    @Test
    void it_finds_its_capacity_although_its_controller_died_in_the_middle() {
        scenario.ramping(400);
        scenario.after(Duration.ofSeconds(2));
        scenario.decide(TAKEN);

        scenario.healthy(450);
        scenario.healthy(450);
        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.DONE, 450);

        assertThat(scenario.ending().outcome()).isEqualTo(RunOutcome.CAPACITY_FOUND);
    }

    @Test
    void verdicts_that_only_the_new_controller_received_are_no_silence() {
        scenario.ramping(400);
        scenario.after(Duration.ofSeconds(4));
        scenario.decide(new RunEvent.TakenOver(9, List.of("r1"), scenario.now().minusMillis(300)));

        scenario.after(Duration.ofSeconds(3));
        scenario.status(ReportedLeaseState.APPLIED);
        scenario.decide(new RunEvent.Tick());

        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share().ppm()).isEqualTo(400_000);
    }

    @Test
    void a_silence_that_the_new_controller_observed_too_goes_on() {
        scenario.ramping(400);
        scenario.after(Duration.ofSeconds(4));
        scenario.decide(TAKEN);

        scenario.after(Duration.ofSeconds(1));
        scenario.status(ReportedLeaseState.APPLIED);
        scenario.decide(new RunEvent.Tick());

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void verdicts_under_the_old_epoch_are_not_followed_any_more() {
        scenario.ramping(400);
        scenario.decide(TAKEN);
        WindowVerdict old = scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.GO, 500);

        scenario.decide(new RunEvent.VerdictArrived(RunScenario.ofEpoch(old, 7)));

        assertThat(scenario.share().ppm()).isEqualTo(400_000);
    }

    @Test
    void windows_that_nobody_saw_in_between_count_as_harmed() {
        scenario.ramping(400);
        scenario.after(Duration.ofSeconds(1));
        scenario.skipVerdicts(2);
        scenario.decide(TAKEN);

        scenario.healthy(400);

        assertThat(scenario.course().harm().requests()).isEqualTo(2 * 400.0);
    }

    @Test
    void a_redirector_that_does_not_follow_the_new_epoch_ends_the_run() {
        scenario.ramping(400);
        scenario.decide(TAKEN);

        scenario.silentRedirectorsFor(6);

        assertThat(scenario.ending().reason().code()).isIn(StopCode.LEASE_NOT_ACKNOWLEDGED, StopCode.REDIRECTOR_SILENT);
    }

    @Test
    void a_run_that_is_prepared_goes_on_being_prepared() {
        scenario.decide(new RunEvent.Submitted(List.of("r1")));
        scenario.after(Duration.ofSeconds(1));

        scenario.decide(TAKEN);
        assertThat(scenario.phase()).isEqualTo(RunPhase.PREPARING);
        scenario.healthy(250);

        assertThat(scenario.phase()).isEqualTo(RunPhase.BASELINE);
    }

    @Test
    void a_run_on_its_way_back_stays_on_it_and_keeps_its_end() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.AbortRequested("stop"));

        scenario.decide(TAKEN);

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.ABORT_REQUESTED);
        assertThat(scenario.lease().epoch()).isEqualTo(9);
        assertThat(scenario.lease().released()).isTrue();
    }

    @Test
    void a_paused_run_stays_paused() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("wait"));

        scenario.decide(TAKEN);

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }
}
