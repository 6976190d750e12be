// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** What is to be done because of a decision, after it was stored. */
public sealed interface RunCommand {

    /** What it is called in the journal and in the API, whatever the type is called. */
    default String kind() {
        return switch (this) {
            case PublishRun ignored -> "PublishRun";
            case SendLease ignored -> "SendLease";
            case RecordStep ignored -> "RecordStep";
            case RecordCapacity ignored -> "RecordCapacity";
        };
    }

    /** Tell collectors and analyzer where the run is. */
    record PublishRun(RunPhase phase) implements RunCommand {}

    /** Ask for a share, or renew it, or give it back. */
    record SendLease(Lease lease) implements RunCommand {}

    /** Keep a step that ended. */
    record RecordStep(Step step) implements RunCommand {}

    /**
     * Keep the result.
     *
     * @param lowerBound the capacity is at least the estimate
     */
    record RecordCapacity(CapacityEstimate estimate, boolean lowerBound) implements RunCommand {}
}
