// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.core.run.SearchConclusion.ValidityCheck;
import io.redliner.sla.Judgement;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A capacity that no run measured is not found, whatever a verdict says. */
class VerdictPlausibilityTest {

    private static final RunRules RULES = new RunRules(
            List.of(new RuleCompiler().compile("latency", "latency.p99 <= duration('200ms')", false)),
            List.of(new RuleCompiler().compile("fleet", "service.error_rate <= 0.01", false)), null);

    private static final SearchConclusion CHECKED = new SearchConclusion(List.of(),
            List.of(new ValidityCheck("littles-law", Validity.OK, null, null, "", "")));

    private static final TrafficSample TRAFFIC = new TrafficSample(40, 40, 0, 1, 0.01, 0.1, new Share(400_000));

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

    @ParameterizedTest
    @CsvSource({"40, 39, 1e12", "40, 39, 81", "40, 41, 42", "40, 30, 39", "40, -1, 42", "0, 0, 1e12", "40, NaN, 42",
        "40, 39, NaN", "40, 39, Infinity", "40, 39, 0"})
    void an_estimate_whose_ends_are_not_around_it_or_far_above_every_load_is_not_believed(double capacity, double low,
            double high) {
        WindowVerdict done = verdict(SearchAdvice.Action.DONE, capacity, "latency", CHECKED);
        WindowVerdict odd = done.with(done.advice(),
                new CapacityEstimate(capacity, low, high, "latency", null, null, null, null));

        assertRefused(VerdictPlausibility.believed(odd, RULES, 40.0), "a verdict says that the capacity is ");
    }

    @ParameterizedTest
    @EnumSource(names = {"EXHAUSTED", "GIVE_UP"})
    void a_load_that_held_has_no_upper_end_and_is_one_that_was_measured(SearchAdvice.Action action) {
        WindowVerdict bound = verdict(action, 40, "", CHECKED);
        WindowVerdict open = bound.with(bound.advice(), new CapacityEstimate(40, 40, 0, "", null, null, 40.0, null));

        assertThat(VerdictPlausibility.believed(open, RULES, 40.0)).isSameAs(open);
        assertRefused(VerdictPlausibility.believed(bound.with(bound.advice(),
                new CapacityEstimate(40, 40, 0, "", null, null, 99_999.0, null)), RULES, 40.0), "99999");
        assertRefused(VerdictPlausibility.believed(verdict(action, 99_999, "", CHECKED), RULES, 40.0), "40 requests/s");
    }

    @Test
    void an_answer_with_a_window_in_which_the_sut_got_more_than_its_service_is_not_believed() {
        assertRefused(VerdictPlausibility.believed(window(60_000, 120), RULES, 60_000.0), "its whole service");
    }

    @Test
    void a_few_windows_that_cannot_be_raise_no_highest_load() {
        RunFacts facts = new RunScenario().state().facts();
        MeasuredLoad load = new MeasuredLoad();
        assertThat(load.highest()).isNull();
        for (int number = 0; number < 9; number++) {
            load.add(window(40 + number, 120), facts);
        }
        load.add(window(60_000, 120), facts);
        load.add(window(60_000, 60_000), facts);
        load.add(window(60_000, 0), facts);
        load.add(window(Double.NaN, 120), facts);
        load.add(RunScenario.ofEpoch(window(70, 120), 8), facts);

        assertThat(load.highest()).isEqualTo(48);
    }

    @Test
    void a_run_of_which_only_forged_windows_came_has_measured_nothing() {
        MeasuredLoad load = new MeasuredLoad();
        load.add(window(60_000, 120), new RunScenario().state().facts());

        assertThat(load.highest()).isZero();
    }

    private static WindowVerdict window(double sut, double service) {
        WindowVerdict done = verdict(SearchAdvice.Action.DONE, 44, "latency", CHECKED);
        return new WindowVerdict("run", 7, 1, Instant.EPOCH, Duration.ofSeconds(1), Judgement.HOLDS, List.of(),
                List.of(), done.advice(), new TrafficSample(sut, 40, 0, 1, 0.01, 0.1, new Share(400_000)), TRAFFIC,
                service, 0, done.estimate(), CHECKED, null);
    }

    @Test
    void what_ends_no_search_is_left_alone() {
        WindowVerdict holding = verdict(SearchAdvice.Action.HOLD, 99_999, "no-such-rule", null);

        assertThat(VerdictPlausibility.believed(holding, RULES, 40.0)).isSameAs(holding);
    }
}
