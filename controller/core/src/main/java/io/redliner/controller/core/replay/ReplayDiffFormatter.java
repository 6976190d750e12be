// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunState;
import java.util.List;

/** Differences as sentences for people. */
public final class ReplayDiffFormatter {

    private ReplayDiffFormatter() {}

    /** Describes the recorded decision and the one that the replay made. */
    public static String of(Replay.Difference difference) {
        JournalEntry entry = difference.recorded();
        return entry.decidedAt() + "  entry " + entry.sequence() + " ("
                + entry.event().kind()
                + "): recorded " + describe(entry.decision()) + ", otherwise " + describe(difference.otherwise());
    }

    /** States how many decisions differ, and which is the first. */
    public static String summary(Journal journal, List<Replay.Difference> differences) {
        return differences.isEmpty()
                ? "all " + journal.entries().size() + " decisions are the same"
                : differences.size() + " of " + journal.entries().size()
                        + " decisions come out otherwise, the first is entry "
                        + differences.getFirst().recorded().sequence();
    }

    private static String describe(RunDecision decision) {
        return switch (decision.state()) {
            case RunState.Restoring restoring -> "the way back (" + restoring.ending().reason().code().wireName() + ": "
                    + restoring.ending().reason().detail() + ")";
            case RunState.Leased leased -> leased.phase().wireName() + " at " + leased.course().share();
            case RunState.Pending pending -> pending.phase().wireName();
            case RunState.Finished finished -> finished.phase().wireName();
        };
    }
}
