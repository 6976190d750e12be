// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.safety.StartPermit;
import io.redliner.controller.core.safety.StartRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps runs. Every implementation passes the same contract test. Methods throw an unchecked exception when the store is
 * out of reach.
 */
public interface RunRepository {

    /** The outcome of a request for a run. */
    sealed interface Registration {

        /** The run is registered. */
        record Registered(StoredRun run) implements Registration {}

        /** The same request was made before. */
        record Repeated(String runId) implements Registration {}
    }

    /**
     * Registers a run in phase Pending.
     *
     * @throws RunRejectedException when it may not begin now, when the service or the conflict group has a live run, and when the
     *             key was used with another body
     */
    Registration register(NewRun run);

    /**
     * Checks a run that waited for its approval once more.
     *
     * @throws RunRejectedException when it may not begin now
     */
    StartPermit recheckStart(StartRequest start);

    /**
     * The run of an earlier request with this key.
     *
     * @throws RunRejectedException when the key was used with another body
     */
    Optional<String> findByIdempotencyKey(@Nullable String key, String bodyHash);

    /**
     * Raises the service's epoch above every earlier one, and above the one that was seen unless that is further above them
     * than {@link io.redliner.contract.Epochs#MAX_JUMP}.
     */
    long raiseEpoch(String service, long seen);

    /**
     * Stores decisions, all of them or none: the new states, the journal entries, and what the decisions' commands record.
     *
     * @param made those of one run in the order in which they were made, each upon the one before
     * @return the runs whose decisions were stored, all of each or none: those that no other controller has changed since
     */
    Set<String> record(List<DecisionRecord> made);

    /** The identifier and version of each run that needs a controller. */
    List<RunVersion> runVersions();

    /**
     * Marks runs as free: another controller may drive them from now on, until the next decision.
     *
     * @return the runs that no other controller has changed before
     */
    Set<String> release(List<StoredRun> runs);

    /** A run, finished or not. */
    Optional<StoredRun> find(String id);

    /** A run that is not finished. A run whose state cannot be read is returned as restoring. */
    Optional<StoredRun> live(String id);

    /** The runs that wait for an approval, which no controller drives. */
    List<StoredRun> awaitingApproval();

    /** Finished runs whose final record is not published yet, and that no later run of the service has replaced. */
    List<StoredRun> finishedUnpublished();

    /** Marks the final record of a run as published. */
    void markFinalPublished(String runId, Instant at);

    /** The live run of a service. */
    Optional<String> holder(String service);

    /** The live runs, by service. */
    Map<String, String> holders();

    /**
     * The runs after which the traffic of these services was measured not to be natural, and after which no other run has measured
     * it, by service.
     */
    Map<String, String> contradicted(Collection<String> services);
}
