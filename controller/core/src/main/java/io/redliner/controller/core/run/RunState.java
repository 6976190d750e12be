// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run. Each state carries only its own data. See {@link RunDecider} for the transitions.
 */
public sealed interface RunState {

    /** Returns the facts that stay the same in all states. */
    RunFacts facts();

    /** Returns the phase that the run is in. */
    default RunPhase phase() {
        return switch (this) {
            case Pending ignored -> RunPhase.PENDING;
            case Preparing ignored -> RunPhase.PREPARING;
            case Baseline ignored -> RunPhase.BASELINE;
            case Ramping ignored -> RunPhase.RAMPING;
            case Confirming ignored -> RunPhase.CONFIRMING;
            case Paused ignored -> RunPhase.PAUSED;
            case Restoring ignored -> RunPhase.RESTORING;
            case Finished ignored -> RunPhase.FINISHED;
        };
    }

    /** Returns the end of the run; absent before it is decided. */
    default @Nullable RunEnd ending() {
        return null;
    }

    /** Returns the requested share; the natural one while there is no lease. */
    default Share askedShare() {
        return facts().naturalShare();
    }

    /** Cost of the run to its users so far. */
    default HarmDone harm() {
        return HarmDone.NONE;
    }

    /** Returns the same state with other bounds. */
    default RunState bounded(RunBounds bounds) {
        RunFacts other = facts().bounded(bounds);
        return switch (this) {
            case Pending ignored -> new Pending(other);
            case Preparing preparing -> preparing.with(other, preparing.course());
            case Searching searching -> searching.with(other, searching.course());
            case Restoring back -> new Restoring(other, back.ending(), back.course(), back.decidedAt(), back.released(),
                    back.deadline(), back.readBack());
            case Finished end -> new Finished(other, end.ending(), end.restored(), end.harm(), end.milestones(),
                    end.release(), end.finishedAt());
        };
    }

    /** Registered; no lease was sent. */
    record Pending(RunFacts facts) implements RunState {}

    /** A state in which a lease was sent. */
    sealed interface Leased extends RunState {

        /** Returns the progress of the run. */
        RunProgress course();

        /** Returns the lease that restores natural traffic now. */
        default Lease release(Instant now) {
            return course().lease().release(facts(), now).newest();
        }

        @Override
        default Share askedShare() {
            return course().share();
        }

        @Override
        default HarmDone harm() {
            return course().harm().done(facts().bounds());
        }

        /** Returns true when another state differs from this one only in the redirectors' reports. False while restoring. */
        default boolean differsInRedirectorsOnly(RunState other) {
            if (!(other instanceof Leased leased)) {
                return false;
            }
            RunProgress reported = course().withReportsOf(leased.course());
            return switch (this) {
                case Preparing preparing -> preparing.with(reported).equals(other);
                case Searching searching -> searching.with(reported).equals(other);
                case Restoring ignored -> false;
            };
        }
    }

    /**
     * The layout is being established at the natural share.
     *
     * @param deadline the instant at which the run fails if it is not ready
     * @param preflight the conditions for a start, from the verdicts so far
     */
    record Preparing(RunFacts facts, RunProgress course, Instant deadline, Preflight preflight) implements Leased {

        public Preparing {
            preflight = preflight == null ? Preflight.NONE : preflight;
        }

        Preparing with(RunProgress newProgress) {
            return with(facts, newProgress);
        }

        Preparing with(RunFacts newFacts, RunProgress newProgress) {
            return new Preparing(newFacts, newProgress, deadline, preflight);
        }
    }

    /** Follows the search. */
    sealed interface Searching extends Leased {

        /** Returns the same phase, under other facts. */
        Searching with(RunFacts newFacts, RunProgress newProgress);

        /** Returns the same phase, further on. */
        default Searching with(RunProgress newProgress) {
            return with(facts(), newProgress);
        }
    }

    /** Measures at the natural share. */
    record Baseline(RunFacts facts, RunProgress course) implements Searching {

        @Override
        public Baseline with(RunFacts newFacts, RunProgress newProgress) {
            return new Baseline(newFacts, newProgress);
        }
    }

    /** Searches for the capacity. */
    record Ramping(RunFacts facts, RunProgress course) implements Searching {

        @Override
        public Ramping with(RunFacts newFacts, RunProgress newProgress) {
            return new Ramping(newFacts, newProgress);
        }
    }

    /** Confirms the capacity that it has found. */
    record Confirming(RunFacts facts, RunProgress course) implements Searching {

        @Override
        public Confirming with(RunFacts newFacts, RunProgress newProgress) {
            return new Confirming(newFacts, newProgress);
        }
    }

    /**
     * Stays at the natural share because a user asked for it; the search waits.
     *
     * @param before the phase in which it goes on
     */
    record Paused(RunFacts facts, RunProgress course, RunPhase before) implements Searching {

        @Override
        public Paused with(RunFacts newFacts, RunProgress newProgress) {
            return new Paused(newFacts, newProgress, before);
        }

        /** Returns to the phase before the pause. */
        Searching resumed(RunProgress newProgress) {
            return switch (before) {
                case BASELINE -> new Baseline(facts, newProgress);
                case RAMPING -> new Ramping(facts, newProgress);
                case CONFIRMING -> new Confirming(facts, newProgress);
                case PENDING, PREPARING, PAUSED, RESTORING, FINISHED ->
                    throw new IllegalStateException("a run was paused in phase " + before);
            };
        }
    }

    /**
     * The lease was released; waits for the proof that traffic is natural.
     *
     * @param decidedAt when the end was decided
     * @param released the sequence of the first lease that released the share
     * @param deadline when the wait ends
     * @param readBack the measurement of the natural share since
     */
    record Restoring(RunFacts facts, RunEnd ending, RunProgress course, Instant decidedAt, long released,
            Instant deadline, RestoreVerification readBack) implements Leased {

        public Restoring {
            readBack = readBack == null ? RestoreVerification.NONE : readBack;
        }

        Restoring with(RunProgress newProgress) {
            return new Restoring(facts, ending, newProgress, decidedAt, released, deadline, readBack);
        }

        /** Shifts the instants after a jump of the clock, so that the wait takes as long as before. */
        Restoring shifted(Duration by) {
            return new Restoring(facts, ending, course, decidedAt.plus(by), released, deadline.plus(by),
                    readBack.shifted(by));
        }

        Restoring with(RestoreVerification newReadBack) {
            return new Restoring(facts, ending, course, decidedAt, released, deadline, newReadBack);
        }

        Restoring with(RunEnd newEnding) {
            return new Restoring(facts, newEnding, course, decidedAt, released, deadline, readBack);
        }
    }

    /**
     * The run is over.
     *
     * @param release the last lease that released the share; absent when there never was a lease
     */
    record Finished(RunFacts facts, RunEnd ending, RestoreProof restored, HarmDone harm, Milestones milestones,
            @Nullable Lease release, Instant finishedAt) implements RunState {

        /** Returns true when traffic is known to be natural again, and no more requests were harmed than allowed. */
        public boolean safe() {
            return restored.proven() && harm.within();
        }

        /** Returns the time from the submission to the end. */
        public Duration duration() {
            return Duration.between(facts.submittedAt(), finishedAt);
        }
    }
}
