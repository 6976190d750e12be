// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestoreVerificationTest {

    private final Story story = new Story();

    private void acknowledged() {
        story.ramping(400);
        story.decide(new RunEvent.AbortRequested("stop"));
        story.after(Duration.ofMillis(40));
        story.status(ReportedLeaseState.NATURAL);
        assertThat(story.phase()).as("an acknowledgement alone is not believed").isEqualTo(RunPhase.RESTORING);
    }

    private RestoreProof restored() {
        return ((RunState.Finished) story.state()).restored();
    }

    @Test
    void a_run_is_over_when_the_natural_share_was_measured() {
        acknowledged();

        story.after(Duration.ofSeconds(2));
        story.measured(Story.NATURAL);

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.MEASURED);
        assertThat(restored().took()).isEqualTo(Duration.ofMillis(40));
    }

    @Test
    void a_window_that_began_before_the_acknowledgement_says_nothing() {
        acknowledged();

        story.after(Duration.ofMillis(500));
        story.measured(Story.NATURAL);

        assertThat(story.phase()).isEqualTo(RunPhase.RESTORING);
    }

    @Test
    void a_share_that_stays_another_is_told_as_a_contradiction() {
        acknowledged();

        for (int second = 0; second < 4 && story.phase() == RunPhase.RESTORING; second++) {
            story.after(Duration.ofSeconds(1));
            story.decide(new RunEvent.Tick());
            if (story.phase() == RunPhase.RESTORING) {
                story.measured(new Ppm(400_123));
            }
        }

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.CONTRADICTED);
        assertThat(restored().detail()).contains("and yet 40% of", "natural is 25%");
    }

    /** The proxies' word does not come, and the lease runs out. */
    private void expired(Ppm measured) {
        story.ramping(400);
        story.decide(new RunEvent.AbortRequested("stop"));
        for (int half = 0; half < 20 && story.phase() == RunPhase.RESTORING; half++) {
            story.after(Duration.ofMillis(500));
            story.decide(new RunEvent.Tick());
            if (story.phase() == RunPhase.RESTORING) {
                story.measured(measured);
            }
        }
    }

    @Test
    void a_share_that_stays_another_outranks_the_lease_that_ran_out() {
        expired(new Ppm(621_777));

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.CONTRADICTED_AFTER_EXPIRY);
        assertThat(restored().traffic()).isEqualTo(RestoreProof.Traffic.NOT_NATURAL);
        assertThat(restored().detail()).contains("62.2% of", "natural is 25%");
    }

    @Test
    void the_natural_share_after_the_lease_ran_out_is_a_proof() {
        expired(Story.NATURAL);

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.MEASURED_AFTER_EXPIRY);
        assertThat(restored().proven()).isTrue();
    }

    @Test
    void without_any_window_it_ends_and_says_that_nothing_was_measured() {
        acknowledged();

        story.after(Duration.ofMillis(3_500));
        story.decide(new RunEvent.Tick());

        assertThat(restored().proof()).isEqualTo(RestoreProof.Proof.ACKNOWLEDGED);
        assertThat(restored().detail()).contains("no window has measured");
    }
}
