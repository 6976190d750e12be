// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeoverDeciderTest {

    private static final RunEvent TAKEN = new RunEvent.TakenOver(9, List.of("r1"), null);

    private final Story story = new Story();

    @Test
    void while_the_lease_is_in_force_the_run_goes_on_at_its_share_under_a_higher_epoch() {
        story.ramping(400);
        long sequence = story.lease().sequence();
        story.after(Duration.ofSeconds(3));

        story.decide(TAKEN);

        assertThat(story.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(story.share().value()).isEqualTo(400_000);
        assertThat(story.lease().epoch()).isEqualTo(9);
        assertThat(story.lease().sequence()).isEqualTo(sequence + 1);
        assertThat(story.commands()).containsExactly(new RunCommand.SendLease(story.lease()),
                new RunCommand.PublishRun(RunPhase.RAMPING));
    }

    @Test
    void a_run_without_an_answer_for_too_long_goes_on_at_its_natural_share() {
        story.ramping(400);
        story.after(Duration.ofSeconds(4));

        story.decide(TAKEN);

        assertThat(story.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(story.share()).isEqualTo(Story.NATURAL);
    }

    @Test
    void after_the_lease_ran_out_traffic_is_natural_by_itself_and_the_run_only_ends() {
        story.ramping(400);
        story.after(Duration.ofSeconds(5));

        story.decide(TAKEN);

        assertThat(story.ending().outcome()).isEqualTo(RunOutcome.ABORTED);
        assertThat(story.ending().reason().code()).isEqualTo(StopCode.CONTROLLER_LOST);
        assertThat(story.lease().epoch()).isEqualTo(9);
        assertThat(story.lease().released()).isTrue();
    }

    @Test
    void it_finds_its_capacity_although_its_controller_died_in_the_middle() {
        story.ramping(400);
        story.after(Duration.ofSeconds(2));
        story.decide(TAKEN);

        story.healthy(450);
        story.healthy(450);
        story.judged(Judgement.HOLDS, SearchAdvice.Action.DONE, 450);

        assertThat(story.ending().outcome()).isEqualTo(RunOutcome.CAPACITY_FOUND);
    }

    @Test
    void verdicts_that_only_the_new_controller_heard_are_no_silence() {
        story.ramping(400);
        story.after(Duration.ofSeconds(4));
        story.decide(new RunEvent.TakenOver(9, List.of("r1"), story.now().minusMillis(300)));

        story.after(Duration.ofSeconds(3));
        story.status(ReportedLeaseState.APPLIED);
        story.decide(new RunEvent.Tick());

        assertThat(story.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(story.share().value()).isEqualTo(400_000);
    }

    @Test
    void a_silence_that_the_new_controller_heard_too_goes_on() {
        story.ramping(400);
        story.after(Duration.ofSeconds(4));
        story.decide(TAKEN);

        story.after(Duration.ofSeconds(1));
        story.status(ReportedLeaseState.APPLIED);
        story.decide(new RunEvent.Tick());

        assertThat(story.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void verdicts_under_the_old_epoch_are_not_followed_any_more() {
        story.ramping(400);
        story.decide(TAKEN);
        WindowVerdict old = story.verdict(Judgement.HOLDS, SearchAdvice.Action.GO, 500);

        story.decide(new RunEvent.VerdictArrived(Story.ofEpoch(old, 7)));

        assertThat(story.share().value()).isEqualTo(400_000);
    }

    @Test
    void windows_that_nobody_saw_in_between_count_as_harmed() {
        story.ramping(400);
        story.after(Duration.ofSeconds(1));
        story.skipVerdicts(2);
        story.decide(TAKEN);

        story.healthy(400);

        assertThat(story.course().harm().requests()).isEqualTo(2 * 400.0);
    }

    @Test
    void a_redirector_that_does_not_follow_the_new_epoch_ends_the_run() {
        story.ramping(400);
        story.decide(TAKEN);

        story.silentRedirectorsFor(6);

        assertThat(story.ending().reason().code()).isIn(StopCode.LEASE_NOT_ACKNOWLEDGED, StopCode.REDIRECTOR_SILENT);
    }

    @Test
    void a_run_that_is_prepared_goes_on_being_prepared() {
        story.decide(new RunEvent.Submitted(List.of("r1")));
        story.after(Duration.ofSeconds(1));

        story.decide(TAKEN);
        assertThat(story.phase()).isEqualTo(RunPhase.PREPARING);
        story.healthy(250);

        assertThat(story.phase()).isEqualTo(RunPhase.BASELINE);
    }

    @Test
    void a_run_on_its_way_back_stays_on_it_and_keeps_its_end() {
        story.ramping(400);
        story.decide(new RunEvent.AbortRequested("stop"));

        story.decide(TAKEN);

        assertThat(story.ending().reason().code()).isEqualTo(StopCode.ABORT_REQUESTED);
        assertThat(story.lease().epoch()).isEqualTo(9);
        assertThat(story.lease().released()).isTrue();
    }

    @Test
    void a_paused_run_stays_paused() {
        story.ramping(400);
        story.decide(new RunEvent.PauseRequested("wait"));

        story.decide(TAKEN);

        assertThat(story.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(story.share()).isEqualTo(Story.NATURAL);
    }
}
