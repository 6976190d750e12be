// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import java.time.Instant;
import java.util.List;

/**
 * All decisions of a run, with what they were made from.
 *
 * @param first the state that the first decision was made in
 * @param entries in their order, without a hole
 */
public record Journal(RunState first, List<Entry> entries) {

    /** @throws IllegalArgumentException when an entry is missing, doubled or out of order */
    public Journal {
        entries = List.copyOf(entries);
        for (int number = 0; number < entries.size(); number++) {
            if (entries.get(number).sequence() != number + 1L) {
                throw new IllegalArgumentException("the journal has entry " + entries.get(number).sequence()
                        + " where entry " + (number + 1) + " belongs");
            }
        }
    }

    /**
     * One decision.
     *
     * @param decidedAt the instant that was given to it
     */
    public record Entry(long sequence, Instant decidedAt, RunEvent event, RunDecision decision) {}

    /** The state that a decision was made in. */
    RunState before(int number) {
        return number == 0 ? first : entries.get(number - 1).decision().state();
    }
}
