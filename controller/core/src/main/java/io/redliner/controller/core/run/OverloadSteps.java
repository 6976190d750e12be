// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;

/** Goes to a load that may be too much, drops it, and waits for health. */
final class OverloadSteps {

    private OverloadSteps() {}

    static StepPlanDecider.Advice begin(StepPlan.Overload plan, StepPlanProgress progress, WindowSample window) {
        WindowSample.Traffic traffic = window.traffic();
        double goal = plan.goal().at(traffic.service());
        if (plan.ramp().isZero() && goal > traffic.maxRaise() * traffic.natural() * (1 + 1e-6)) {
            return new StepPlanDecider.Advice(progress,
                    new StepPlanResult(StepPlanResult.Kind.EXHAUSTED, "a leap to " + NumberText.round(goal)
                            + " requests/s is " + NumberText.round(goal / traffic.natural())
                            + " times the natural load of "
                            + NumberText.round(traffic.natural()) + ", and maxRaise allows "
                            + NumberText.round(traffic.maxRaise())));
        }
        return new StepPlanDecider.Advice(
                progress.wanting(StepPlanDecider.rising(progress, goal, plan.ramp(), window), traffic),
                null);
    }

    static StepPlanDecider.Advice next(StepPlan.Overload plan, StepPlanProgress before, WindowSample window) {
        return before.stage() == StepPlanStage.RECOVERING
                ? recovering(plan, before, window)
                : loaded(plan, before, window);
    }

    private static StepPlanDecider.Advice loaded(StepPlan.Overload plan, StepPlanProgress before, WindowSample window) {
        double goal = plan.goal().at(window.traffic().service());
        boolean there = window.at(goal);
        StepPlanProgress progress = before.with(
                before.attendance().after(window, there, StepPlanDecider.starving(goal, window)),
                before.alarm().after(window));
        String broken = progress.alarm().raised();
        if (broken != null) {
            progress = progress.with(progress.marks().breached(window, broken));
        }
        StepPlanResult starved = StepPlanDecider.starved(progress, goal, window);
        if (starved != null) {
            return new StepPlanDecider.Advice(progress, starved);
        }
        if (progress.stage() == StepPlanStage.RISING && there) {
            progress = progress.enter(StepPlanStage.HOLDING, window.end(), window.traffic().natural());
        }
        boolean holding = progress.stage() == StepPlanStage.HOLDING;
        if (holding && progress.attendance().counted() * window.seconds() >= plan.hold().toMillis() / 1e3 - 1e-6) {
            StepPlanProgress dropped = progress
                    .enter(StepPlanStage.RECOVERING, window.now(), window.traffic().natural())
                    .with(RecoveryProgress.begin(window.now()))
                    .dropping(window.traffic().natural());
            return new StepPlanDecider.Advice(dropped, null);
        }
        double wanted = holding ? goal : StepPlanDecider.rising(progress, goal, plan.ramp(), window);
        return new StepPlanDecider.Advice(progress.wanting(wanted, window.traffic()), null);
    }

    private static StepPlanDecider.Advice recovering(StepPlan.Overload plan, StepPlanProgress before,
            WindowSample window) {
        RecoveryProgress recovery = before.recovery() == null
                ? RecoveryProgress.begin(window.now())
                : before.recovery();
        RecoveryProgress next = recovery.after(window);
        StepPlanProgress progress = before.with(before.attendance().after(window, true, false), before.alarm())
                .with(next)
                .dropping(window.traffic().natural(), before.step());
        if (next.took() != null) {
            StepPlanResult recovered = new StepPlanResult(StepPlanResult.Kind.RECOVERED, "healthy again "
                    + NumberText.measure(next.took().toMillis() / 1e3, "seconds") + " after " + plan.goal()
                    + " went away"
                    + (progress.marks().firstBreach() == null ? "; the SLA held all the time" : ""));
            return new StepPlanDecider.Advice(progress, recovered);
        }
        if (next.over(plan.recovery(), window.end())) {
            String time = NumberText.measure(plan.recovery().toMillis() / 1e3, "seconds");
            StepPlanResult late = next.broken()
                    ? new StepPlanResult(StepPlanResult.Kind.NOT_RECOVERED,
                            "not healthy within " + time + " after " + plan.goal()
                                    + " went away")
                    : new StepPlanResult(StepPlanResult.Kind.WINDOWS_MISSING,
                            "too many windows said nothing in the " + time + " after the load went away");
            return new StepPlanDecider.Advice(progress, late);
        }
        return new StepPlanDecider.Advice(progress, null);
    }
}
