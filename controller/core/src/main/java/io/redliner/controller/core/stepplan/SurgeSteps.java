// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

/** Goes to a load that may be too much, drops it, and waits for health. */
final class SurgeSteps {

    private SurgeSteps() {}

    static Advised begin(StepPlan.Surge plan, Progress progress, Seen seen) {
        Seen.Traffic traffic = seen.traffic();
        double goal = plan.goal().at(traffic.service());
        if (plan.ramp().isZero() && goal > traffic.maxRaise() * traffic.natural() * (1 + 1e-6)) {
            return new Advised(progress, "", new Answer(Answer.Kind.EXHAUSTED, "a leap to " + Words.brief(goal)
                    + " requests/s is " + Words.brief(goal / traffic.natural()) + " times the natural load of "
                    + Words.brief(traffic.natural()) + ", and maxRaise allows " + Words.brief(traffic.maxRaise())));
        }
        return new Advised(progress.wanting(Steps.rising(progress, goal, plan.ramp(), seen), traffic),
                "to " + plan.goal(), null);
    }

    static Advised next(StepPlan.Surge plan, Progress before, Seen seen) {
        return before.stage() == Stage.RECOVERING ? recovering(plan, before, seen) : loaded(plan, before, seen);
    }

    private static Advised loaded(StepPlan.Surge plan, Progress before, Seen seen) {
        double goal = plan.goal().at(seen.traffic().service());
        boolean there = seen.at(goal);
        Progress progress = before.with(before.attendance().after(seen, there, Steps.starving(goal, seen)),
                before.alarm().after(seen));
        String broken = progress.alarm().raised();
        if (broken != null) {
            progress = progress.with(progress.marks().breached(seen, broken));
        }
        Answer starved = Steps.starved(progress, goal, seen);
        if (starved != null) {
            return new Advised(progress, starved.words(), starved);
        }
        if (progress.stage() == Stage.RISING && there) {
            progress = progress.enter(Stage.HOLDING, seen.end(), seen.traffic().natural());
        }
        boolean holding = progress.stage() == Stage.HOLDING;
        if (holding && progress.attendance().counted() * seen.seconds() >= plan.hold().toMillis() / 1e3 - 1e-6) {
            Progress dropped = progress.enter(Stage.RECOVERING, seen.now(), seen.traffic().natural())
                    .with(Comeback.begin(seen.now()))
                    .dropping(seen.traffic().natural());
            return new Advised(dropped, "the load goes away", null);
        }
        double wanted = holding ? goal : Steps.rising(progress, goal, plan.ramp(), seen);
        return new Advised(progress.wanting(wanted, seen.traffic()), (holding ? "holding " : "rising to ")
                + plan.goal(), null);
    }

    private static Advised recovering(StepPlan.Surge plan, Progress before, Seen seen) {
        Comeback comeback = before.comeback() == null ? Comeback.begin(seen.now()) : before.comeback();
        Comeback next = comeback.after(seen);
        Progress progress = before.with(before.attendance().after(seen, true, false), before.alarm())
                .with(next)
                .dropping(seen.traffic().natural(), before.step());
        if (next.took() != null) {
            Answer recovered = new Answer(Answer.Kind.RECOVERED, "healthy again "
                    + Words.seconds(next.took().toMillis() / 1e3) + " after " + plan.goal() + " went away"
                    + (progress.marks().firstBreach() == null ? "; the SLA held all the time" : ""));
            return new Advised(progress, recovered.words(), recovered);
        }
        if (next.over(plan.recovery(), seen.end())) {
            String time = Words.seconds(plan.recovery().toMillis() / 1e3);
            Answer late = next.broken()
                    ? new Answer(Answer.Kind.NOT_RECOVERED, "not healthy within " + time + " after " + plan.goal()
                            + " went away")
                    : new Answer(Answer.Kind.WINDOWS_MISSING,
                            "too many windows said nothing in the " + time + " after the load went away");
            return new Advised(progress, late.words(), late);
        }
        return new Advised(progress, "waiting for health: " + next.healthy() + " of " + Comeback.ENOUGH
                + " healthy windows in a row", null);
    }
}
