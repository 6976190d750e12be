// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import io.redliner.controller.profile.Report;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends, decided when it starts to restore.
 *
 * @param estimate what the search knew; absent when it knew nothing
 * @param conclusion what the analyzer says beside it; absent when something else ended the run
 * @param findings what the run's step plan found; absent without one
 */
public record Ending(Outcome outcome, StopReason reason, @Nullable Estimate estimate,
        @Nullable Conclusion conclusion,
        @Nullable Report findings) {

    /** Of a run that follows the search. */
    public Ending(Outcome outcome, StopReason reason, @Nullable Estimate estimate, @Nullable Conclusion conclusion) {
        this(outcome, reason, estimate, conclusion, null);
    }

    Ending with(Report newFindings) {
        return new Ending(outcome, reason, estimate, conclusion, newFindings);
    }

    static Ending of(Outcome outcome, StopCode code, String detail) {
        return new Ending(outcome, new StopReason(code, detail), null, null);
    }
}
