// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.StepPlanDecider.Advice;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Profile;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Goes to a load and stays there. */
final class HoldSteps {

    /** The first part of an endurance run's hold that is not analyzed, because a warm-up is no drift. */
    private static final double SETTLING = 0.1;

    private HoldSteps() {}

    static Advice begin(StepPlan.Hold plan, StepPlanProgress progress, WindowSample window) {
        double goal = plan.goal().at(window.loads().service());
        return Advice.of(
                progress.wanting(StepPlanDecider.rising(progress, goal, plan.ramp(), window), window.loads()), null);
    }

    static Advice next(StepPlan.Hold plan, StepPlanProgress before, WindowSample window) {
        double goal = plan.goal().at(window.loads().service());
        boolean there = window.at(goal);
        StepPlanProgress progress = before.after(window, there, StepPlanDecider.starving(goal, window));
        if (progress.stage() == StepPlanStage.HOLDING && window.known() && there) {
            progress = progress.measured(window, gauges(plan, progress, window));
        }
        String broken = progress.alarm().raised();
        if (broken != null) {
            return Advice.of(progress,
                    RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.SLA_BROKEN, "the SLA is broken at "
                            + NumberText.round(window.arrived()) + " requests/s: " + broken));
        }
        return StepPlanDecider.hold(goal, plan.ramp(), plan.hold(), progress, window,
                held -> Advice.of(held, answer(plan, held, window)));
    }

    /** Returns the metrics that are averaged over the hold; none while an endurance run settles. */
    private static Map<String, Double> gauges(StepPlan.Hold plan, StepPlanProgress progress, WindowSample window) {
        Map<String, Double> values = new HashMap<>();
        boolean settling = plan.drift() != null && progress.attendance().counted() * window.seconds() < SETTLING
                * plan.hold().toMillis() / 1e3;
        if (settling) {
            return values;
        }
        put(values, DriftMetric.LATENCY_P50, window.verdict().sut().latencyP50());
        put(values, DriftMetric.LATENCY_P99, window.verdict().sut().latencyP99());
        if (plan.drift() != null) {
            window.rules().forEach(rule -> DriftMetric.ofRule(rule.name())
                    .ifPresent(metric -> put(values, metric, rule.value())));
        }
        return values;
    }

    private static void put(Map<String, Double> values, DriftMetric metric, @Nullable Double value) {
        if (value != null) {
            values.put(metric.gauge(), value);
        }
    }

    private static RunEnd answer(StepPlan.Hold plan, StepPlanProgress progress, WindowSample window) {
        Optional<Map.Entry<String, RuleCounts>> over = progress.ruleCounts().entrySet().stream()
                .filter(entry -> entry.getValue().exceedsAllowance())
                .max(Map.Entry.comparingByValue(Comparator.comparing(RuleCounts::significantlyExceeds)));
        if (over.isPresent()) {
            return over(over.get().getKey(), over.get().getValue());
        }
        WindowCounts attendance = progress.attendance();
        if (attendance.tooManyMissing()) {
            return RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.WINDOWS_MISSING,
                    attendance.missing() + " windows of the hold said nothing, "
                            + attendance.counted() + " did: what is not known has not held");
        }
        if (plan.profile() == Profile.SMOKE && !progress.unanswered().isEmpty()) {
            return RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.RULE_UNANSWERED,
                    "these rules never had an answer: " + progress.unanswered().stream()
                            .map(name -> name + window.reason(name)).collect(Collectors.joining(", ")));
        }
        String held = "the SLA held at " + plan.goal() + " for " + attendance.counted() + " windows, "
                + attendance.broken() + " of them broken by themselves";
        return plan.drift() == null
                ? RunEnd.of(RunOutcome.PASSED, StopCode.SLA_HELD, held)
                : DriftAnalysis.of(plan, progress).answer(held);
    }

    private static RunEnd over(String key, RuleCounts counts) {
        String message = "over the whole hold, " + NumberText.percent((double) counts.exceeding() / counts.requests())
                + " of "
                + counts.requests() + " requests broke rule '" + key.substring(0, key.lastIndexOf(' '))
                + "', allowed are " + NumberText.percent(counts.allowedRatio());
        return counts.significantlyExceeds()
                ? RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.SLA_BROKEN, message)
                : RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.SLA_UNCLEAR,
                        message + "; that can be chance: hold longer");
    }
}
