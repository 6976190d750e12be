// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.lease.ReportedLeaseState;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** Decisions while traffic goes back to natural. */
final class RestoringDecider {

    private RestoringDecider() {}

    static RunDecision decide(RunState.Restoring state, RunEvent event, Instant now) {
        return switch (event) {
            case RunEvent.LeaseStatusArrived status -> status(state, status.report(), now);
            case RunEvent.VerdictArrived arrived -> verdict(state, arrived.verdict(), now);
            case RunEvent.Tick tick -> tick(state, now);
            case RunEvent.TakenOver takenOver -> restarted(state, takenOver, now);
            case RunEvent.ClockJumped jump -> RunDecision.of(state.shifted(jump.by()));
            case RunEvent.Ending ignored -> RunDecision.of(state);
            case RunEvent.PauseRequested ignored -> RunDecision.of(state);
            case RunEvent.ResumeRequested ignored -> RunDecision.of(state);
            case RunEvent.Submitted submitted -> throw new IllegalTransitionException(state, submitted);
            case RunEvent.Approved again -> throw new IllegalTransitionException(state, again);
        };
    }

    /** Restores a run that another controller took over, under a higher epoch. An end that was decided before stays. */
    static RunDecision restarted(RunState.Leased state, RunEvent.TakenOver takenOver, Instant now) {
        RunFacts facts = state.facts().withEpoch(takenOver.epoch());
        RunEnd ending = state instanceof RunState.Restoring restoring
                ? restoring.ending()
                : StopConditions.controllerLost();
        RunProgress progress = state.course().with(state.course().redirectors().unproven(), facts, now);
        return RunDecider.restore(facts, progress, ending, now);
    }

    private static RunDecision status(RunState.Restoring state, RedirectorReport report, Instant now) {
        RunFacts facts = state.facts();
        Redirectors redirectors = state.course().redirectors().after(report, facts, now).withFleetChanges(report);
        boolean proof = report.state() == ReportedLeaseState.NATURAL && report.concerns(facts)
                && report.leaseSequence() >= state.released() && report.anyProxyConnected();
        if (proof) {
            redirectors = redirectors.restored(report.redirector());
        }
        RunState.Restoring reported = state.with(state.course().with(redirectors, facts, now));
        return proof ? finishIfProven(reported, now) : RunDecision.of(reported);
    }

    private static RunDecision verdict(RunState.Restoring state, WindowVerdict verdict, Instant now) {
        if (!verdict.concerns(state.facts()) || !state.course().telemetry().inOrder(verdict)) {
            return RunDecision.of(state);
        }
        boolean reliable = TelemetryStatus.fresh(verdict, now) && !verdict.unknown();
        RunState.Restoring knowing = StepPlanDecider.steers(state.facts())
                ? state
                : state.with(state.ending().knowing(verdict));
        RunState.Restoring seen = knowing.with(state.course().after(state.facts(), verdict, reliable, now))
                .with(state.readBack().after(verdict, state.facts(),
                        state.decidedAt().plus(state.facts().times().leaseTtl()), now));
        return finishIfProven(seen, now);
    }

    private static RunDecision tick(RunState.Restoring state, Instant now) {
        RunDecision proven = finishIfProven(state, now);
        return proven.state() instanceof RunState.Restoring waiting ? awaitProof(waiting, now) : proven;
    }

    private static RunDecision awaitProof(RunState.Restoring state, Instant now) {
        if (!now.isBefore(state.deadline())) {
            return finish(state, expired(state, now), now);
        }
        return state.course().renewed(state.facts(), now)
                .map(progress -> RunDecision.of(state.with(progress),
                        new RunCommand.SendLease(progress.lease().newest())))
                .orElse(RunDecision.of(state));
    }

    private static RestoreProof expired(RunState.Restoring state, Instant now) {
        String silence = "not every proxy acknowledged natural weights within "
                + DurationText.write(Duration.between(state.decidedAt(), state.deadline()))
                + state.course().redirectors().unrestored().map(text -> " (" + text + ")").orElse("")
                + ", the lease ran out";
        return proof(state, now, silence,
                ", and no window has measured the share since: the proxies go back by themselves",
                RestoreProof.Proof.BY_EXPIRY, RestoreProof.Proof.MEASURED_AFTER_EXPIRY,
                RestoreProof.Proof.CONTRADICTED_AFTER_EXPIRY);
    }

    /**
     * Returns the proof by what was measured since the share was given back.
     *
     * @param at when it was given back
     * @param how it was given back, for people
     * @param unseen the rest of the sentence when no window has measured the share
     * @param unmeasured the proof when no window has measured it, or the fleet has changed so that it cannot be compared
     */
    private static RestoreProof proof(RunState.Restoring state, Instant at, String how, String unseen,
            RestoreProof.Proof unmeasured, RestoreProof.Proof measured, RestoreProof.Proof contradicted) {
        Duration since = Duration.between(state.decidedAt(), at);
        // The clock may have been set back meanwhile.
        Duration took = since.isNegative() ? Duration.ZERO : since;
        Share seen = state.readBack().seen();
        if (seen == null) {
            return new RestoreProof(unmeasured, took, how + unseen);
        }
        Optional<String> notComparable = notComparable(seen, state);
        if (notComparable.isPresent()) {
            return new RestoreProof(unmeasured, took, how + ", and " + notComparable.get());
        }
        return state.readBack().natural()
                ? new RestoreProof(measured, took, how + ", and " + measured(seen, state))
                : new RestoreProof(contradicted, took, how + ", and yet " + contradiction(seen, state));
    }

    /**
     * Returns the change of the fleet that explains another share than the natural one: proxies distribute it among healthy
     * instances.
     */
    private static Optional<String> notComparable(Share seen, RunState.Restoring state) {
        RunFacts facts = state.facts();
        boolean less = facts.naturalShare().above(seen);
        return state.readBack().natural()
                ? Optional.empty()
                : state.course().redirectors().fleetChanges()
                        .filter(change -> FleetChanges.explains(change, less, facts.sut()))
                        .findFirst()
                        .map(change -> "whether the share is natural cannot be known: " + FleetChanges.state(change)
                                + ", and " + contradiction(seen, state) + " with the whole fleet");
    }

    private static String measured(Share seen, RunState.Restoring state) {
        return seen.rounded() + " of the traffic arrives at " + state.facts().sut();
    }

    private static String contradiction(Share seen, RunState.Restoring state) {
        return measured(seen, state) + "; natural is " + state.facts().naturalShare().rounded();
    }

    private static RunDecision finishIfProven(RunState.Restoring state, Instant now) {
        Duration silenceLimit = state.facts().times().proof();
        if (!state.course().redirectors().allRestored(state.decidedAt(), silenceLimit, now)) {
            return RunDecision.of(state);
        }
        RunState.Restoring acknowledged = state.with(state.readBack().acknowledged(now));
        boolean over = acknowledged.readBack().over(state.facts().bounds().window(), now)
                || !now.isBefore(state.deadline());
        return over ? finish(acknowledged, proven(acknowledged), now) : RunDecision.of(acknowledged);
    }

    private static RestoreProof proven(RunState.Restoring state) {
        return proof(state, Objects.requireNonNull(state.readBack().acknowledgedAt()),
                "every proxy acknowledged natural weights",
                "; no window has measured the share since", RestoreProof.Proof.ACKNOWLEDGED,
                RestoreProof.Proof.MEASURED, RestoreProof.Proof.CONTRADICTED);
    }

    private static RunDecision finish(RunState.Restoring state, RestoreProof proof, Instant now) {
        RunEnd ending = state.ending();
        RunState.Finished finished = new RunState.Finished(state.facts(), ending, proof, state.harm(),
                state.course().milestones(), state.course().lease().newest(), now);
        RunCommand command = new RunCommand.PublishRun(RunPhase.FINISHED);
        return ending.capacity()
                .map(capacity -> RunDecision.of(finished, command,
                        new RunCommand.RecordCapacity(capacity, ending.lowerBound())))
                .orElse(RunDecision.of(finished, command));
    }
}
