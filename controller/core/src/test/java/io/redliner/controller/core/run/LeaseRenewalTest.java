// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseRenewalTest {

    private final Story story = new Story();

    @BeforeEach
    void ramping() {
        story.ramping(300);
        story.status(ReportedLeaseState.APPLIED);
    }

    private Redirectors.Heard redirector() {
        return Objects.requireNonNull(story.course().redirectors().known().get("r1"));
    }

    @Test
    void a_verdict_takes_the_renewal_along_that_is_due_soon() {
        Lease before = story.lease();
        story.after(Duration.ofMillis(800));

        story.judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 300);

        assertThat(story.commands()).contains(new RunCommand.SendLease(story.lease()));
        assertThat(story.lease().sequence()).isEqualTo(before.sequence() + 1);
        assertThat(story.share()).isEqualTo(before.share());
        assertThat(story.lease().expiresAt()).isAfter(before.expiresAt());
        story.after(Duration.ofMillis(400));
        story.decide(new RunEvent.Tick());
        assertThat(story.commands()).as("nothing is due any more").isEmpty();
    }

    @Test
    void a_verdict_soon_after_a_lease_renews_nothing() {
        Lease before = story.lease();
        story.after(Duration.ofMillis(200));

        story.judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 300);

        assertThat(story.lease()).isEqualTo(before);
    }

    @Test
    void a_sign_of_life_soon_after_another_is_nothing_to_keep_and_a_later_one_is() {
        Instant heardAt = redirector().at();
        RunState before = story.state();
        story.after(Duration.ofMillis(400));
        story.status(ReportedLeaseState.APPLIED);
        assertThat(story.state()).isEqualTo(before);

        story.after(Duration.ofMillis(200));
        story.status(ReportedLeaseState.APPLIED);

        assertThat(redirector().at()).isEqualTo(heardAt.plusMillis(600));
    }

    @Test
    void news_are_kept_at_once() {
        story.judged(Judgement.HOLDS, SearchAdvice.Action.GO, 400);
        long asked = story.lease().sequence();
        story.after(Duration.ofMillis(20));

        story.status(ReportedLeaseState.APPLIED);

        assertThat(redirector().applied()).isEqualTo(asked);
    }
}
