// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.run.StepPlanDecider.Advice;
import io.redliner.controller.plan.NumberText;

/** Goes to a load that may be too much, drops it, and waits for health. */
final class OverloadSteps {

    private OverloadSteps() {}

    static Advice begin(StepPlan.Overload plan, StepPlanProgress progress, WindowSample window) {
        WindowSample.Loads loads = window.loads();
        double goal = plan.goal().at(loads.service());
        if (plan.ramp().isZero() && goal > loads.maxRaise() * loads.natural() * (1 + 1e-6)) {
            return Advice.of(progress, RunEnd.of(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED,
                    "a leap to " + NumberText.round(goal)
                            + " requests/s is " + NumberText.round(goal / loads.natural())
                            + " times the natural load of "
                            + NumberText.round(loads.natural()) + ", and maxRaise allows "
                            + NumberText.round(loads.maxRaise())));
        }
        return Advice.of(
                progress.wanting(StepPlanDecider.rising(progress, goal, plan.ramp(), window), loads), null);
    }

    static Advice next(StepPlan.Overload plan, StepPlanProgress before, WindowSample window) {
        return before.stage() == StepPlanStage.RECOVERING
                ? recovering(plan, before, window)
                : loaded(plan, before, window);
    }

    private static Advice loaded(StepPlan.Overload plan, StepPlanProgress before, WindowSample window) {
        double goal = plan.goal().at(window.loads().service());
        StepPlanProgress progress = before.after(window, window.at(goal), StepPlanDecider.starving(goal, window));
        String broken = progress.alarm().raised();
        if (broken != null) {
            progress = progress.with(progress.marks().breached(window, broken));
        }
        return StepPlanDecider.hold(goal, plan.ramp(), plan.hold(), progress, window,
                held -> Advice.of(held.enter(StepPlanStage.RECOVERING, window.now(), window.loads().natural())
                        .with(RecoveryProgress.begin(window.now()))
                        .dropping(window.loads().natural()), null));
    }

    private static Advice recovering(StepPlan.Overload plan, StepPlanProgress before, WindowSample window) {
        RecoveryProgress recovery = before.recovery() == null
                ? RecoveryProgress.begin(window.now())
                : before.recovery();
        RecoveryProgress next = recovery.after(window);
        StepPlanProgress progress = before.with(before.attendance().after(window, true, false), before.alarm())
                .with(next)
                .dropping(window.loads().natural(), before.step());
        if (next.took() != null) {
            RunEnd recovered = RunEnd.of(RunOutcome.PASSED, StopCode.RECOVERED, "healthy again "
                    + NumberText.measure(next.took().toMillis() / 1e3, "seconds") + " after " + plan.goal()
                    + " went away"
                    + (progress.marks().firstBreach() == null ? "; the SLA held all the time" : ""));
            return Advice.of(progress, recovered);
        }
        if (next.over(plan.recovery(), window.end())) {
            String time = NumberText.measure(plan.recovery().toMillis() / 1e3, "seconds");
            RunEnd late = next.broken()
                    ? RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.NOT_RECOVERED,
                            "not healthy within " + time + " after " + plan.goal()
                                    + " went away")
                    : RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.WINDOWS_MISSING,
                            "too many windows said nothing in the " + time + " after the load went away");
            return Advice.of(progress, late);
        }
        return Advice.of(progress, null);
    }
}
