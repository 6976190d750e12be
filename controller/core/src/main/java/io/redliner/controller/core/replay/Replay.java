// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.IllegalTransitionException;
import io.redliner.controller.core.run.ProfileFindings;
import io.redliner.controller.core.run.RestoreProof;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunDecision;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a run again from its journal. Under the run's own bounds that gives the same decisions, or the journal is not the
 * one of this run. Sentences for people are not compared: another version may word them differently. Under other bounds
 * each decision is made in the recorded state, because the windows after another decision are unknown.
 */
public final class Replay {

    private Replay() {}

    /**
     * A recorded decision, and the different one that the replay made.
     *
     * @param number of the entry, from 0
     */
    public record Difference(int number, JournalEntry recorded, RunDecision otherwise) {}

    /** Returns the decisions that the replay makes differently, in their order. */
    public static List<Difference> again(Journal journal, BoundsOverride override) {
        List<Difference> differences = new ArrayList<>();
        for (int number = 0; number < journal.entries().size(); number++) {
            JournalEntry entry = journal.entries().get(number);
            RunState before = journal.before(number);
            RunDecision again = decide(before.bounded(override.in(before.facts().bounds())), entry);
            RunState recorded = entry.decision().state();
            RunDecision comparable = new RunDecision(
                    again.state().bounded(recorded.facts().bounds()), again.commands());
            if (!withoutMessages(comparable).equals(withoutMessages(entry.decision()))) {
                differences.add(new Difference(number, entry, comparable));
            }
        }
        return differences;
    }

    private static RunDecision withoutMessages(RunDecision decision) {
        RunState state = switch (decision.state()) {
            case RunState.Restoring one ->
                new RunState.Restoring(one.facts(), withoutMessages(one.ending()), one.course(),
                        one.decidedAt(), one.released(), one.deadline(), one.readBack());
            case RunState.Finished one -> new RunState.Finished(one.facts(), withoutMessages(one.ending()),
                    new RestoreProof(one.restored().proof(), one.restored().took(), ""), one.harm(), one.milestones(),
                    one.release(), one.finishedAt());
            case RunState.Pending one -> one;
            case RunState.Leased one -> one;
        };
        return new RunDecision(state, decision.commands());
    }

    private static RunEnd withoutMessages(RunEnd ending) {
        ProfileFindings findings = ending.findings();
        return new RunEnd(ending.outcome(), new StopReason(ending.reason().code(), ""), ending.estimate(),
                ending.conclusion(), findings == null ? null : new ProfileFindings(findings.figures(), ""));
    }

    private static RunDecision decide(RunState before, JournalEntry entry) {
        try {
            return RunDecider.decide(before, entry.event(), entry.decidedAt());
        } catch (IllegalTransitionException impossible) {
            throw new IllegalArgumentException("entry " + entry.sequence() + " cannot follow the one before it",
                    impossible);
        }
    }

    /**
     * Bounds that take the place of a run's own; those that are absent stay.
     *
     * @param maxRaise above 1
     * @param harmBudget a ratio, above 0
     */
    public record BoundsOverride(@Nullable Share maxShare, @Nullable Double maxRaise, @Nullable Duration maxDuration,
            @Nullable Double harmBudget) {

        /** Overrides nothing. */
        public static final BoundsOverride OWN = new BoundsOverride(null, null, null, null);

        /** @throws IllegalArgumentException outside the ranges above */
        public BoundsOverride {
            if ((maxRaise != null && !(maxRaise > 1)) || (harmBudget != null && !(harmBudget > 0))
                    || (maxDuration != null && !maxDuration.isPositive())) {
                throw new IllegalArgumentException("a raise is above 1, a harm budget and a duration above 0");
            }
        }

        RunBounds in(RunBounds own) {
            return new RunBounds(maxShare == null ? own.maxShare() : maxShare,
                    maxRaise == null ? own.maxRaise() : maxRaise,
                    maxDuration == null ? own.maxDuration() : maxDuration,
                    harmBudget == null ? own.harmBudget() : harmBudget,
                    own.window(), own.harmLeft());
        }
    }
}
