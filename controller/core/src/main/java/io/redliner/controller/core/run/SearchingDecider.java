// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decisions while the run follows the search or its step plan: the next share, and the end when the harm budget allows no
 * other window.
 */
final class SearchingDecider {

    private SearchingDecider() {}

    static RunDecision decide(RunState.Searching state, RunEvent event, Instant now) {
        return switch (event) {
            case RunEvent.VerdictArrived arrived -> verdict(state, arrived.verdict(), now);
            case RunEvent.LeaseStatusArrived status -> status(state, status.report(), now);
            case RunEvent.Tick tick -> tick(state, now);
            case RunEvent.Ending ending -> end(state, StopConditions.requested(ending), now);
            case RunEvent.TakenOver takenOver -> TakeoverDecider.decide(state, takenOver, now);
            case RunEvent.PauseRequested ignored -> PausedDecider.pause(state, now);
            case RunEvent.ResumeRequested ignored -> PausedDecider.resume(state, now);
            case RunEvent.Submitted submitted -> throw new IllegalTransitionException(state, submitted);
            case RunEvent.Approved again -> throw new IllegalTransitionException(state, again);
        };
    }

    private static RunDecision status(RunState.Searching state, RedirectorReport report, Instant now) {
        RunFacts facts = state.facts();
        RunProgress progress = state.course().with(state.course().redirectors().after(report, facts, now), facts, now);
        return StopConditions.reported(report, progress, facts, now)
                .map(refused -> RunDecider.restore(state, progress, refused, now))
                .orElse(RunDecision.of(state.with(progress)));
    }

    private static RunDecision verdict(RunState.Searching state, WindowVerdict verdict, Instant now) {
        if (!verdict.concerns(state.facts())) {
            return RunDecision.of(state);
        }
        RunProgress before = state.course();
        Optional<RuleResult> guard = verdict.brokenGuard();
        if (!before.telemetry().inOrder(verdict)) {
            return guard.isPresent() ? end(state, StopConditions.guard(guard.get()), now) : RunDecision.of(state);
        }
        StepPlanDecider.Advice planned = StepPlanDecider.steers(state.facts())
                ? StepPlanDecider.advise(state, verdict, now)
                : null;
        SearchAdvice wanted = planned == null ? verdict.advice() : planned.load();
        RunEnd end = planned == null ? answer(state.facts(), verdict) : planned.end();
        boolean reliable = TelemetryStatus.fresh(verdict, now) && !StepPlanDecider.unknown(state.facts(), verdict)
                && !wentBack(state, wanted.phase());
        RunProgress progress = (planned == null ? before : before.with(planned.progress()))
                .after(state.facts(), verdict, wanted.step(), reliable, true, now);
        if (state instanceof RunState.Paused) {
            progress = progress.paused();
        }
        Optional<RunEnd> ending = ending(state, progress, guard, verdict, wanted, end, now);
        return ending.isPresent()
                ? RunDecider.restore(state, progress, ending.get(), now)
                : follow(state, progress, verdict, wanted, reliable, now);
    }

    private static Optional<RunEnd> ending(RunState.Searching state, RunProgress progress, Optional<RuleResult> guard,
            WindowVerdict verdict, SearchAdvice wanted, @Nullable RunEnd end, Instant now) {
        Optional<RunEnd> unfit = StopConditions.ownLimit(state.facts(), verdict)
                .or(() -> guard.map(StopConditions::guard));
        if (unfit.isPresent()) {
            return unfit;
        }
        if (end != null && !(state instanceof RunState.Paused)) {
            return Optional.of(end);
        }
        if (progress.telemetry().consecutiveInconclusive() >= TelemetryStatus.INCONCLUSIVE_TO_END) {
            return Optional.of(StopConditions.telemetryLost(TelemetryStatus.INCONCLUSIVE_TO_END
                    + " windows in a row without an answer, the last: " + doubt(state, verdict, wanted.phase(), now)));
        }
        if (progress.audit().lasting()) {
            return Optional.of(StopConditions.shareNotFollowed(state.facts(), progress.share(), verdict.sut()));
        }
        return Optional.empty();
    }

    /** Returns the end that the search itself reached; null while it goes on. */
    private static @Nullable RunEnd answer(RunFacts facts, WindowVerdict verdict) {
        return answer(verdict).map(found -> StepPlanDecider.attributed(facts, found)).orElse(null);
    }

    static Optional<RunEnd> answer(WindowVerdict verdict) {
        CapacityEstimate estimate = verdict.estimate();
        boolean usable = estimate != null && estimate.usable();
        return switch (verdict.advice().action()) {
            case DONE -> Optional.of(usable
                    ? found(RunOutcome.CAPACITY_FOUND, StopCode.CAPACITY_FOUND, verdict)
                    : RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.SEARCH_GAVE_UP,
                            "the search ended without an estimate"));
            case EXHAUSTED -> Optional.of(usable
                    ? found(RunOutcome.TRAFFIC_EXHAUSTED, StopCode.TRAFFIC_EXHAUSTED, verdict)
                    : RunEnd.of(RunOutcome.INCONCLUSIVE, StopCode.SEARCH_GAVE_UP,
                            "the traffic ended without an estimate"));
            case GIVE_UP -> Optional.of(gaveUp(verdict));
            case HOLD, GO, SHED, NONE -> Optional.empty();
        };
    }

    /** Returns the end with an answer. When a check makes the result invalid, it is the end without one, whatever the advice. */
    private static RunEnd found(RunOutcome outcome, StopCode code, WindowVerdict verdict) {
        return objection(verdict).isPresent()
                ? gaveUp(verdict)
                : new RunEnd(outcome, new StopReason(code, verdict.advice().reason()), verdict.estimate(),
                        verdict.conclusion());
    }

    static RunEnd gaveUp(WindowVerdict verdict) {
        StopReason reason = objection(verdict)
                .map(check -> new StopReason(StopCode.INVALID, invalid(verdict.advice(), check)))
                .orElse(new StopReason(StopCode.SEARCH_GAVE_UP, verdict.advice().reason()));
        return new RunEnd(RunOutcome.INCONCLUSIVE, reason, verdict.estimate(), verdict.conclusion());
    }

    /**
     * Returns the detail of an invalid result. The reason of a search that gave up stands first, since the check may fail because
     * of it.
     */
    private static String invalid(SearchAdvice advice, SearchConclusion.ValidityCheck check) {
        String failed = "check " + check.name() + ": " + check.words();
        return advice.action() == SearchAdvice.Action.GIVE_UP && !advice.reason().isEmpty()
                && !advice.reason().contains(check.words()) ? advice.reason() + "; " + failed : failed;
    }

    private static Optional<SearchConclusion.ValidityCheck> objection(WindowVerdict verdict) {
        return Optional.ofNullable(verdict.conclusion()).flatMap(SearchConclusion::objection);
    }

    private static RunDecision follow(RunState.Searching state, RunProgress progress, WindowVerdict verdict,
            SearchAdvice wanted, boolean reliable, Instant now) {
        RunFacts facts = state.facts();
        RunProgress before = state.course();
        Step step = before.step();
        Share stepShare = step != null && step.number() == wanted.step() ? step.startShare() : null;
        Share share = state instanceof RunState.Paused
                ? facts.naturalShare()
                : ShareDecider.after(verdict, wanted, reliable, facts, before, stepShare, now);
        if (progress.telemetry().consecutiveInconclusive() >= TelemetryStatus.INCONCLUSIVE_TO_NATURAL) {
            share = share.min(facts.naturalShare());
        }
        double risk = share.above(facts.naturalShare()) ? Harm.risk(share, verdict, now) : 0;
        if (progress.harm().windows() > 0
                && progress.harm().requests() + risk > progress.harm().allowed(facts.bounds())) {
            return RunDecider.restore(state, progress,
                    StopConditions.harm(progress.harm(), risk, facts.bounds(), verdict.estimate()), now);
        }
        List<RunCommand> commands = new ArrayList<>();
        RunProgress asked = progress.requestShare(facts, share, now).renewedAlongside(facts, now);
        RunProgress next = account(asked, before.share(), verdict, wanted, commands, now);
        if (asked.lease().newest().sequence() > before.lease().newest().sequence()) {
            commands.addFirst(new RunCommand.SendLease(next.lease().newest()));
        }
        RunState.Searching mirrored = mirror(state, wanted.phase(), reliable, next);
        if (mirrored.phase() != state.phase()) {
            commands.add(new RunCommand.PublishRun(mirrored.phase()));
        }
        return new RunDecision(mirrored, commands);
    }

    /**
     * Counts the window into the step it belongs to.
     *
     * @param startShare the share before the window's verdict: where its step begins, if it is the step's first
     */
    private static RunProgress account(RunProgress progress, Share startShare, WindowVerdict verdict,
            SearchAdvice wanted, List<RunCommand> commands, Instant now) {
        Step step = progress.step();
        if (step == null || wanted.step() > step.number()) {
            if (step != null) {
                commands.add(new RunCommand.RecordStep(step.endedAt(now)));
            }
            step = Step.begin(wanted, startShare, now);
        }
        return progress.with(step.with(verdict, wanted, progress.share(), now));
    }

    private static RunState.Searching mirror(RunState.Searching state, SearchAdvice.Phase phase, boolean reliable,
            RunProgress progress) {
        if (!reliable || state instanceof RunState.Paused) {
            return state.with(progress);
        }
        return switch (phase) {
            case RAMPING -> new RunState.Ramping(state.facts(), progress);
            case CONFIRMING -> new RunState.Confirming(state.facts(), progress);
            case BASELINE, ENDED, UNKNOWN -> state.with(progress);
        };
    }

    /** Returns true when the search lost its state: it measures the baseline again although the run is past it. */
    private static boolean wentBack(RunState.Searching state, SearchAdvice.Phase search) {
        RunPhase phase = state instanceof RunState.Paused paused ? paused.before() : state.phase();
        return search == SearchAdvice.Phase.BASELINE && phase != RunPhase.BASELINE;
    }

    private static String doubt(RunState.Searching state, WindowVerdict verdict, SearchAdvice.Phase search,
            Instant now) {
        if (!TelemetryStatus.fresh(verdict, now)) {
            return "the window that ended at " + verdict.windowEnd() + " was judged too late";
        }
        return wentBack(state, search) ? "the search went back to its baseline" : verdict.doubt();
    }

    private static RunDecision tick(RunState.Searching state, Instant now) {
        RunFacts facts = state.facts();
        RunProgress progress = state.course();
        Optional<RunEnd> ending = StopConditions.overdue(state, now).or(() -> lostLease(facts, progress, now));
        if (ending.isPresent()) {
            return end(state, ending.get(), now);
        }
        Duration window = facts.bounds().window();
        if (progress.telemetry().silentFor(RunTimeouts.watchdogEnd(window), now)) {
            return RunDecider.restore(state, progress.afterSilence(facts, now), StopConditions.telemetryLost(
                    "no fresh verdict for more than " + DurationText.write(RunTimeouts.watchdogEnd(window))
                            + (state instanceof RunState.Paused ? ", while the run was paused" : "")),
                    now);
        }
        if (progress.telemetry().unanswered(now).compareTo(RunTimeouts.watchdog(window)) > 0
                && progress.share().above(facts.naturalShare())) {
            return asking(state, progress.requestShare(facts, facts.naturalShare(), now));
        }
        @Nullable
        RunProgress renewed = state.course().renewed(state.facts(), now).orElse(null);
        return renewed == null ? RunDecision.of(state) : asking(state, renewed);
    }

    private static Optional<RunEnd> lostLease(RunFacts facts, RunProgress progress, Instant now) {
        Duration silenceLimit = facts.times().redirectorSilence();
        Redirectors redirectors = progress.redirectors();
        if (redirectors.lost(silenceLimit, now)) {
            return Optional.of(redirectors.fallenSilent(silenceLimit, now)
                    .map(name -> RunEnd.of(RunOutcome.FAILED, StopCode.REDIRECTOR_SILENT, "redirector " + name
                            + " has been silent for more than " + DurationText.write(silenceLimit)))
                    .orElseGet(() -> RunEnd.of(RunOutcome.FAILED, StopCode.LEASE_LOST,
                            "no redirector with a connected proxy has had the lease in force for more than "
                                    + DurationText.write(silenceLimit) + ": "
                                    + redirectors.behind(progress.lease().newest().sequence()))));
        }
        return progress.lease()
                .acknowledged(redirectors.applied(silenceLimit, now))
                .overdue(facts, now)
                .filter(lease -> redirectors.slow(lease.sequence(),
                        lease.sentAt().plus(facts.times().acknowledgement().dividedBy(2)), silenceLimit, now))
                .findFirst()
                .map(lease -> RunEnd.of(RunOutcome.FAILED, StopCode.LEASE_NOT_ACKNOWLEDGED,
                        "lease " + lease.sequence() + " was not in force within "
                                + DurationText.write(facts.times().acknowledgement()) + ": "
                                + redirectors.behind(lease.sequence())));
    }

    private static RunDecision asking(RunState.Searching state, RunProgress progress) {
        return RunDecision.of(state.with(progress), new RunCommand.SendLease(progress.lease().newest()));
    }

    private static RunDecision end(RunState.Searching state, RunEnd ending, Instant now) {
        return RunDecider.restore(state, state.course(), ending, now);
    }
}
