// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/** An action that follows a decision, after the decision was stored. */
public sealed interface RunCommand {

    /** Returns the name in the journal and in the API: a test holds the names of the types. */
    default String kind() {
        return getClass().getSimpleName();
    }

    /** Publishes the run's phase to collectors and analyzers. */
    record PublishRun(RunPhase phase) implements RunCommand {}

    /** Sends a lease, its renewal or its release. */
    record SendLease(Lease lease) implements RunCommand {}

    /** Stores a step that ended. */
    record RecordStep(Step step) implements RunCommand {}

    /**
     * Stores the capacity.
     *
     * @param lowerBound the capacity is at least the lower end of the estimate
     */
    record RecordCapacity(CapacityEstimate estimate, boolean lowerBound) implements RunCommand {}
}
