// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** What is to be done because of a decision, after it was stored. */
public sealed interface Command {

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
    record PublishRun(Phase phase) implements Command {}

    /** Ask for a share, or renew it, or give it back. */
    record SendLease(Lease lease) implements Command {}

    /** Keep a step that ended. */
    record RecordStep(Step step) implements Command {}

    /**
     * Keep the result.
     *
     * @param lowerBound the capacity is at least the estimate
     */
    record RecordCapacity(Estimate estimate, boolean lowerBound) implements Command {}
}
