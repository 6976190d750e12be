// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.NumberText;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
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
     * @param load the load that the SUT should get next, as a search would request it
     * @param progress the plan's progress with this window; absent in a run that was paused before its first window
     * @param end of the plan; absent while it goes on
     */
    public record Advice(SearchAdvice load, @Nullable StepPlanProgress progress, @Nullable RunEnd end) {

        static Advice of(StepPlanProgress progress, @Nullable RunEnd end) {
            return new Advice(load(progress, SearchAdvice.Action.GO), progress, end);
        }

        private static SearchAdvice load(StepPlanProgress progress, SearchAdvice.Action action) {
            return new SearchAdvice(action, progress.target(), phase(progress.stage()), "", progress.step());
        }

        private static SearchAdvice.Phase phase(StepPlanStage stage) {
            return switch (stage) {
                case BASELINE -> SearchAdvice.Phase.BASELINE;
                case RISING -> SearchAdvice.Phase.RAMPING;
                case HOLDING, RECOVERING -> SearchAdvice.Phase.CONFIRMING;
            };
        }
    }

    /** Returns true when the run has a step plan that sets the load; the search's advice does not matter then. */
    static boolean steers(RunFacts facts) {
        return facts.profile() != null && facts.profile().steers();
    }

    /** Returns true when a window is not reliable. */
    static boolean unknown(RunFacts facts, WindowVerdict verdict) {
        return steers(facts) ? verdict.inconclusive() : verdict.unknown();
    }

    /** Advises a run after a window. A paused run stays at its natural load, and its plan waits. */
    static Advice advise(RunState.Searching state, WindowVerdict verdict, Instant now) {
        StepPlanProgress before = state.course().progress();
        WindowSample window = window(state, verdict, now);
        if (state instanceof RunState.Paused) {
            return new Advice(new SearchAdvice(SearchAdvice.Action.HOLD, window.loads().natural(),
                    before == null ? SearchAdvice.Phase.BASELINE : Advice.phase(before.stage()), "",
                    before == null ? 0 : before.step()), before, null);
        }
        StepPlan plan = Objects.requireNonNull(state.facts().profile());
        Advice advice = advise(plan, before, window, state.facts().times().baseline());
        StepPlanProgress next = advice.progress();
        if (before == null || next == null) {
            return advice;
        }
        StepPlanProgress progress = verdict.rateKnown() ? next : next.wantingAs(before);
        boolean down = progress.target() < before.target();
        return new Advice(Advice.load(progress, down ? SearchAdvice.Action.SHED : SearchAdvice.Action.GO), progress,
                advice.end());
    }

    private static WindowSample window(RunState.Searching state, WindowVerdict verdict, Instant now) {
        RunFacts facts = state.facts();
        double rate = verdict.rateKnown() ? verdict.serviceRequestsPerSecond() : 0;
        boolean known = TelemetryStatus.fresh(verdict, now) && !verdict.inconclusive();
        return new WindowSample(verdict, now, known ? verdict.judgement() : Judgement.INCONCLUSIVE,
                state.course().telemetry().lostBefore(verdict),
                new WindowSample.Loads(state.course().share().ratio() * rate, rate,
                        facts.naturalShare().ratio() * rate, facts.bounds().maxShare().ratio() * rate,
                        facts.bounds().maxRaise()));
    }

    /** Adds the findings of the step plan to the end of a run, however it ended. */
    static RunEnd reported(RunFacts facts, RunProgress progress, RunEnd ending) {
        return facts.profile() == null || !facts.profile().steers()
                ? ending
                : ending.with(ProfileFindings.of(facts.profile(), progress.progress()));
    }

    /** Marks the capacity of a bottleneck run as doubtful when no limiting resource was found. */
    static RunEnd attributed(RunFacts facts, RunEnd ending) {
        boolean asked = facts.profile() instanceof StepPlan.Attribution
                && ending.outcome() == RunOutcome.CAPACITY_FOUND;
        SearchConclusion conclusion = ending.conclusion();
        return !asked || (conclusion != null && !conclusion.bottleneck().isEmpty())
                ? ending
                : new RunEnd(ending.outcome(), new StopReason(ending.reason().code(), ending.reason().detail()
                        + "; doubtful: nothing was found that limits it"), ending.estimate(), conclusion);
    }

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
        double natural = window.loads().natural();
        StepPlanProgress progress = before.after(window, true, false);
        String broken = progress.alarm().raised();
        if (broken != null && plan instanceof StepPlan.Recheck && RecheckSteps.isBurst(progress, window)) {
            // No load was moved, so waiting harms nobody.
            return Advice.of(RecheckSteps.afterBurst(progress, window).dropping(natural, progress.step()), null);
        }
        if (broken != null) {
            String detail = (plan instanceof StepPlan.Recheck ? "moved: " : "")
                    + "the SLA is broken at the natural load of " + NumberText.round(natural) + " requests/s: "
                    + broken;
            return Advice.of(progress, brokenBaseline(plan, detail));
        }
        if (plan instanceof StepPlan.Recheck && window.known()) {
            progress = progress.measured(RecheckSteps.natural(window));
        }
        WindowCounts attendance = progress.attendance();
        boolean enough = attendance.known() >= BASELINE_WINDOWS
                && attendance.known() * window.seconds() >= length.toMillis() / 1e3 - 1e-6;
        if (!enough || (plan instanceof StepPlan.Recheck recheck
                && (!window.known() || RecheckSteps.warmingUp(recheck, progress, window)))) {
            return Advice.of(progress.dropping(natural, progress.step()), null);
        }
        return begin(plan, progress.enter(StepPlanStage.RISING, window.end(), natural), window);
    }

    private static RunEnd brokenBaseline(StepPlan plan, String detail) {
        return switch (plan) {
            case StepPlan.Hold hold when hold.drift() == null ->
                RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.SLA_BROKEN, detail);
            case StepPlan.Recheck ignored -> RunEnd.of(RunOutcome.THRESHOLD_FAILED, StopCode.MOVED, detail);
            default -> RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.BASELINE_BROKEN, detail);
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

    /**
     * Rises to a load and stays there.
     *
     * @param hold how long the load has to be there
     * @param progress with this window
     * @param held advises when the load has been there for so long
     */
    static Advice hold(double goal, Duration ramp, Duration hold, StepPlanProgress progress, WindowSample window,
            Function<StepPlanProgress, Advice> held) {
        RunEnd starved = starved(progress, goal, window);
        if (starved != null) {
            return Advice.of(progress, starved);
        }
        StepPlanProgress entered = progress.stage() == StepPlanStage.RISING && window.at(goal)
                ? progress.enter(StepPlanStage.HOLDING, window.end(), window.loads().natural())
                : progress;
        boolean holding = entered.stage() == StepPlanStage.HOLDING;
        if (holding && entered.hasCounted(hold, window)) {
            return held.apply(entered);
        }
        double wanted = holding ? goal : rising(entered, goal, ramp, window);
        return Advice.of(entered.wanting(wanted, window.loads()), null);
    }

    /** Returns the load at this point of the ramp from the natural load to the goal. It grows by the same factor in equal times. */
    static double rising(StepPlanProgress progress, double goal, Duration ramp, WindowSample window) {
        double part = ramp.isZero()
                ? 1
                : Math.clamp(
                        Duration.between(progress.since(), window.end()).plus(window.verdict().windowLength()).toNanos()
                                / (double) ramp.toNanos(),
                        0.0, 1.0);
        double base = progress.base();
        return goal <= base || base <= 0 ? goal : base * Math.pow(goal / base, part);
    }

    /** Returns true when the wanted load is known to be more than the share cap leaves. */
    static boolean starving(double wanted, WindowSample window) {
        return window.loads().known() && wanted > window.loads().most() * (1 + 1e-6);
    }

    /** Returns the end of a plan that has had too little traffic for too long; null otherwise. */
    private static @Nullable RunEnd starved(StepPlanProgress progress, double wanted, WindowSample window) {
        return progress.attendance().starved() * window.seconds() >= STARVED_SECONDS
                ? RunEnd.of(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED,
                        NumberText.round(wanted) + " requests/s are wanted, and the share cap"
                                + " leaves " + NumberText.round(window.loads().most()) + " of the "
                                + NumberText.round(window.loads().service()) + " that the service gets")
                : null;
    }
}
