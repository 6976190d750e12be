// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseRenewalTest {

    private final RunScenario scenario = new RunScenario();

    @BeforeEach
    void ramping() {
        scenario.ramping(300);
        scenario.status(ReportedLeaseState.APPLIED);
    }

    private Redirectors.Status redirector() {
        return Objects.requireNonNull(scenario.course().redirectors().known().get("r1"));
    }

    @Test
    void a_verdict_takes_the_renewal_along_that_is_due_soon() {
        Lease before = scenario.lease();
        scenario.after(Duration.ofMillis(800));

        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 300);

        assertThat(scenario.commands()).contains(new RunCommand.SendLease(scenario.lease()));
        assertThat(scenario.lease().sequence()).isEqualTo(before.sequence() + 1);
        assertThat(scenario.share()).isEqualTo(before.share());
        assertThat(scenario.lease().expiresAt()).isAfter(before.expiresAt());
        scenario.after(Duration.ofMillis(400));
        scenario.decide(new RunEvent.Tick());
        assertThat(scenario.commands()).as("nothing is due any more").isEmpty();
    }

    @Test
    void a_verdict_soon_after_a_lease_renews_nothing() {
        Lease before = scenario.lease();
        scenario.after(Duration.ofMillis(200));

        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.HOLD, 300);

        assertThat(scenario.lease()).isEqualTo(before);
    }

    @Test
    void a_sign_of_life_soon_after_another_is_nothing_to_keep_and_a_later_one_is() {
        Instant reportedAt = redirector().at();
        RunState before = scenario.state();
        scenario.after(Duration.ofMillis(400));
        scenario.status(ReportedLeaseState.APPLIED);
        assertThat(scenario.state()).isEqualTo(before);

        scenario.after(Duration.ofMillis(200));
        scenario.status(ReportedLeaseState.APPLIED);

        assertThat(redirector().at()).isEqualTo(reportedAt.plusMillis(600));
    }

    @Test
    void a_changed_report_is_kept_at_once() {
        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.GO, 400);
        long asked = scenario.lease().sequence();
        scenario.after(Duration.ofMillis(20));

        scenario.status(ReportedLeaseState.APPLIED);

        assertThat(redirector().applied()).isEqualTo(asked);
    }
}
