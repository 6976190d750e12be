// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.Ppm;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A raised share lasts no longer than what is known of it, whatever arrives and says nothing. */
class UnansweredTest {

    private final Story story = new Story();

    private static final Ppm RAISED = new Ppm(400_000);

    @Test
    void a_verdict_without_an_answer_does_not_lengthen_the_wait_for_one() {
        story.ramping(400);
        story.silentFor(3);
        story.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        assertThat(story.share()).isEqualTo(RAISED);

        story.silentFor(1);

        assertThat(story.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(story.share()).isEqualTo(Story.NATURAL);
    }

    @Test
    void a_lease_with_a_raised_share_ends_with_what_is_known() {
        story.ramping(400);
        Instant answered = story.lease().issuedAt();
        assertThat(story.lease().expiresAt()).isEqualTo(answered.plusSeconds(5));

        story.silentFor(3);

        assertThat(story.lease().issuedAt()).isAfter(answered.plusSeconds(2));
        assertThat(story.lease().share()).isEqualTo(RAISED);
        assertThat(story.lease().expiresAt()).isEqualTo(answered.plusSeconds(5));
        assertThat(story.lease().issuedAt().plus(story.lease().ttl())).isEqualTo(story.lease().expiresAt());
    }

    @Test
    void a_lease_on_natural_traffic_lasts_its_whole_time() {
        story.ramping(400);
        story.silentFor(4);

        assertThat(story.share()).isEqualTo(Story.NATURAL);
        assertThat(story.lease().ttl()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void an_answer_makes_the_next_lease_last_its_whole_time_again() {
        story.ramping(400);
        story.silentFor(3);

        story.judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400);
        story.silentFor(1);

        assertThat(story.lease().share()).isEqualTo(RAISED);
        assertThat(story.lease().expiresAt()).isAfter(story.lease().issuedAt().plusSeconds(3));
    }
}
