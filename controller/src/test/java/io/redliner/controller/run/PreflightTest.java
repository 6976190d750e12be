// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreflightTest {

    private final Story story = new Story();

    private void prepareFor(int seconds, Judgement judgement) {
        for (int second = 0; second < seconds && story.phase() == Phase.PREPARING; second++) {
            story.after(Duration.ofSeconds(1));
            story.status(LeaseState.APPLIED);
            story.judged(judgement, AdviceAction.HOLD, 250);
            story.decide(new RunEvent.Tick());
        }
    }

    @Test
    void a_service_that_is_ill_without_us_is_not_tested() {
        story.decide(new RunEvent.Submitted(List.of("r1")));

        prepareFor(30, Judgement.BREACHED);

        assertThat(story.ending().outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(story.ending().reason().code()).isEqualTo(StopCode.PREFLIGHT);
        assertThat(story.ending().reason().detail()).contains("not healthy at its natural share");
    }

    @Test
    void windows_without_an_answer_are_not_healthy() {
        story.decide(new RunEvent.Submitted(List.of("r1")));

        prepareFor(5, Judgement.INCONCLUSIVE);
        assertThat(story.phase()).isEqualTo(Phase.PREPARING);
        prepareFor(1, Judgement.HOLDS);

        assertThat(story.phase()).isEqualTo(Phase.BASELINE);
    }

    @Test
    void peers_without_requests_cannot_be_compared_with() {
        story.decide(new RunEvent.Submitted(List.of("r1")));
        story.status(LeaseState.APPLIED);

        story.withoutPeers();

        assertThat(story.phase()).isEqualTo(Phase.PREPARING);
    }

    @Test
    void traffic_that_cannot_reach_the_last_known_capacity_is_said_before_anything_is_moved() {
        Story required = new Story(new Clearance(null, null, 700.0));
        required.decide(new RunEvent.Submitted(List.of("r1")));
        for (int second = 0; second < 30 && required.phase() == Phase.PREPARING; second++) {
            required.healthy(250);
            required.decide(new RunEvent.Tick());
        }

        assertThat(required.ending().reason().code()).isEqualTo(StopCode.PREFLIGHT);
        assertThat(required.ending().reason().detail()).contains("600", "60%", "700");
    }

    @Test
    void traffic_that_suffices_lets_the_run_begin() {
        Story enough = new Story(new Clearance(null, null, 600.0));
        enough.decide(new RunEvent.Submitted(List.of("r1")));
        enough.healthy(250);

        assertThat(enough.phase()).isEqualTo(Phase.BASELINE);
    }
}
