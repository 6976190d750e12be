// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.sla.Judgement;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All raises of one step together reach {@code maxRaise} times the share at which the step began. */
class StepStartShareTest {

    private static final Share HALF = new Share(500_000);

    /** The limit counted from the share before the last change, which was half as much, when the first verdict did not raise the share. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void a_step_whose_first_verdict_may_not_raise_begins_at_the_share_that_is_in_force(int lostVerdicts) {
        RunScenario run = new RunScenario();
        run.ramping(500);
        run.healthy(500);
        assertThat(run.share()).isEqualTo(HALF);
        run.skipVerdicts(lostVerdicts);

        run.healthy(590);
        Step step = requireNonNull(run.course().step());
        assertThat(step.startShare()).isEqualTo(HALF);
        for (int window = 0; window < 3; window++) {
            run.after(Duration.ofSeconds(1));
            run.status(ReportedLeaseState.APPLIED);
            WindowVerdict verdict = run.verdict(Judgement.HOLDS, SearchAdvice.Action.GO, 590);
            run.decide(new RunEvent.VerdictArrived(verdict.with(new SearchAdvice(SearchAdvice.Action.GO, 590,
                    SearchAdvice.Phase.RAMPING, "the same step", step.number()), verdict.estimate())));
        }

        assertThat(run.share()).isEqualTo(new Share(590_000));
        assertThat(run.course().step()).extracting(Step::startShare).isEqualTo(HALF);
    }
}
