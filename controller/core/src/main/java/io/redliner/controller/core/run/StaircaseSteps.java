// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.StepPlanDecider.Advice;
import io.redliner.controller.plan.NumberText;
import io.redliner.sla.Judgement;
import java.util.Optional;

/** Climbs past the first breach until a condition of failure is met. */
final class StaircaseSteps {

    /** Windows in a row in which a condition has to be true. */
    private static final int IN_A_ROW = 2;

    private StaircaseSteps() {}

    static Advice begin(StepPlan.Staircase plan, StepPlanProgress progress, WindowSample window) {
        StepPlanProgress first = progress.climb(window.end());
        return Advice.of(first.wanting(wanted(plan, first), window.loads()), null);
    }

    private static double wanted(StepPlan.Staircase plan, StepPlanProgress progress) {
        return progress.base() * Math.pow(plan.factor(), progress.level());
    }

    static Advice next(StepPlan.Staircase plan, StepPlanProgress before, WindowSample window) {
        double wanted = wanted(plan, before);
        boolean capped = StepPlanDecider.starving(wanted, window);
        boolean there = window.at(Math.min(wanted, window.loads().most()));
        StepPlanProgress progress = before.after(window, there, capped);
        String broken = progress.alarm().raised();
        if (broken != null) {
            progress = progress.with(progress.marks().breached(window, broken));
        }
        Optional<String> failing = window.rules()
                .filter(rule -> plan.until().contains(rule.name()) && rule.judgement() == Judgement.HOLDS)
                .map(RuleResult::name).findFirst();
        if (window.known()) {
            progress = progress.with(progress.marks().failing(failing.isPresent()
                    ? progress.marks().failing() + 1
                    : 0));
        }
        if (failing.isPresent() && progress.marks().failing() >= IN_A_ROW) {
            return failed(progress.with(progress.marks().failed(window, "'" + failing.get() + "'")), window);
        }
        if (!progress.hasCounted(plan.dwell(), window)) {
            return Advice.of(progress.wanting(wanted, window.loads()), null);
        }
        if (progress.marks().firstBreach() == null) {
            progress = progress.with(progress.marks().good(window.arrived()));
        }
        if (capped) {
            RunEnd cap = RunEnd.of(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED, "it has not failed at "
                    + NumberText.round(window.arrived()) + " requests/s, and there is no more: " + breach(progress));
            return Advice.of(progress, cap);
        }
        StepPlanProgress higher = progress.climb(window.end());
        return Advice.of(higher.wanting(wanted(plan, higher), window.loads()), null);
    }

    private static Advice failed(StepPlanProgress progress, WindowSample window) {
        RunEnd found = RunEnd.of(RunOutcome.PASSED, StopCode.BREAKPOINT_FOUND, "it failed at "
                + NumberText.round(window.arrived()) + " requests/s: " + Optional
                        .ofNullable(progress.marks().failure()).map(LoadMilestones.Mark::why).orElse("")
                + "; " + breach(progress));
        return Advice.of(progress, found);
    }

    private static String breach(StepPlanProgress progress) {
        LoadMilestones.Mark first = progress.marks().firstBreach();
        return first == null
                ? "the SLA was not broken before"
                : "the SLA was broken first at " + NumberText.round(first.requestsPerSecond()) + " requests/s";
    }
}
