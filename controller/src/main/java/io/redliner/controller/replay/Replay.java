// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.replay;

import io.redliner.controller.run.Decision;
import io.redliner.controller.run.IllegalTransitionException;
import io.redliner.controller.run.RunDecider;
import io.redliner.controller.run.RunState;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides a run again from its journal. Under the run's own policy that gives the same decisions, or the journal is not
 * what was decided. Under another policy each decision is made in the state that was recorded: what the windows would
 * have been after another decision, nobody knows.
 */
public final class Replay {

    private Replay() {}

    /**
     * A decision that comes out otherwise.
     *
     * @param number of the entry, from 0
     */
    public record Difference(int number, Journal.Entry recorded, Decision otherwise) {}

    /** The decisions that come out otherwise, in their order. */
    public static List<Difference> again(Journal journal, Policy policy) {
        List<Difference> differences = new ArrayList<>();
        for (int number = 0; number < journal.entries().size(); number++) {
            Journal.Entry entry = journal.entries().get(number);
            RunState before = journal.before(number);
            Decision again = decide(before.bounded(policy.in(before.facts().bounds())), entry);
            Decision comparable = new Decision(again.state().bounded(entry.decision().state().facts().bounds()),
                    again.commands());
            if (!comparable.equals(entry.decision())) {
                differences.add(new Difference(number, entry, comparable));
            }
        }
        return differences;
    }

    private static Decision decide(RunState before, Journal.Entry entry) {
        try {
            return RunDecider.decide(before, entry.event(), entry.decidedAt());
        } catch (IllegalTransitionException impossible) {
            throw new IllegalArgumentException("entry " + entry.sequence() + " cannot follow the one before it",
                    impossible);
        }
    }
}
