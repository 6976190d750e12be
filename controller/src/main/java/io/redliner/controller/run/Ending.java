// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import org.jspecify.annotations.Nullable;

/**
 * How a run ends, decided when it starts to restore.
 *
 * @param estimate what the search knew; absent when it knew nothing
 * @param conclusion what the analyzer says beside it; absent when something else ended the run
 */
public record Ending(Outcome outcome, StopReason reason, @Nullable Estimate estimate,
        @Nullable Conclusion conclusion) {

    static Ending of(Outcome outcome, StopCode code, String detail) {
        return new Ending(outcome, new StopReason(code, detail), null, null);
    }
}
