// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import io.redliner.controller.core.run.RunState;
import java.util.List;

/**
 * All decisions of a run, with what they were made from.
 *
 * @param first the state that the first decision was made in
 * @param entries in their order, without a hole
 */
public record Journal(RunState first, List<JournalEntry> entries) {

    /** @throws IllegalArgumentException when an entry is missing, doubled or out of order, or hides a decision */
    public Journal {
        entries = List.copyOf(entries);
        for (int number = 0; number < entries.size(); number++) {
            if (entries.get(number).sequence() != number + 1L) {
                throw new IllegalArgumentException("the journal has entry " + entries.get(number).sequence()
                        + " where entry " + (number + 1) + " belongs");
            }
            RunState seen = entries.get(number).seen();
            RunState before = number == 0 ? first : entries.get(number - 1).decision().state();
            if (seen != null
                    && !(before instanceof RunState.Leased leased && leased.differsInRedirectorsOnly(seen))) {
                throw new IllegalArgumentException("entry " + (number + 1)
                        + " was decided in a state to which more than reports of redirectors leads");
            }
        }
    }

    /** Returns the state in which a decision was made. */
    RunState before(int number) {
        RunState seen = entries.get(number).seen();
        if (seen != null) {
            return seen;
        }
        return number == 0 ? first : entries.get(number - 1).decision().state();
    }
}
