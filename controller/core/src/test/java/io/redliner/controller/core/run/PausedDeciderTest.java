// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Judgement;
import org.junit.jupiter.api.Test;

class PausedDeciderTest {

    private final RunScenario scenario = new RunScenario();

    @Test
    void a_pause_takes_traffic_back_at_once_and_tells_the_analyzer() {
        scenario.ramping(400);

        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
        assertThat(scenario.commands()).containsExactly(new RunCommand.SendLease(scenario.lease()),
                new RunCommand.PublishRun(RunPhase.PAUSED));
    }

    @Test
    void a_paused_run_stays_natural_whatever_the_search_asks_for() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));

        scenario.healthy(500);
        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.DONE, 500);

        assertThat(scenario.phase()).isEqualTo(RunPhase.PAUSED);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_resumed_run_goes_on_where_it_was_and_climbs_by_its_raise() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.healthy(400);

        scenario.decide(new RunEvent.ResumeRequested("done"));
        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
        scenario.healthy(600);

        assertThat(scenario.share().value()).isEqualTo(2 * RunScenario.NATURAL.value());
    }

    @Test
    void a_paused_run_still_ends_by_its_guards_its_duration_and_lost_telemetry() {
        scenario.ramping(400);
        scenario.decide(new RunEvent.PauseRequested("a deployment"));
        scenario.silentFor(5);

        assertThat(scenario.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
    }

    @Test
    void a_pause_in_the_baseline_goes_back_to_it() {
        scenario.baseline();
        scenario.decide(new RunEvent.PauseRequested("wait"));
        scenario.decide(new RunEvent.PauseRequested("wait again"));

        scenario.decide(new RunEvent.ResumeRequested("go"));

        assertThat(scenario.phase()).isEqualTo(RunPhase.BASELINE);
        assertThat(scenario.commands()).containsExactly(new RunCommand.PublishRun(RunPhase.BASELINE));
    }
}
