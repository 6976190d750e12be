// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Judgement;
import org.junit.jupiter.api.Test;

class PausedDeciderTest {

    private final Story story = new Story();

    @Test
    void a_pause_takes_traffic_back_at_once_and_tells_the_analyzer() {
        story.ramping(400);

        story.decide(new RunEvent.PauseRequested("a deployment"));

        assertThat(story.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(story.share()).isEqualTo(Story.NATURAL);
        assertThat(story.commands()).containsExactly(new RunCommand.SendLease(story.lease()),
                new RunCommand.PublishRun(RunPhase.PAUSED));
    }

    @Test
    void a_paused_run_stays_natural_whatever_the_search_asks_for() {
        story.ramping(400);
        story.decide(new RunEvent.PauseRequested("a deployment"));

        story.healthy(500);
        story.judged(Judgement.HOLDS, SearchAdvice.Action.DONE, 500);

        assertThat(story.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(story.share()).isEqualTo(Story.NATURAL);
    }

    @Test
    void a_resumed_run_goes_on_where_it_was_and_climbs_by_its_raise() {
        story.ramping(400);
        story.decide(new RunEvent.PauseRequested("a deployment"));
        story.healthy(400);

        story.decide(new RunEvent.ResumeRequested("done"));
        assertThat(story.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(story.share()).isEqualTo(Story.NATURAL);
        story.healthy(600);

        assertThat(story.share().value()).isEqualTo(2 * Story.NATURAL.value());
    }

    @Test
    void a_paused_run_still_ends_by_its_guards_its_duration_and_lost_telemetry() {
        story.ramping(400);
        story.decide(new RunEvent.PauseRequested("a deployment"));
        story.silentFor(5);

        assertThat(story.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void a_pause_in_the_baseline_goes_back_to_it() {
        story.baseline();
        story.decide(new RunEvent.PauseRequested("wait"));
        story.decide(new RunEvent.PauseRequested("wait again"));

        story.decide(new RunEvent.ResumeRequested("go"));

        assertThat(story.phase()).isEqualTo(RunPhase.BASELINE);
        assertThat(story.commands()).containsExactly(new RunCommand.PublishRun(RunPhase.BASELINE));
    }
}
