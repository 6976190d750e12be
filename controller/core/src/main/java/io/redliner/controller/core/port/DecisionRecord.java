// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is to be kept.
 *
 * @param before the run as it is stored, or as the decision before this one leaves it
 * @param seen the state in which it was decided, when redirectors had reported something since the decision before; absent
 *            when it is the state before
 * @param after the run as it is once the decision is stored
 * @param decidedAt the instant that was given to the decision
 */
public record DecisionRecord(StoredRun before, @Nullable RunState seen, StoredRun after, RunEvent event,
        RunDecision decision,
        Instant decidedAt) {

    /** A decision upon a run; {@code seen} when more is known of its redirectors than is stored. */
    public static DecisionRecord of(StoredRun before, @Nullable RunState seen, RunEvent event, RunDecision decision,
            Instant decidedAt) {
        return new DecisionRecord(before, seen, before.next(decision.state()), event, decision, decidedAt);
    }

    /** The identifier of the run that the decision is about. */
    public String runId() {
        return before.id();
    }
}
