// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One decision, with everything that it was made from.
 *
 * @param decidedAt the instant that was given to the decision
 * @param seen the state in which it was decided, when redirectors had reported something since the decision before; absent
 *            when it is the state that the decision before led to
 */
public record JournalEntry(long sequence, Instant decidedAt, RunEvent event, @Nullable RunState seen,
        RunDecision decision) {}
