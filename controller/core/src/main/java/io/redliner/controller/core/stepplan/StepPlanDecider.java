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
    public static Advice advise(StepPlan plan, @Nullable StepPlanProgress before, WindowSample window,
            Duration baseline) {
        StepPlanProgress progress = before == null ? StepPlanProgress.begin(window) : before;
        if (progress.stage() == StepPlanStage.BASELINE) {
            return baseline(plan, progress, window, baseline);
        }
        return switch (plan) {
            case StepPlan.Hold hold -> HoldSteps.next(hold, progress, window);
            case StepPlan.Overload overload -> OverloadSteps.next(overload, progress, window);
            case StepPlan.Staircase staircase -> StaircaseSteps.next(staircase, progress, window);
            case StepPlan.Recheck recheck -> RecheckSteps.next(recheck, progress, window);
            case StepPlan.Attribution none -> throw new IllegalArgumentException(none + " does not steer");
        };
    }

    private static Advice baseline(StepPlan plan, StepPlanProgress before, WindowSample window, Duration length) {
        double natural = window.traffic().natural();
        StepPlanProgress progress = before.with(before.attendance().after(window, true, false),
                before.alarm().after(window));
        String broken = progress.alarm().raised();
        if (broken != null && plan instanceof StepPlan.Recheck && RecheckSteps.isBurst(progress, window)) {
            // No load was moved, so waiting harms nobody.
            return new Advice(RecheckSteps.afterBurst(progress, window).dropping(natural, progress.step()), null);
        }
        if (broken != null) {
            return new Advice(progress, new StepPlanResult(kindOfBrokenBaseline(plan),
                    (plan instanceof StepPlan.Recheck ? "moved: " : "") + "the SLA is broken at the natural load of "
                            + NumberText.round(natural) + " requests/s: " + broken));
        }
        if (plan instanceof StepPlan.Recheck && window.known()) {
            progress = progress.measured(RecheckSteps.natural(window));
        }
        WindowCounts attendance = progress.attendance();
        boolean enough = attendance.known() >= BASELINE_WINDOWS
                && attendance.known() * window.seconds() >= length.toMillis() / 1e3 - 1e-6;
        if (!enough
                || (plan instanceof StepPlan.Recheck recheck && RecheckSteps.warmingUp(recheck, progress, window))) {
            return new Advice(progress.dropping(natural, progress.step()), null);
        }
        return begin(plan, progress.enter(StepPlanStage.RISING, window.end(), natural), window);
    }

    private static StepPlanResult.Kind kindOfBrokenBaseline(StepPlan plan) {
        return switch (plan) {
            case StepPlan.Hold hold when hold.drift() == null -> StepPlanResult.Kind.SLA_BROKEN;
            case StepPlan.Recheck ignored -> StepPlanResult.Kind.MOVED;
            default -> StepPlanResult.Kind.BASELINE_BROKEN;
        };
    }

    private static Advice begin(StepPlan plan, StepPlanProgress progress, WindowSample window) {
        return switch (plan) {
            case StepPlan.Hold hold -> HoldSteps.begin(hold, progress, window);
            case StepPlan.Overload overload -> OverloadSteps.begin(overload, progress, window);
            case StepPlan.Staircase staircase -> StaircaseSteps.begin(staircase, progress, window);
            case StepPlan.Recheck recheck -> RecheckSteps.begin(recheck, progress, window);
            case StepPlan.Attribution none -> throw new IllegalArgumentException(none + " does not steer");
        };
    }

    /** The load at this point of the ramp from the natural load to the goal. It grows by the same factor in equal times. */
    static double rising(StepPlanProgress progress, double goal, Duration ramp, WindowSample window) {
        double part = ramp.isZero()
                ? 1
                : Math.clamp(Duration.between(progress.since(), window.end()).plus(window.length()).toNanos()
                        / (double) ramp.toNanos(), 0.0, 1.0);
        double base = progress.base();
        return goal <= base || base <= 0 ? goal : base * Math.pow(goal / base, part);
    }

    /** Returns true when the wanted load is known to be more than the share cap leaves. */
    static boolean starving(double wanted, WindowSample window) {
        return window.traffic().known() && wanted > window.traffic().most() * (1 + 1e-6);
    }

    /** The end of a plan that has had too little traffic for too long; null otherwise. */
    static @Nullable StepPlanResult starved(StepPlanProgress progress, double wanted, WindowSample window) {
        return progress.attendance().starved() * window.seconds() >= STARVED_SECONDS
                ? new StepPlanResult(StepPlanResult.Kind.EXHAUSTED,
                        NumberText.round(wanted) + " requests/s are wanted, and the share cap"
                                + " leaves " + NumberText.round(window.traffic().most()) + " of the "
                                + NumberText.round(window.traffic().service()) + " that the service gets")
                : null;
    }
}
