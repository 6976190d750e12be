// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;
import io.redliner.sla.Judgement;
import java.util.Optional;

/** Climbs past the first breach until a condition of failure is met. */
final class StaircaseSteps {

    /** Windows in a row in which a condition has to be true. */
    private static final int IN_A_ROW = 2;

    private StaircaseSteps() {}

    static StepPlanDecider.Advice begin(StepPlan.Staircase plan, StepPlanProgress progress, WindowSample window) {
        StepPlanProgress first = progress.climb(window.end());
        return new StepPlanDecider.Advice(first.wanting(wanted(plan, first), window.traffic()), null);
    }

    private static double wanted(StepPlan.Staircase plan, StepPlanProgress progress) {
        return progress.base() * Math.pow(plan.factor(), progress.level());
    }

    static StepPlanDecider.Advice next(StepPlan.Staircase plan, StepPlanProgress before, WindowSample window) {
        double wanted = wanted(plan, before);
        boolean capped = StepPlanDecider.starving(wanted, window);
        boolean there = window.at(Math.min(wanted, window.traffic().most()));
        StepPlanProgress progress = before.with(before.attendance().after(window, there, capped),
                before.alarm().after(window));
        String broken = progress.alarm().raised();
        if (broken != null) {
            progress = progress.with(progress.marks().breached(window, broken));
        }
        Optional<String> failing = window.rules().stream()
                .filter(rule -> plan.until().contains(rule.name()) && rule.health() == Judgement.HOLDS)
                .map(WindowSample.RuleSeen::name).findFirst();
        if (window.known()) {
            progress = progress.with(progress.marks().failing(failing.isPresent()
                    ? progress.marks().failing() + 1
                    : 0));
        }
        if (failing.isPresent() && progress.marks().failing() >= IN_A_ROW) {
            return failed(progress.with(progress.marks().failed(window, "'" + failing.get() + "'")), window);
        }
        if (progress.attendance().counted() * window.seconds() < plan.dwell().toMillis() / 1e3 - 1e-6) {
            return new StepPlanDecider.Advice(progress.wanting(wanted, window.traffic()), null);
        }
        if (progress.marks().firstBreach() == null) {
            progress = progress.with(progress.marks().good(window.traffic().arrived()));
        }
        if (capped) {
            StepPlanResult cap = new StepPlanResult(StepPlanResult.Kind.EXHAUSTED, "it has not failed at "
                    + NumberText.round(window.traffic().arrived()) + " requests/s, and there is no more: "
                    + breach(progress));
            return new StepPlanDecider.Advice(progress, cap);
        }
        StepPlanProgress higher = progress.climb(window.end());
        return new StepPlanDecider.Advice(higher.wanting(wanted(plan, higher), window.traffic()), null);
    }

    private static StepPlanDecider.Advice failed(StepPlanProgress progress, WindowSample window) {
        StepPlanResult found = new StepPlanResult(StepPlanResult.Kind.BREAKPOINT_FOUND, "it failed at "
                + NumberText.round(window.traffic().arrived()) + " requests/s: " + Optional
                        .ofNullable(progress.marks().failure()).map(LoadMilestones.Mark::why).orElse("")
                + "; " + breach(progress));
        return new StepPlanDecider.Advice(progress, found);
    }

    private static String breach(StepPlanProgress progress) {
        LoadMilestones.Mark first = progress.marks().firstBreach();
        return first == null
                ? "the SLA was not broken before"
                : "the SLA was broken first at " + NumberText.round(first.requestsPerSecond()) + " requests/s";
    }
}
