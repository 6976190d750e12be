// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens to a run. */
public sealed interface RunEvent {

    /** What it is called in the journal and in the API, whatever the type is called. */
    default String kind() {
        return switch (this) {
            case Submitted ignored -> "Submitted";
            case VerdictArrived ignored -> "VerdictArrived";
            case LeaseStatusArrived ignored -> "LeaseStatusArrived";
            case Tick ignored -> "Tick";
            case AbortRequested ignored -> "AbortRequested";
            case NotDelivered ignored -> "NotDelivered";
            case ControllerStopping ignored -> "ControllerStopping";
            case PauseRequested ignored -> "PauseRequested";
            case ResumeRequested ignored -> "ResumeRequested";
            case Approved ignored -> "Approved";
            case ClockJumped ignored -> "ClockJumped";
            case Halted ignored -> "Halted";
            case TakenOver ignored -> "TakenOver";
        };
    }

    /** Whether the run gives its traffic back because of it, whatever came before. */
    default boolean endsRun() {
        return switch (this) {
            case VerdictArrived arrived -> arrived.verdict().brokenGuard().isPresent();
            case AbortRequested ignored -> true;
            case NotDelivered ignored -> true;
            case ControllerStopping ignored -> true;
            case ClockJumped ignored -> true;
            case Halted ignored -> true;
            default -> false;
        };
    }

    /** Whether people want to read of it only when the share moves because of it. */
    default boolean routine() {
        return this instanceof Tick || this instanceof LeaseStatusArrived;
    }

    /** What somebody said about it; empty when nobody did. */
    default String reason() {
        return "";
    }

    /**
     * It is to begin.
     *
     * @param redirectors those that were alive when it was submitted
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

    /** A redirector said something of the service. */
    record LeaseStatusArrived(RedirectorReport report) implements RunEvent {}

    /** Time passed. */
    record Tick() implements RunEvent {}

    /** Somebody asked to end it. */
    record AbortRequested(String reason) implements RunEvent {}

    /** A record could not be delivered to Kafka. */
    record NotDelivered(String what, String reason) implements RunEvent {}

    /** This controller is about to stop. */
    record ControllerStopping() implements RunEvent {}

    /** Somebody wants natural traffic for a while, without ending the run. */
    record PauseRequested(String reason) implements RunEvent {}

    /** Somebody wants a paused run to go on. */
    record ResumeRequested(String reason) implements RunEvent {}

    /**
     * A second person lets a run begin that waited for it.
     *
     * @param by who
     * @param redirectors those that are alive now
     * @param naturalShare of the SUT now
     * @param until traffic has to be natural by then; absent when no freeze is in reach
     * @param elsewhere see {@link RunFacts}; absent where what the run was submitted with counts
     */
    record Approved(String by, String reason, List<String> redirectors, Ppm naturalShare, @Nullable Instant until,
            @Nullable Ppm elsewhere)
            implements
                RunEvent {

        public Approved {
            redirectors = List.copyOf(redirectors);
        }
    }

    /**
     * This controller's clock was set to another time.
     *
     * @param by positive when it is ahead of what it was
     */
    record ClockJumped(Duration by) implements RunEvent {}

    /** Runs are not wanted now: the kill switch, or a freeze. */
    record Halted(StopCode code, String reason) implements RunEvent {}

    /**
     * A controller found the run without anybody who drives it.
     *
     * @param epoch higher than every earlier one, so the run's earlier executor is fenced
     * @param redirectors those that reported to this controller recently
     * @param lastHealthyVerdictAt when this controller received the last fresh verdict without a finding; absent when it
     *            received none, or one with a finding since
     */
    record TakenOver(long epoch, List<String> redirectors, @Nullable Instant lastHealthyVerdictAt) implements RunEvent {

        public TakenOver {
            redirectors = List.copyOf(redirectors);
        }
    }
}
