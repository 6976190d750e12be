// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A raised share lasts no longer than what is known of it, whatever arrives and says nothing. */
class UnansweredTest {

    private final RunScenario scenario = new RunScenario();

    private static final Share RAISED = new Share(400_000);

    @Test
    void a_verdict_without_an_answer_does_not_lengthen_the_wait_for_one() {
        scenario.ramping(400);
        scenario.silentFor(3);
        scenario.judged(Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD, 400);
        assertThat(scenario.share()).isEqualTo(RAISED);

        scenario.silentFor(1);

        assertThat(scenario.phase()).isEqualTo(RunPhase.RAMPING);
        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_lease_with_a_raised_share_ends_with_what_is_known() {
        scenario.ramping(400);
        Instant answered = scenario.lease().issuedAt();
        assertThat(scenario.lease().expiresAt()).isEqualTo(answered.plusSeconds(5));

        scenario.silentFor(3);

        assertThat(scenario.lease().issuedAt()).isAfter(answered.plusSeconds(2));
        assertThat(scenario.lease().share()).isEqualTo(RAISED);
        assertThat(scenario.lease().expiresAt()).isEqualTo(answered.plusSeconds(5));
        assertThat(scenario.lease().issuedAt().plus(scenario.lease().ttl())).isEqualTo(scenario.lease().expiresAt());
    }

    @Test
    void a_lease_on_natural_traffic_lasts_its_whole_time() {
        scenario.ramping(400);
        scenario.silentFor(4);

        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
        assertThat(scenario.lease().ttl()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void an_answer_makes_the_next_lease_last_its_whole_time_again() {
        scenario.ramping(400);
        scenario.silentFor(3);

        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 400);
        scenario.silentFor(1);

        assertThat(scenario.lease().share()).isEqualTo(RAISED);
        assertThat(scenario.lease().expiresAt()).isAfter(scenario.lease().issuedAt().plusSeconds(3));
    }
}
