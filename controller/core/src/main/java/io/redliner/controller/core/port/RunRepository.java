// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.safety.RunRejectedException;
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

    /**
     * Registers a run in phase Pending.
     *
     * @param idempotencyKey of the request; absent when it had none
     * @param bodyHash SHA-256 of the request's body
     * @return the registered run, or the one of the same request before, which has another identifier than the order
     * @throws RunRejectedException when it may not begin now, when the service or the conflict group has a live run, and when the
     *             key was used with another body
     */
    StoredRun register(RunOrder order, @Nullable String idempotencyKey, String bodyHash);

    /**
     * Checks a run that waited for its approval once more.
     *
     * @param order the run as it would be registered now
     * @return its facts with the bounds that hold now
     * @throws RunRejectedException when it may not begin now
     */
    RunFacts recheckStart(RunOrder order);

    /**
     * The run of an earlier request with this key. A run whose state cannot be read is returned as restoring.
     *
     * @throws RunRejectedException when the key was used with another body
     */
    Optional<StoredRun> findByIdempotencyKey(@Nullable String key, String bodyHash);

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

    /**
     * The version of a run. It grows with each decision, so a version that stays means that no controller drives the run.
     *
     * @param free true when its controller released it at this version, and no other has taken it since
     */
    record RunVersion(String runId, long version, boolean free) {}

    /**
     * A decision that is to be kept.
     *
     * @param before the run as it is stored, or as the decision before this one leaves it
     * @param seen the state in which it was decided, when redirectors had reported something since the decision before; absent
     *            when it is the state before
     * @param decidedAt the instant that was given to the decision
     */
    record DecisionRecord(StoredRun before, @Nullable RunState seen, RunEvent event, RunDecision decision,
            Instant decidedAt) {

        /** The run once the decision is stored. */
        public StoredRun after() {
            return before.next(decision.state());
        }

        /** The identifier of the run that the decision is about. */
        public String runId() {
            return before.id();
        }
    }
}
