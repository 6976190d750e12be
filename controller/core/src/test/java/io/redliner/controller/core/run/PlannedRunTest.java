// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.Profile;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class PlannedRunTest {

    @Test
    void keeps_the_promises_of_every_run_and_never_calls_healthy_what_nobody_saw() {
        keepsThePromises(Seeds.QUICK);
    }

    @Test
    @Tag("soak")
    void keeps_the_promises_for_ten_thousand_seeds() {
        keepsThePromises(Seeds.SOAK);
    }

    private static void keepsThePromises(int seeds) {
        Map<RunOutcome, Integer> outcomes = new EnumMap<>(RunOutcome.class);
        Map<StopCode, Integer> codes = new EnumMap<>(StopCode.class);
        for (long seed : Seeds.first(seeds)) {
            try {
                List<Simulation.Entry> journal = Simulation.planned(seed).run();
                RunState.Finished end = (RunState.Finished) journal.getLast().decision().state();
                outcomes.merge(end.ending().outcome(), 1, Integer::sum);
                codes.merge(end.ending().reason().code(), 1, Integer::sum);
                if (end.ending().reason().code() == StopCode.SLA_HELD) {
                    assertThat(end.facts().profile()).isInstanceOfSatisfying(StepPlan.Hold.class,
                            plan -> assertThat(healthy(journal, end.facts())).isGreaterThanOrEqualTo(plan.hold()));
                }
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
        assertThat(outcomes).as("the simulation reaches these").containsKeys(RunOutcome.PASSED,
                RunOutcome.THRESHOLD_FAILED,
                RunOutcome.TRAFFIC_EXHAUSTED, RunOutcome.INCONCLUSIVE, RunOutcome.ABORTED, RunOutcome.FAILED);
        assertThat(outcomes).doesNotContainKey(RunOutcome.CAPACITY_FOUND);
        assertThat(codes).as("and these ends").containsKeys(StopCode.SLA_HELD, StopCode.SLA_BROKEN,
                StopCode.RECOVERED, StopCode.BREAKPOINT_FOUND, StopCode.TELEMETRY_LOST, StopCode.GUARD_BREACHED,
                StopCode.HARM_BUDGET, StopCode.MAX_DURATION, StopCode.SHARE_NOT_FOLLOWED);
        assertThat(outcomes.get(RunOutcome.PASSED)).isGreaterThan(seeds / 10);
    }

    /** Time of the known windows, all of them after the baseline. */
    private static Duration healthy(List<Simulation.Entry> journal, RunFacts facts) {
        long windows = journal.stream()
                .filter(entry -> entry.before() instanceof RunState.Confirming
                        || entry.before() instanceof RunState.Ramping || entry.before() instanceof RunState.Baseline)
                .filter(entry -> entry.event() instanceof RunEvent.VerdictArrived arrived
                        && arrived.verdict().judgement() != Judgement.INCONCLUSIVE
                        && TelemetryStatus.fresh(arrived.verdict(), entry.at()))
                .count();
        return facts.bounds().window().multipliedBy(windows);
    }

    @Test
    void a_capacity_without_a_bottleneck_is_doubtful_when_that_was_the_question() {
        RunBounds bounds = new RunBounds(new Share(600_000), 2, Duration.ofMinutes(30), 0.01, Duration.ofSeconds(1));
        RunFacts facts = new RunFacts("run", "shop", "10.0.0.1:80", 7, new Share(250_000), bounds, RunTimeouts.DEFAULT,
                Simulation.START, Redirect.SPLIT, StartConditions.NONE, null, new StepPlan.Attribution());
        CapacityEstimate estimate = new CapacityEstimate(400, 390, 410, "latency", 0.3, 0.2, 380.0, 420.0);
        RunEnd bare = new RunEnd(RunOutcome.CAPACITY_FOUND, new StopReason(StopCode.CAPACITY_FOUND, "found"), estimate,
                new SearchConclusion(List.of(), List.of()));
        RunEnd named = new RunEnd(RunOutcome.CAPACITY_FOUND, new StopReason(StopCode.CAPACITY_FOUND, "found"), estimate,
                new SearchConclusion(List.of(new SearchConclusion.Finding("CPU", 0.9, "full", List.of())), List.of()));

        assertThat(StepPlanDecider.attributed(facts, bare).reason().detail()).contains("doubtful");
        assertThat(StepPlanDecider.attributed(facts, named)).isEqualTo(named);
    }

    @Test
    void what_the_search_advises_does_not_matter_to_a_plan_that_steers() {
        for (SearchAdvice.Action action : SearchAdvice.Action.values()) {
            StepPlan plan = new StepPlan.Hold(Profile.LOAD, LoadGoal.ofShare(new Share(300_000)), Duration.ZERO,
                    Duration.ofSeconds(5), null);
            PlannedRun run = new PlannedRun(plan);

            run.begin();
            run.healthy(14, action);

            assertThat(run.ending().reason().code()).as("%s", action).isEqualTo(StopCode.SLA_HELD);
            assertThat(run.highest).isEqualTo(new Share(300_000));
        }
    }

    @Test
    void a_plan_that_ends_for_want_of_answers_says_in_the_words_of_the_analyzer_why_there_were_none() {
        PlannedRun run = new PlannedRun(
                new StepPlan.Hold(Profile.LOAD, LoadGoal.ofShare(new Share(300_000)), Duration.ZERO,
                        Duration.ofMinutes(1), null));

        run.begin();
        run.healthy(14, SearchAdvice.Action.HOLD);
        run.judged(3, Judgement.INCONCLUSIVE, SearchAdvice.Action.HOLD);

        assertThat(run.ending().reason().code()).isEqualTo(StopCode.TELEMETRY_LOST);
        assertThat(run.ending().reason().detail()).contains("3 windows in a row", "(the search)");
    }
}
