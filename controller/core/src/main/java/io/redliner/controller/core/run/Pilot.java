// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.stepplan.Advised;
import io.redliner.controller.core.stepplan.Answer;
import io.redliner.controller.core.stepplan.Progress;
import io.redliner.controller.core.stepplan.Report;
import io.redliner.controller.core.stepplan.Seen;
import io.redliner.controller.core.stepplan.Stage;
import io.redliner.controller.core.stepplan.StepPlan;
import io.redliner.controller.core.stepplan.Steps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts the advice of a run's own step plan in the place of the search's. What becomes of an advice stays the same: bounds,
 * guards, the telemetry watchdog, the harm budget and the share audit do not know who gave it.
 */
final class Pilot {

    private Pilot() {}

    /**
     * What is to be followed.
     *
     * @param verdict with the advice to follow
     * @param progress of the step plan; absent when the search is followed
     * @param end of the step plan; absent while it goes on
     */
    record Word(WindowVerdict verdict, @Nullable Progress progress, @Nullable Ending end) {}

    /** Whether the run has a plan of its own that says what load is wanted. */
    static boolean steers(RunFacts facts) {
        return facts.profile() != null && facts.profile().steers();
    }

    /** Whether a window says nothing reliable; of a run that steers itself, the search's advice is no part of it. */
    static boolean unknown(RunFacts facts, WindowVerdict verdict) {
        return steers(facts) ? verdict.with(HEARD).unknown() : verdict.unknown();
    }

    static Word word(RunState.Searching state, WindowVerdict verdict, Instant now) {
        StepPlan plan = state.facts().profile();
        if (plan == null || !plan.steers()) {
            return new Word(verdict, null, null);
        }
        Progress before = state.course().progress();
        if (state instanceof RunState.Paused) {
            return new Word(verdict.with(paused(state.facts(), verdict, before)), before, null);
        }
        Advised advised = Steps.advise(plan, before, seen(state, verdict, now),
                state.facts().times().baseline());
        Progress progress = advised.progress();
        double held = before == null ? progress.target() : before.target();
        AdviceAction action = progress.target() > held
                ? AdviceAction.GO
                : progress.target() < held ? AdviceAction.SHED : AdviceAction.HOLD;
        Advice advice = new Advice(action, progress.target(), phase(progress.stage()), advised.reason(),
                progress.step());
        Answer answer = advised.answer();
        return new Word(verdict.with(advice), progress, answer == null ? null : ending(answer));
    }

    private static Advice paused(RunFacts facts, WindowVerdict verdict, @Nullable Progress progress) {
        double natural = verdict.rateKnown() ? facts.naturalShare().ratio() * verdict.serviceRequestsPerSecond() : 0;
        return progress == null
                ? new Advice(AdviceAction.HOLD, natural, SearchPhase.BASELINE, "the run is paused", 0)
                : new Advice(AdviceAction.HOLD, natural, phase(progress.stage()), "the run is paused", progress.step());
    }

    /** What a run found that has a step plan, however it ended. */
    static Ending reported(RunFacts facts, Course course, Ending ending) {
        return facts.profile() == null || !facts.profile().steers()
                ? ending
                : ending.with(Report.of(facts.profile(), course.progress()));
    }

    /** A capacity without what limited it is half an answer to the question for the bottleneck. */
    static Ending attributed(RunFacts facts, Ending ending) {
        boolean asked = facts.profile() instanceof StepPlan.Attribution && ending.outcome() == Outcome.CAPACITY_FOUND;
        Conclusion conclusion = ending.conclusion();
        return !asked || (conclusion != null && !conclusion.bottleneck().isEmpty())
                ? ending
                : new Ending(ending.outcome(), new StopReason(ending.reason().code(), ending.reason().detail()
                        + "; doubtful: nothing was found that limits it"), ending.estimate(), conclusion);
    }

    private static SearchPhase phase(Stage stage) {
        return switch (stage) {
            case BASELINE -> SearchPhase.BASELINE;
            case RISING -> SearchPhase.RAMPING;
            case HOLDING, RECOVERING -> SearchPhase.CONFIRMING;
        };
    }

    private static Seen seen(RunState.Searching state, WindowVerdict verdict, Instant now) {
        RunFacts facts = state.facts();
        double rate = verdict.rateKnown() ? verdict.serviceRequestsPerSecond() : 0;
        boolean known = Telemetry.fresh(verdict, now) && !unknown(facts, verdict);
        Seen.Traffic traffic = new Seen.Traffic(verdict.sut().requestsPerSecond(),
                state.course().share().ratio() * rate, rate, facts.naturalShare().ratio() * rate,
                facts.bounds().maxShare().ratio() * rate, facts.bounds().maxRaise());
        List<Seen.RuleSeen> rules = new ArrayList<>();
        verdict.sla().forEach(rule -> rules.add(seen(rule, false)));
        verdict.guards().forEach(rule -> rules.add(seen(rule, true)));
        return new Seen(now, verdict.windowStart(), verdict.windowLength(),
                known ? health(verdict.judgement()) : Seen.Health.UNKNOWN,
                state.course().telemetry().lostBefore(verdict), traffic, rules, verdict.sut().latencyP50(),
                verdict.sut().latencyP99());
    }

    /** Stands for the advice of the search, which does not matter here. */
    private static final Advice HEARD = new Advice(AdviceAction.HOLD, 0, SearchPhase.UNKNOWN, "", 0);

    private static Seen.RuleSeen seen(RuleResult rule, boolean guard) {
        RuleResult.Proportion counts = rule.proportion();
        return new Seen.RuleSeen(rule.name(), rule.informational(), guard, health(rule.judgement()), rule.value(),
                counts == null
                        ? null
                        : new Seen.Counts(counts.requests(), counts.exceeding(), counts.allowedRatio()));
    }

    private static Seen.Health health(Judgement judgement) {
        return switch (judgement) {
            case HOLDS -> Seen.Health.HEALTHY;
            case BREACHED -> Seen.Health.BROKEN;
            case INCONCLUSIVE -> Seen.Health.UNKNOWN;
        };
    }

    private static Ending ending(Answer answer) {
        Outcome outcome = switch (answer.kind()) {
            case SLA_HELD, RECOVERED, BREAKPOINT_FOUND -> Outcome.PASSED;
            case SLA_BROKEN, NOT_RECOVERED, DRIFTING -> Outcome.THRESHOLD_FAILED;
            case EXHAUSTED -> Outcome.TRAFFIC_EXHAUSTED;
            case SLA_UNCLEAR, BASELINE_BROKEN, RULE_UNANSWERED, WINDOWS_MISSING, DRIFT_UNKNOWN -> Outcome.INCONCLUSIVE;
        };
        return Ending.of(outcome, code(answer.kind()), answer.words());
    }

    private static StopCode code(Answer.Kind kind) {
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
        };
    }

    /** The plan's end, or the search's. */
    static Optional<Ending> answer(RunFacts facts, Word word) {
        return steers(facts)
                ? Optional.ofNullable(word.end())
                : Steering.answer(word.verdict()).map(found -> attributed(facts, found));
    }
}
