// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import io.redliner.controller.plan.NumberText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next load, as a pure function of the windows so far.
 *
 * <pre>
 * Baseline   --enough windows----------------------------&gt; Rising, or Holding when nothing is to be raised
 * Rising     --the load is there-------------------------&gt; Holding
 * Holding    --long enough-------------------------------&gt; an answer; with stress and spike: Recovering
 * Recovering --healthy again, or not in time-------------&gt; an answer
 * </pre>
 *
 * A climb stays in Rising. Bounds, guards, the harm budget and lost telemetry are the run's concern, not the plan's.
 */
public final class StepPlanDecider {

    /** Fewest windows in which the natural load is measured. */
    public static final int BASELINE_WINDOWS = 5;

    /** Time without enough traffic after which the plan ends. */
    private static final double STARVED_SECONDS = 10;

    private StepPlanDecider() {}

    /**
     * The advice of a step plan after a window.
     *
     * @param progress the plan's progress with this window
     * @param answer its end; absent while it goes on
     */
    public record Advice(StepPlanProgress progress, @Nullable StepPlanResult answer) {}

    /**
     * Advises after a window.
     *
     * @param before the progress so far; absent before the first window
     * @param baseline how long the natural load is measured, and at least {@value #BASELINE_WINDOWS} windows
     * @throws IllegalArgumentException when the plan does not steer
     */
    public static Advice advise(StepPlan plan, @Nullable StepPlanProgress before, WindowSample seen,
            Duration baseline) {
        StepPlanProgress progress = before == null ? StepPlanProgress.begin(seen) : before;
        if (progress.stage() == StepPlanStage.BASELINE) {
            return baseline(plan, progress, seen, baseline);
        }
        return switch (plan) {
            case StepPlan.Hold hold -> HoldSteps.next(hold, progress, seen);
            case StepPlan.Overload surge -> OverloadSteps.next(surge, progress, seen);
            case StepPlan.Staircase climb -> StaircaseSteps.next(climb, progress, seen);
            case StepPlan.Attribution none -> throw new IllegalArgumentException(none + " does not steer");
        };
    }

    private static Advice baseline(StepPlan plan, StepPlanProgress before, WindowSample seen, Duration length) {
        double natural = seen.traffic().natural();
        StepPlanProgress progress = before.with(before.attendance().after(seen, true, false),
                before.alarm().after(seen));
        String broken = progress.alarm().raised();
        if (broken != null) {
            return new Advice(progress, new StepPlanResult(
                    plan instanceof StepPlan.Hold hold && hold.drift() == null
                            ? StepPlanResult.Kind.SLA_BROKEN
                            : StepPlanResult.Kind.BASELINE_BROKEN,
                    "the SLA is broken at the natural load of " + NumberText.round(natural) + " requests/s: "
                            + broken));
        }
        WindowCounts attendance = progress.attendance();
        boolean enough = attendance.known() >= BASELINE_WINDOWS
                && attendance.known() * seen.seconds() >= length.toMillis() / 1e3 - 1e-6;
        if (!enough) {
            return new Advice(progress.dropping(natural, progress.step()), null);
        }
        return begin(plan, progress.enter(StepPlanStage.RISING, seen.end(), natural), seen);
    }

    private static Advice begin(StepPlan plan, StepPlanProgress progress, WindowSample seen) {
        return switch (plan) {
            case StepPlan.Hold hold -> HoldSteps.begin(hold, progress, seen);
            case StepPlan.Overload surge -> OverloadSteps.begin(surge, progress, seen);
            case StepPlan.Staircase climb -> StaircaseSteps.begin(climb, progress, seen);
            case StepPlan.Attribution none -> throw new IllegalArgumentException(none + " does not steer");
        };
    }

    /** The load on the way from the natural one to the goal: in equal factors, so that each raise is as large. */
    static double rising(StepPlanProgress progress, double goal, Duration ramp, WindowSample seen) {
        double part = ramp.isZero()
                ? 1
                : Math.clamp(Duration.between(progress.since(), seen.end()).plus(seen.length()).toNanos()
                        / (double) ramp.toNanos(), 0.0, 1.0);
        double base = progress.base();
        return goal <= base || base <= 0 ? goal : base * Math.pow(goal / base, part);
    }

    /** Returns whether more is wanted than there is; how much there is may be unknown. */
    static boolean starving(double wanted, WindowSample seen) {
        return seen.traffic().known() && wanted > seen.traffic().most() * (1 + 1e-6);
    }

    /** An end, when there has been too little traffic for too long. */
    static @Nullable StepPlanResult starved(StepPlanProgress progress, double wanted, WindowSample seen) {
        return progress.attendance().starved() * seen.seconds() >= STARVED_SECONDS
                ? new StepPlanResult(StepPlanResult.Kind.EXHAUSTED,
                        NumberText.round(wanted) + " requests/s are wanted, and the share cap"
                                + " leaves " + NumberText.round(seen.traffic().most()) + " of the "
                                + NumberText.round(seen.traffic().service()) + " that the service gets")
                : null;
    }
}
