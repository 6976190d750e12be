// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.stepplan.ProfileFindings;
import io.redliner.controller.core.stepplan.StepPlan;
import io.redliner.controller.core.stepplan.StepPlanDecider;
import io.redliner.controller.core.stepplan.StepPlanProgress;
import io.redliner.controller.core.stepplan.StepPlanResult;
import io.redliner.controller.core.stepplan.StepPlanStage;
import io.redliner.controller.core.stepplan.WindowSample;
import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks a run's own step plan for the load after a window, and translates its results. */
final class StepPlanAdapter {

    private StepPlanAdapter() {}

    /** Returns true when the run has a step plan that sets the load. */
    static boolean steers(RunFacts facts) {
        return facts.profile() != null && facts.profile().steers();
    }

    /**
     * Returns true when a window is not reliable. In a run whose step plan sets the load, the search's advice does not
     * matter.
     */
    static boolean unknown(RunFacts facts, WindowVerdict verdict) {
        return steers(facts) ? verdict.inconclusive() : verdict.unknown();
    }

    /** The load that the run's step plan wants after a window. A paused run stays at its natural load, and its plan waits. */
    static DesiredLoad wanted(RunState.Searching state, WindowVerdict verdict, Instant now) {
        StepPlanProgress before = state.course().progress();
        if (state instanceof RunState.Paused) {
            return paused(state.facts(), verdict, before);
        }
        StepPlan plan = Objects.requireNonNull(state.facts().profile());
        StepPlanDecider.Advice advised = StepPlanDecider.advise(plan, before, windowSample(state, verdict, now),
                state.facts().times().baseline());
        StepPlanProgress progress = before == null || verdict.rateKnown()
                ? advised.progress()
                : advised.progress().wantingAs(before);
        boolean down = before != null && progress.target() < before.target();
        StepPlanResult answer = advised.answer();
        return new DesiredLoad(progress.target(), down, phase(progress.stage()), progress.step(), progress,
                answer == null ? null : ending(answer));
    }

    private static DesiredLoad paused(RunFacts facts, WindowVerdict verdict, @Nullable StepPlanProgress progress) {
        double natural = verdict.rateKnown() ? facts.naturalShare().ratio() * verdict.serviceRequestsPerSecond() : 0;
        return progress == null
                ? new DesiredLoad(natural, false, SearchAdvice.Phase.BASELINE, 0, null, null)
                : new DesiredLoad(natural, false, phase(progress.stage()), progress.step(), progress, null);
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

    private static SearchAdvice.Phase phase(StepPlanStage stage) {
        return switch (stage) {
            case BASELINE -> SearchAdvice.Phase.BASELINE;
            case RISING -> SearchAdvice.Phase.RAMPING;
            case HOLDING, RECOVERING -> SearchAdvice.Phase.CONFIRMING;
        };
    }

    private static WindowSample windowSample(RunState.Searching state, WindowVerdict verdict, Instant now) {
        RunFacts facts = state.facts();
        double rate = verdict.rateKnown() ? verdict.serviceRequestsPerSecond() : 0;
        boolean known = TelemetryStatus.fresh(verdict, now) && !unknown(facts, verdict);
        WindowSample.Traffic traffic = new WindowSample.Traffic(verdict.sut().requestsPerSecond(),
                state.course().share().ratio() * rate, rate, facts.naturalShare().ratio() * rate,
                facts.bounds().maxShare().ratio() * rate, facts.bounds().maxRaise());
        List<WindowSample.RuleSeen> rules = new ArrayList<>();
        verdict.sla().forEach(rule -> rules.add(ruleSeen(rule, false)));
        verdict.guards().forEach(rule -> rules.add(ruleSeen(rule, true)));
        return new WindowSample(now, verdict.windowStart(), verdict.windowLength(),
                known ? verdict.judgement() : Judgement.INCONCLUSIVE,
                state.course().telemetry().lostBefore(verdict), traffic, rules,
                new WindowSample.Levels(verdict.sut().latencyP50(), verdict.sut().latencyP99(),
                        verdict.sut().cpu()));
    }

    private static WindowSample.RuleSeen ruleSeen(RuleResult rule, boolean guard) {
        return new WindowSample.RuleSeen(rule.name(), rule.informational(), guard, rule.judgement(), rule.value(),
                rule.proportion(), rule.reason());
    }

    private static RunEnd ending(StepPlanResult answer) {
        RunOutcome outcome = switch (answer.kind()) {
            case SLA_HELD, RECOVERED, BREAKPOINT_FOUND, AS_BEFORE -> RunOutcome.PASSED;
            case SLA_BROKEN, NOT_RECOVERED, DRIFTING, MOVED -> RunOutcome.THRESHOLD_FAILED;
            case EXHAUSTED -> RunOutcome.TRAFFIC_EXHAUSTED;
            case SLA_UNCLEAR, BASELINE_BROKEN, RULE_UNANSWERED, WINDOWS_MISSING, DRIFT_UNKNOWN, MOVE_UNKNOWN ->
                RunOutcome.INCONCLUSIVE;
        };
        return RunEnd.of(outcome, code(answer.kind()), answer.words());
    }

    private static StopCode code(StepPlanResult.Kind kind) {
        return switch (kind) {
            case SLA_HELD -> StopCode.SLA_HELD;
            case SLA_BROKEN -> StopCode.SLA_BROKEN;
            case SLA_UNCLEAR -> StopCode.SLA_UNCLEAR;
            case BASELINE_BROKEN -> StopCode.BASELINE_BROKEN;
            case RECOVERED -> StopCode.RECOVERED;
            case NOT_RECOVERED -> StopCode.NOT_RECOVERED;
            case BREAKPOINT_FOUND -> StopCode.BREAKPOINT_FOUND;
            case DRIFTING -> StopCode.DRIFTING;
            case EXHAUSTED -> StopCode.TRAFFIC_EXHAUSTED;
            case RULE_UNANSWERED -> StopCode.RULE_UNANSWERED;
            case WINDOWS_MISSING -> StopCode.WINDOWS_MISSING;
            case DRIFT_UNKNOWN -> StopCode.DRIFT_UNKNOWN;
            case AS_BEFORE -> StopCode.AS_BEFORE;
            case MOVED -> StopCode.MOVED;
            case MOVE_UNKNOWN -> StopCode.MOVE_UNKNOWN;
        };
    }
}
