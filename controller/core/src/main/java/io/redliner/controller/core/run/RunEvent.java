// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.capacity.KnownCapacity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event in the life of a run. */
public sealed interface RunEvent {

    /** Returns the name in the journal and in the API: a test holds the names of the types. */
    default String kind() {
        return getClass().getSimpleName();
    }

    /** Returns true when the event ends the run and restores its traffic, whatever came before. */
    default boolean endsRun() {
        return switch (this) {
            case VerdictArrived arrived -> arrived.verdict().brokenGuard().isPresent();
            case Ending ignored -> true;
            case Submitted ignored -> false;
            case LeaseStatusArrived ignored -> false;
            case Tick ignored -> false;
            case PauseRequested ignored -> false;
            case ResumeRequested ignored -> false;
            case Approved ignored -> false;
            case TakenOver ignored -> false;
        };
    }

    /** Returns true when people are shown the event only if it changes the share. */
    default boolean routine() {
        return this instanceof Tick || this instanceof LeaseStatusArrived;
    }

    /** Returns the reason that the user or the analyzer gave; empty without one. */
    default String reason() {
        return "";
    }

    /** An event that ends a run with a lease out, and restores its traffic. */
    sealed interface Ending extends RunEvent {}

    /**
     * A run was submitted and is to begin.
     *
     * @param redirectors the redirectors that were alive then
     */
    record Submitted(List<String> redirectors) implements RunEvent {

        public Submitted {
            redirectors = List.copyOf(redirectors);
        }
    }

    /** A window was judged. */
    record VerdictArrived(WindowVerdict verdict) implements RunEvent {

        @Override
        public String reason() {
            return verdict.advice().reason();
        }
    }

    /** A redirector reported its state of the service. */
    record LeaseStatusArrived(RedirectorReport report) implements RunEvent {}

    /** Time passed. */
    record Tick() implements RunEvent {}

    /** A user asked to end the run. */
    record AbortRequested(String reason) implements Ending {}

    /** A record could not be delivered to Kafka. {@code what} names it for people. */
    record NotDelivered(String what, String reason) implements Ending {}

    /** This controller is about to stop. */
    record ControllerStopping() implements Ending {}

    /** A user asked for natural traffic until the run is resumed. */
    record PauseRequested(String reason) implements RunEvent {}

    /** A user asked to resume a paused run. */
    record ResumeRequested(String reason) implements RunEvent {}

    /**
     * A second person approved the run, which waited for it.
     *
     * @param by the person's name
     * @param redirectors the redirectors that are alive now
     * @param naturalShare natural share of the SUT now
     * @param until the beginning of the next freeze, when traffic has to be natural; absent when no freeze begins during the run
     * @param elsewhere see {@link RunFacts}; absent when the value at the submission stays
     * @param known what earlier runs have found by now; absent when the run builds on none
     * @param profile the step plan by what is known now; absent when the one at the submission stays
     */
    record Approved(String by, String reason, List<String> redirectors, Share naturalShare, @Nullable Instant until,
            @Nullable Share elsewhere, @Nullable KnownCapacity known, @Nullable StepPlan profile)
            implements
                RunEvent {

        public Approved {
            redirectors = List.copyOf(redirectors);
        }
    }

    /**
     * This controller's clock was set to another time.
     *
     * @param by positive when the clock was set forward
     */
    record ClockJumped(Duration by) implements Ending {}

    /** The kill switch or a freeze ends the run. */
    record Halted(StopCode code, String reason) implements Ending {}

    /**
     * A controller took over a run that no controller drove.
     *
     * @param epoch higher than every earlier one, so the run's earlier executor is fenced
     * @param redirectors the redirectors that reported to this controller recently
     * @param lastHealthyVerdictAt when this controller received the last fresh verdict without a finding; absent when it
     *            received none, or one with a finding since
     */
    record TakenOver(long epoch, List<String> redirectors, @Nullable Instant lastHealthyVerdictAt) implements RunEvent {

        public TakenOver {
            redirectors = List.copyOf(redirectors);
        }
    }
}
