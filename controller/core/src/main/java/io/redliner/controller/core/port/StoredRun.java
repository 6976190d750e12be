// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunOrder;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.plan.CanonicalPlan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run as the database has it.
 *
 * @param plan that it was submitted with
 * @param version grows with each decision
 * @param journalSequence of the newest journal entry, 0 without one
 */
public record StoredRun(String id, CanonicalPlan plan, RunState state, long version,
        long journalSequence, Instant submittedAt, @Nullable Instant finishedAt) {

    /** A run that was registered and has no decision yet. */
    public static StoredRun registered(RunOrder order, RunFacts facts) {
        return new StoredRun(facts.runId(), order.plan(), new RunState.Pending(facts), 0, 0, facts.submittedAt(), null);
    }

    /** The run after a decision that leads to this state. */
    public StoredRun next(RunState newState) {
        return new StoredRun(id, plan, newState, version + 1, journalSequence + 1, submittedAt,
                newState instanceof RunState.Finished finished ? finished.finishedAt() : null);
    }
}
