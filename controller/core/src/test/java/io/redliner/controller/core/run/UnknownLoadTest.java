// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.Profile;
import io.redliner.sla.Judgement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A zero that stands for "not known" is never the load that a SUT gets. */
class UnknownLoadTest {

    private static final Share RAISED = new Share(400_000);

    private final RunScenario scenario = new RunScenario();

    @ParameterizedTest
    @CsvSource({"INCONCLUSIVE, HOLD", "INCONCLUSIVE, GO", "INCONCLUSIVE, SHED", "INCONCLUSIVE, NONE", "HOLDS, HOLD",
        "HOLDS, GO", "HOLDS, SHED", "HOLDS, NONE", "BREACHED, SHED"})
    void a_load_that_is_not_known_leaves_the_baseline_natural(Judgement judgement, SearchAdvice.Action action) {
        scenario.baseline();

        for (int window = 0; window < 2; window++) {
            scenario.after(Duration.ofSeconds(1));
            scenario.status(ReportedLeaseState.APPLIED);
            scenario.judged(judgement, action, 0);
        }

        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
        assertThat(scenario.state().askedShare()).isEqualTo(RunScenario.NATURAL);
    }

    @ParameterizedTest
    @EnumSource(value = SearchAdvice.Action.class, names = {"HOLD", "GO", "NONE"})
    void one_window_without_a_load_leaves_a_raised_share_and_two_without_an_answer_make_it_natural(
            SearchAdvice.Action action) {
        scenario.ramping(400);

        scenario.judged(Judgement.INCONCLUSIVE, action, 0);
        assertThat(scenario.share()).isEqualTo(RAISED);
        scenario.judged(Judgement.INCONCLUSIVE, action, 0);

        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void less_load_of_an_unknown_amount_is_the_natural_one() {
        scenario.ramping(400);

        scenario.judged(Judgement.BREACHED, SearchAdvice.Action.SHED, 0);

        assertThat(scenario.share()).isEqualTo(RunScenario.NATURAL);
    }

    @Test
    void a_message_without_an_advice_moves_nothing_whatever_load_it_has() {
        scenario.ramping(400);

        scenario.judged(Judgement.HOLDS, SearchAdvice.Action.NONE, 1);

        assertThat(scenario.share()).isEqualTo(RAISED);
    }

    @Test
    void a_service_whose_rate_is_not_known_puts_at_risk_what_the_sut_gets() {
        scenario.ramping(400);
        WindowVerdict verdict = PlannedRun.withoutRate(scenario.verdict(Judgement.HOLDS, SearchAdvice.Action.GO, 400));

        assertThat(Harm.risk(RAISED, verdict, scenario.now())).isGreaterThanOrEqualTo(400);
    }

    @Test
    void a_plan_of_its_own_stays_where_it_is_while_the_services_rate_is_not_known() {
        PlannedRun run = new PlannedRun(new StepPlan.Overload(Profile.SPIKE, LoadGoal.ofShare(new Share(500_000)),
                Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(20)));
        run.begin();
        run.healthy(8, SearchAdvice.Action.HOLD);
        Share before = run.share();
        assertThat(before.above(new Share(250_000))).isTrue();

        run.withoutRate();

        assertThat(run.phase()).as("the goal of unknown requests/s is not reached").isEqualTo(RunPhase.RAMPING);
        assertThat(run.share()).isEqualTo(before);
    }

    @Test
    void traffic_of_an_unknown_rate_is_not_too_little() {
        PlannedRun run = new PlannedRun(new StepPlan.Hold(Profile.LOAD, LoadGoal.ofRate(300), Duration.ZERO,
                Duration.ofMinutes(2), null));
        run.begin();
        run.healthy(8, SearchAdvice.Action.HOLD);

        for (int window = 0; window < 12; window++) {
            run.withoutRate();
            run.healthy(1, SearchAdvice.Action.HOLD);
        }

        assertThat(run.phase()).as("ten seconds of too little traffic would end it").isNotEqualTo(RunPhase.RESTORING);
        assertThat(run.share().above(new Share(249_000))).isTrue();
    }
}
