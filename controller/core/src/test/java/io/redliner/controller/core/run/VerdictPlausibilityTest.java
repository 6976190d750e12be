// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion.ValidityCheck;
import io.redliner.controller.plan.Ppm;
import io.redliner.sla.Judgement;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A capacity that no run measured is not found, whatever a verdict says. */
class VerdictPlausibilityTest {

    private static final RunRules RULES = new RunRules(
            List.of(new RuleCompiler().compile("latency", "latency.p99 <= duration('200ms')", false)),
            List.of(new RuleCompiler().compile("fleet", "service.error_rate <= 0.01", false)));

    private static final SearchConclusion CHECKED = new SearchConclusion(List.of(),
            List.of(new ValidityCheck("littles-law", Validity.OK, null, null, "", "")));

    private static final TrafficSample TRAFFIC = new TrafficSample(40, 40, 0, 1, 0.01, 0.1, new Ppm(400_000));

    private static WindowVerdict verdict(SearchAdvice.Action action, double capacity, String limitingRule,
            @Nullable SearchConclusion conclusion) {
        return new WindowVerdict("run", 7, 1, Instant.EPOCH, Duration.ofSeconds(1), Judgement.HOLDS, List.of(),
                List.of(), new SearchAdvice(action, 0, SearchAdvice.Phase.ENDED, "found", 3), TRAFFIC, TRAFFIC, 100, 0,
                new CapacityEstimate(capacity, capacity, capacity, limitingRule, null, null, null, null), conclusion,
                null);
    }

    private static void assertRefused(WindowVerdict believed, String reason) {
        assertThat(believed.advice().action()).isEqualTo(SearchAdvice.Action.GIVE_UP);
        assertThat(believed.advice().reason()).contains(reason, "not believed", "topic of verdicts");
        assertThat(believed.estimate()).isNull();
        RunEnd end = SearchingDecider.answer(believed).orElseThrow();
        assertThat(end.outcome()).isEqualTo(RunOutcome.INCONCLUSIVE);
        assertThat(end.estimate()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "EXHAUSTED"})
    void an_answer_that_fits_the_plan_and_the_loads_is_believed(SearchAdvice.Action action) {
        for (String rule : List.of("latency", "fleet", "")) {
            WindowVerdict verdict = verdict(action, 44, rule, CHECKED);

            assertThat(VerdictPlausibility.believed(verdict, RULES, 40.0)).isSameAs(verdict);
            assertThat(VerdictPlausibility.believed(verdict, RULES, null)).isSameAs(verdict);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "EXHAUSTED"})
    void a_limiting_rule_that_the_plan_lacks_is_not_believed(SearchAdvice.Action action) {
        assertRefused(VerdictPlausibility.believed(verdict(action, 44, "no-such-rule", CHECKED), RULES, 40.0),
                "'no-such-rule'");
        assertRefused(VerdictPlausibility.believed(verdict(action, 44, "Latency", CHECKED), RULES, 40.0), "'Latency'");
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "EXHAUSTED"})
    void an_answer_without_a_check_is_not_believed(SearchAdvice.Action action) {
        assertRefused(VerdictPlausibility.believed(verdict(action, 44, "latency", null), RULES, 40.0),
                "without a check");
    }

    @ParameterizedTest
    @ValueSource(doubles = {81, 99_999, 1e12, Double.MAX_VALUE, Double.POSITIVE_INFINITY})
    void an_estimate_far_above_every_measured_load_is_not_believed(double capacity) {
        assertRefused(VerdictPlausibility.believed(verdict(SearchAdvice.Action.DONE, capacity, "latency", CHECKED),
                RULES, 40.0), "40 requests/s");
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "EXHAUSTED"})
    void the_first_verdict_after_a_takeover_is_no_exception(SearchAdvice.Action action) {
        assertRefused(VerdictPlausibility.believed(verdict(action, 99_999, "latency", CHECKED), RULES, null),
                "40 requests/s");
        assertRefused(VerdictPlausibility.believed(verdict(action, 81, "", CHECKED), RULES, null), "40 requests/s");
    }

    @Test
    void what_ends_no_search_is_left_alone() {
        WindowVerdict holding = verdict(SearchAdvice.Action.HOLD, 99_999, "no-such-rule", null);

        assertThat(VerdictPlausibility.believed(holding, RULES, 40.0)).isSameAs(holding);
    }
}
