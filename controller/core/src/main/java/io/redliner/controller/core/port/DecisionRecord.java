// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import java.time.Instant;

/**
 * A decision that is to be kept.
 *
 * @param before the run that it was made upon: as it is stored, or as the decision before this one leaves it
 * @param after the run as it is once the decision is stored
 * @param decidedAt the instant that was given to the decision
 */
public record DecisionRecord(StoredRun before, StoredRun after, RunEvent event, RunDecision decision,
        Instant decidedAt) {

    /** A decision upon a run. */
    public static DecisionRecord of(StoredRun before, RunEvent event, RunDecision decision, Instant decidedAt) {
        return new DecisionRecord(before, before.next(decision.state()), event, decision, decidedAt);
    }

    /** Which run it is of. */
    public String runId() {
        return before.id();
    }
}
