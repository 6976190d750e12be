// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.safety.RunRejectedException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores runs and their journals. All implementations pass the same contract test. Methods throw an unchecked exception when the
 * store does not answer.
 */
public interface RunRepository {

    /**
     * Registers a run in phase Pending.
     *
     * @param idempotencyKey key of the request; absent without one
     * @param bodyHash SHA-256 of the request's body
     * @return the registered run, or the one of the same request before, which has another identifier than the order
     * @throws RunRejectedException when it may not begin now, when the service or the conflict group has a live run, and when the
     *             key was used with another body
     */
    StoredRun register(RunOrder order, @Nullable String idempotencyKey, String bodyHash);

    /**
     * Checks again whether a run may start that waited for its approval.
     *
     * @param order the run as it would be registered now
     * @return its facts with the bounds that hold now
     * @throws RunRejectedException when it may not start now
     */
    RunFacts recheckStart(RunOrder order);

    /**
     * Returns the run of an earlier request with this key; empty without one. A run whose state cannot be read is returned as restoring.
     *
     * @throws RunRejectedException when the key was used with another body
     */
    Optional<StoredRun> findByIdempotencyKey(@Nullable String key, String bodyHash);

    /**
     * Raises the service's epoch above every earlier one, and returns it. It is also above {@code seen}, unless that one is more
     * than {@link io.redliner.contract.Epochs#MAX_JUMP} above the earlier ones.
     *
     * @param seen highest epoch in the redirectors' reports
     */
    long raiseEpoch(String service, long seen);

    /**
     * Stores decisions, all of them or none: the new states, the journal entries, and what the decisions' commands record.
     *
     * @param made decisions; those of one run are in their order, each based on the one before
     * @return the runs whose decisions were stored, all of each or none: those that no other controller has changed since
     */
    Set<String> record(List<DecisionRecord> made);

    /** Returns the identifier and version of each run that needs a controller. */
    List<RunVersion> runVersions();

    /**
     * Marks runs as free: another controller may drive them from now on, until the next decision.
     *
     * @return the runs that no other controller has changed before
     */
    Set<String> release(List<StoredRun> runs);

    /** Returns a run, finished or not. */
    Optional<StoredRun> find(String id);

    /** Returns a run that is not finished. A run whose state cannot be read is returned as restoring. */
    Optional<StoredRun> live(String id);

    /** Returns the runs that wait for an approval; no controller drives them. */
    List<StoredRun> awaitingApproval();

    /** Returns the finished runs whose final record is not published yet and that no later run of the service has replaced. */
    List<StoredRun> finishedUnpublished();

    /** Marks the final record of a run as published. */
    void markFinalPublished(String runId, Instant at);

    /** Returns the live run of a service. */
    Optional<String> holder(String service);

    /** Returns the live runs, by service. */
    Map<String, String> holders();

    /**
     * The version of a run. It grows with each decision, so a version that stays means that no controller drives the run.
     *
     * @param free true when its controller released it at this version, and no other has taken it since
     */
    record RunVersion(String runId, long version, boolean free) {}

    /**
     * A decision that is to be stored.
     *
     * @param before the stored run, or the run after the previous decision
     * @param seen the state in which it was decided, when redirectors had reported something since the decision before; absent when
     *            it is the state before
     * @param decidedAt the instant that was given to the decision
     */
    record DecisionRecord(StoredRun before, @Nullable RunState seen, RunEvent event, RunDecision decision,
            Instant decidedAt) {

        /** Returns the run after the decision. */
        public StoredRun after() {
            return before.next(decision.state());
        }

        /** Returns the identifier of the decision's run. */
        public String runId() {
            return before.id();
        }
    }
}
