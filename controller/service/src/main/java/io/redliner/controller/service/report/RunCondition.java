// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.Milestones;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.StopCode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a run, in the shape that Kubernetes uses.
 *
 * @param status True, False or Unknown
 * @param lastTransitionTime when it became what it is; absent when that is not known
 */
public record RunCondition(String type, String status, String reason, String message,
        @Nullable Instant lastTransitionTime) {

    /** Returns all conditions of a run. */
    public static List<RunCondition> of(RunState state) {
        Milestones milestones = milestones(state);
        return List.of(
                new RunCondition("PlanValid", "True", "Compiled", "the plan was accepted", state.facts().submittedAt()),
                reached("TelemetryReady", milestones.telemetryReadyAt(), "verdicts with requests at the SUT arrived"),
                shifted(state, milestones),
                reached("ThresholdBreached", milestones.thresholdBreachedAt(), "a window broke the SLA"),
                restored(state), recorded(state));
    }

    private static Milestones milestones(RunState state) {
        return switch (state) {
            case RunState.Leased leased -> leased.course().milestones();
            case RunState.Finished finished -> finished.milestones();
            case RunState.Pending ignored -> new Milestones(null, null, null, false);
        };
    }

    private static RunCondition reached(String type, @Nullable Instant at, String message) {
        return at == null
                ? new RunCondition(type, "False", "NotYet", "", null)
                : new RunCondition(type, "True", "Seen", message, at);
    }

    /** Traffic is not shifted while a requested share has not arrived. */
    private static RunCondition shifted(RunState state, Milestones milestones) {
        RunEnd ending = state.ending();
        return ending != null && ending.reason().code() == StopCode.SHARE_NOT_FOLLOWED
                ? new RunCondition("TrafficShifted", "False", StopCode.SHARE_NOT_FOLLOWED.wireName(),
                        ending.reason().detail(), decidedAt(state))
                : reached("TrafficShifted", milestones.trafficShiftedAt(),
                        "the SUT was asked to take more than its natural share");
    }

    /** Returns the instant at which the restore began; null when the run is over. */
    private static @Nullable Instant decidedAt(RunState state) {
        return state instanceof RunState.Restoring restoring ? restoring.decidedAt() : null;
    }

    private static RunCondition restored(RunState state) {
        if (state instanceof RunState.Finished finished) {
            RestoreProof proof = finished.restored();
            return switch (proof.proof()) {
                case MEASURED -> new RunCondition("TrafficRestored", "True", "Measured", proof.detail(),
                        finished.finishedAt());
                case MEASURED_AFTER_EXPIRY -> new RunCondition("TrafficRestored", "True", "MeasuredAfterExpiry",
                        proof.detail(), finished.finishedAt());
                case CONTRADICTED, CONTRADICTED_AFTER_EXPIRY ->
                    new RunCondition("TrafficRestored", "False", "Contradicted", proof.detail(),
                            finished.finishedAt());
                case ACKNOWLEDGED -> new RunCondition("TrafficRestored", "True", "Acknowledged", proof.detail(),
                        finished.finishedAt());
                case NOT_NEEDED -> new RunCondition("TrafficRestored", "True", "NotNeeded", proof.detail(),
                        finished.finishedAt());
                case BY_EXPIRY -> new RunCondition("TrafficRestored", "Unknown", "ByExpiry", proof.detail(),
                        finished.finishedAt());
            };
        }
        return new RunCondition("TrafficRestored", "False",
                state instanceof RunState.Restoring ? "Restoring" : "NotYet",
                "",
                null);
    }

    private static RunCondition recorded(RunState state) {
        boolean found = state instanceof RunState.Finished finished && finished.ending().capacity().isPresent();
        return new RunCondition("CapacityRecorded", found ? "True" : "False", found ? "Found" : "None", "",
                found && state instanceof RunState.Finished finished ? finished.finishedAt() : null);
    }
}
