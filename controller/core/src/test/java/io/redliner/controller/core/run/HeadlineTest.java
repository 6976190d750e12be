// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.KnownCapacity;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Profile;
import io.redliner.sla.Judgement;
import java.util.TreeMap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeadlineTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final CapacityEstimate ESTIMATE = new CapacityEstimate(400, 390, 410, "latency", 0.11, 0.1, 390.0,
            420.0);

    private static final StepPlan LOAD = new StepPlan.Hold(Profile.LOAD, LoadGoal.ofRate(500), Duration.ZERO,
            Duration.ofSeconds(10), null);

    private static final Map<ExitCode, List<String>> WORDS = Map.of(
            ExitCode.ANSWERED, List.of("Capacity of", "passed"),
            ExitCode.INCONCLUSIVE, List.of("gives no answer", "could not be carried out"),
            ExitCode.THRESHOLD_FAILED, List.of("failed its threshold", "was ended by a guard"),
            ExitCode.ABORTED, List.of("was aborted"));

    private static RunState.Finished ended(RunOutcome outcome, StopCode code, @Nullable StepPlan profile,
            @Nullable SearchConclusion conclusion) {
        RunFacts facts = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000),
                RunBounds.of(PlanLimits.DEFAULT), RunTimeouts.DEFAULT, START, Redirect.SPLIT, StartConditions.NONE,
                null,
                profile);
        return new RunState.Finished(facts, new RunEnd(outcome, new StopReason(code, "because"), ESTIMATE, conclusion),
                new RestoreProof(RestoreProof.Proof.ACKNOWLEDGED, Duration.ZERO, ""), new HarmDone(0, null),
                Milestones.NONE, null, START);
    }

    @Test
    void a_recheck_is_named_by_its_answer_without_the_figures() {
        StepPlan recheck = new StepPlan.Recheck(LoadGoal.ofRate(240), Duration.ZERO, Duration.ofSeconds(40),
                new KnownCapacity(300, 280, 320, 2),
                new LoadProfile("", List.of(new LoadProfile.Point(100, new TreeMap<>(), 0, 0, 3))));
        RunState.Finished moved = ended(RunOutcome.THRESHOLD_FAILED, StopCode.MOVED, recheck, null);

        assertThat(Headline.of(moved.facts(), RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.MOVED,
                "moved: the capacity is 0.7 to 0.9 times the known one of 300 requests/s, run a full test; latency.p50")))
                .isEqualTo(
                        "Recheck of 10.0.0.1:80 of shop: moved: the capacity is 0.7 to 0.9 times the known one of 300"
                                + " requests/s, run a full test");
        assertThat(ExitCode.of(moved.ending(), recheck)).isEqualTo(ExitCode.THRESHOLD_FAILED);
    }

    private static String headline(RunState state) {
        return Headline.of(state).orElseThrow();
    }

    /** Of each outcome with each stop code, of a search and of a load test. */
    @ParameterizedTest
    @EnumSource
    void it_says_what_the_exit_code_says(RunOutcome outcome) {
        for (StopCode code : StopCode.values()) {
            for (StepPlan profile : new StepPlan[]{null, LOAD}) {
                RunState.Finished state = ended(outcome, code, profile, null);
                ExitCode exit = ExitCode.of(state).orElseThrow();

                assertThat(WORDS.entrySet().stream()
                        .filter(words -> words.getValue().stream().anyMatch(headline(state)::contains))
                        .map(Map.Entry::getKey)).as(headline(state)).containsExactly(exit);
            }
        }
    }

    @Test
    void a_passed_load_test_passed() {
        assertThat(headline(ended(RunOutcome.PASSED, StopCode.SLA_HELD, LOAD, null)))
                .isEqualTo("The load test of 10.0.0.1:80 of shop passed");
    }

    @Test
    void a_capacity_has_its_interval_its_limit_and_its_doubts() {
        SearchConclusion doubtful = new SearchConclusion(List.of(), List.of(new SearchConclusion.ValidityCheck("host",
                SearchConclusion.Validity.DOUBTFUL, 0.3, 0.1, "ratio", "the host was busy")));

        assertThat(headline(ended(RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, null, doubtful))).isEqualTo(
                "Capacity of 10.0.0.1:80 of shop: 400 requests/s (390 to 410), limited by latency, doubtful: host");
        assertThat(headline(ended(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED, null, null)))
                .startsWith("Capacity of 10.0.0.1:80 of shop: at least 390 requests/s");
        assertThat(headline(ended(RunOutcome.INCONCLUSIVE, StopCode.HARM_BUDGET, null, null))).isEqualTo(
                "The capacity test of 10.0.0.1:80 of shop gives no answer; believed was 400 requests/s (390 to 410)");
    }

    @Test
    void a_capacity_has_what_all_runs_together_say_unless_it_is_doubtful() {
        CapacityEstimate estimate = new CapacityEstimate(400, 390, 410, "latency", 0.11, 0.1, 390.0, 420.0,
                new KnownCapacity(398, 394, 402, 3));
        for (SearchConclusion.Validity validity : List.of(SearchConclusion.Validity.OK,
                SearchConclusion.Validity.DOUBTFUL)) {
            RunEnd ending = new RunEnd(RunOutcome.CAPACITY_FOUND, new StopReason(StopCode.CAPACITY_FOUND, "because"),
                    estimate, new SearchConclusion(List.of(),
                            List.of(new SearchConclusion.ValidityCheck("host", validity, 0.3, 0.1, "ratio", "busy"))));
            RunFacts facts = ended(RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, null, null).facts();

            assertThat(Headline.of(facts, ending)).endsWith(validity == SearchConclusion.Validity.OK
                    ? "limited by latency; of 3 runs together: 398 (394 to 402)"
                    : "limited by latency, doubtful: host");
        }
    }

    @Test
    void there_is_none_while_a_run_goes_on() {
        assertThat(Headline.of(new RunState.Pending(ended(RunOutcome.PASSED, StopCode.SLA_HELD, null, null).facts())))
                .isEmpty();
    }

    @Test
    void a_broken_rule_is_written_in_its_unit() {
        RuleResult rule = new RuleResult("errors", "error_rate <= 0.05", Judgement.BREACHED, 0.1297, 0.05, 2.6, "ratio",
                false, "");

        assertThat(rule.compared()).isEqualTo("13 % against 5 %");
        assertThat(rule.describe()).isEqualTo("'errors' (error_rate <= 0.05): 13 % against 5 %");
        assertThat(Objects.requireNonNull(NumberText.measure(0.3124, "seconds"))).isEqualTo("312 ms");
    }
}
