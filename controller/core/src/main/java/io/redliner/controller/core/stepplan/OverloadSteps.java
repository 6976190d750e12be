// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import io.redliner.controller.plan.NumberText;

/** Goes to a load that may be too much, drops it, and waits for health. */
final class OverloadSteps {

    private OverloadSteps() {}

    static StepPlanDecider.Advice begin(StepPlan.Overload plan, StepPlanProgress progress, WindowSample seen) {
        WindowSample.Traffic traffic = seen.traffic();
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
                progress.wanting(StepPlanDecider.rising(progress, goal, plan.ramp(), seen), traffic),
                null);
    }

    static StepPlanDecider.Advice next(StepPlan.Overload plan, StepPlanProgress before, WindowSample seen) {
        return before.stage() == StepPlanStage.RECOVERING ? recovering(plan, before, seen) : loaded(plan, before, seen);
    }

    private static StepPlanDecider.Advice loaded(StepPlan.Overload plan, StepPlanProgress before, WindowSample seen) {
        double goal = plan.goal().at(seen.traffic().service());
        boolean there = seen.at(goal);
        StepPlanProgress progress = before.with(
                before.attendance().after(seen, there, StepPlanDecider.starving(goal, seen)),
                before.alarm().after(seen));
        String broken = progress.alarm().raised();
        if (broken != null) {
            progress = progress.with(progress.marks().breached(seen, broken));
        }
        StepPlanResult starved = StepPlanDecider.starved(progress, goal, seen);
        if (starved != null) {
            return new StepPlanDecider.Advice(progress, starved);
        }
        if (progress.stage() == StepPlanStage.RISING && there) {
            progress = progress.enter(StepPlanStage.HOLDING, seen.end(), seen.traffic().natural());
        }
        boolean holding = progress.stage() == StepPlanStage.HOLDING;
        if (holding && progress.attendance().counted() * seen.seconds() >= plan.hold().toMillis() / 1e3 - 1e-6) {
            StepPlanProgress dropped = progress.enter(StepPlanStage.RECOVERING, seen.now(), seen.traffic().natural())
                    .with(RecoveryProgress.begin(seen.now()))
                    .dropping(seen.traffic().natural());
            return new StepPlanDecider.Advice(dropped, null);
        }
        double wanted = holding ? goal : StepPlanDecider.rising(progress, goal, plan.ramp(), seen);
        return new StepPlanDecider.Advice(progress.wanting(wanted, seen.traffic()), null);
    }

    private static StepPlanDecider.Advice recovering(StepPlan.Overload plan, StepPlanProgress before,
            WindowSample seen) {
        RecoveryProgress recovery = before.recovery() == null ? RecoveryProgress.begin(seen.now()) : before.recovery();
        RecoveryProgress next = recovery.after(seen);
        StepPlanProgress progress = before.with(before.attendance().after(seen, true, false), before.alarm())
                .with(next)
                .dropping(seen.traffic().natural(), before.step());
        if (next.took() != null) {
            StepPlanResult recovered = new StepPlanResult(StepPlanResult.Kind.RECOVERED, "healthy again "
                    + NumberText.measure(next.took().toMillis() / 1e3, "seconds") + " after " + plan.goal()
                    + " went away"
                    + (progress.marks().firstBreach() == null ? "; the SLA held all the time" : ""));
            return new StepPlanDecider.Advice(progress, recovered);
        }
        if (next.over(plan.recovery(), seen.end())) {
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
