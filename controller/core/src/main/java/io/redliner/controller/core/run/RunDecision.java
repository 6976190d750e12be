// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;

/**
 * The decision of a run about an event.
 *
 * @param state the new state
 * @param commands to be done in this order once the state is stored
 */
public record RunDecision(RunState state, List<RunCommand> commands) {

    public RunDecision {
        commands = List.copyOf(commands);
    }

    static RunDecision of(RunState state, RunCommand... commands) {
        return new RunDecision(state, List.of(commands));
    }

    /** Returns true when the decision has no command and keeps the state. */
    public boolean changesNothing(RunState before) {
        return commands.isEmpty() && state.equals(before);
    }

    /**
     * Returns true when the decision only notes a redirector's report. It need not be stored by itself: it is stored with
     * the next decision, and the redirector reports again soon when it is lost.
     */
    public boolean onlyNotesStatus(RunState before, RunEvent event) {
        return event instanceof RunEvent.LeaseStatusArrived && commands.isEmpty()
                && before instanceof RunState.Leased leased && leased.differsInRedirectorsOnly(state);
    }
}
