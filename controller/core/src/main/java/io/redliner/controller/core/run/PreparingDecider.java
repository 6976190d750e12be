// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decisions while the layout is being established. */
final class PreparingDecider {

    private PreparingDecider() {}

    static RunDecision decide(RunState.Preparing state, RunEvent event, Instant now) {
        return switch (event) {
            case RunEvent.LeaseStatusArrived status -> status(state, status.report(), now);
            case RunEvent.VerdictArrived arrived -> verdict(state, arrived.verdict(), now);
            case RunEvent.Tick tick -> tick(state, now);
            case RunEvent.Ending ending -> end(state, StopConditions.requested(ending), now);
            case RunEvent.TakenOver takenOver -> TakeoverDecider.decide(state, takenOver, now);
            case RunEvent.PauseRequested ignored -> RunDecision.of(state);
            case RunEvent.ResumeRequested ignored -> RunDecision.of(state);
            case RunEvent.Submitted submitted -> throw new IllegalTransitionException(state, submitted);
            case RunEvent.Approved again -> throw new IllegalTransitionException(state, again);
        };
    }

    private static RunDecision status(RunState.Preparing state, RedirectorReport report, Instant now) {
        RunFacts facts = state.facts();
        RunProgress progress = state.course().with(state.course().redirectors().after(report, facts, now), facts, now);
        Optional<RunEnd> refused = StopConditions.reported(report, progress, facts, now);
        return refused.isPresent()
                ? RunDecider.restore(state, progress, refused.get(), now)
                : goOnIfReady(state.with(progress), now);
    }

    private static RunDecision verdict(RunState.Preparing state, WindowVerdict verdict, Instant now) {
        if (!verdict.concerns(state.facts())) {
            return RunDecision.of(state);
        }
        Optional<RuleResult> guard = verdict.brokenGuard();
        if (!state.course().telemetry().inOrder(verdict)) {
            return guard.isPresent() ? end(state, StopConditions.guard(guard.get()), now) : RunDecision.of(state);
        }
        boolean reliable = TelemetryStatus.fresh(verdict, now) && !StepPlanDecider.unknown(state.facts(), verdict);
        RunProgress progress = state.course().after(state.facts(), verdict, reliable, now);
        Optional<RunEnd> ending = StopConditions.ownLimit(state.facts(), verdict)
                .or(() -> guard.map(StopConditions::guard));
        if (ending.isPresent()) {
            return RunDecider.restore(state, progress, ending.get(), now);
        }
        if (verdict.advice().action() == SearchAdvice.Action.GIVE_UP && !StepPlanDecider.steers(state.facts())) {
            return RunDecider.restore(state, progress, SearchingDecider.gaveUp(verdict), now);
        }
        return goOnIfReady(new RunState.Preparing(state.facts(), progress, state.deadline(),
                state.preflight().after(verdict, reliable)), now);
    }

    private static RunDecision goOnIfReady(RunState.Preparing state, Instant now) {
        return stands(state, now) && state.preflight().missing(state.facts()).isEmpty()
                ? RunDecision.of(new RunState.Baseline(state.facts(), state.course()),
                        new RunCommand.PublishRun(RunPhase.BASELINE))
                : RunDecision.of(state);
    }

    private static RunDecision tick(RunState.Preparing state, Instant now) {
        Optional<RunEnd> overdue = StopConditions.overdue(state, now);
        if (overdue.isPresent()) {
            return end(state, overdue.get(), now);
        }
        if (!now.isBefore(state.deadline())) {
            return end(state, notReady(state, now), now);
        }
        return state.course().renewed(state.facts(), now)
                .map(progress -> RunDecision.of(state.with(progress),
                        new RunCommand.SendLease(progress.lease().newest())))
                .orElse(RunDecision.of(state));
    }

    /**
     * Returns the end of a run that was not ready in time: inconclusive when only the preflight kept it, failed when a part of
     * RedLiner did.
     */
    private static RunEnd notReady(RunState.Preparing state, Instant now) {
        List<String> preflight = state.preflight().missing(state.facts());
        return stands(state, now)
                ? RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.PREFLIGHT,
                        "preflight: " + String.join("; ", preflight) + "; no traffic was moved")
                : RunEnd.of(RunOutcome.FAILED, StopCode.PREPARATION_TIMEOUT,
                        "not ready in time: " + String.join("; ", missing(state, now)));
    }

    /** Returns true when the lease is in force and telemetry of the SUT arrives. */
    private static boolean stands(RunState.Preparing state, Instant now) {
        RunFacts facts = state.facts();
        return state.course().redirectors().applied(facts.times().redirectorSilence(), now) >= 1
                && state.course().telemetry().sutSeen(facts.bounds().window(), now);
    }

    private static List<String> missing(RunState.Preparing state, Instant now) {
        RunProgress progress = state.course();
        RunFacts facts = state.facts();
        List<String> missing = new ArrayList<>();
        Duration silence = facts.times().redirectorSilence();
        progress.redirectors()
                .silent(silence, now)
                .ifPresent(name -> missing.add("redirector " + name + " is silent"));
        if (progress.redirectors().applied(silence, now) == 0) {
            missing.add("the lease is not in force: " + progress.redirectors().behind(1));
        }
        if (progress.telemetry().lastVerdictAt() == null) {
            missing.add("no fresh verdict has arrived: is the analyzer running, and does the collector see traffic?");
        } else if (!progress.telemetry().sutSeen(facts.bounds().window(), now)) {
            missing.add(state.preflight().traffic().noneToSut(facts)
                    .orElse("no verdict shows requests at " + facts.sut()
                            + ": does the service's traffic come through its proxies?"));
        }
        return missing;
    }

    private static RunDecision end(RunState.Preparing state, RunEnd ending, Instant now) {
        return RunDecider.restore(state, state.course(), ending, now);
    }
}
