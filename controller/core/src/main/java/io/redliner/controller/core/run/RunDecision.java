// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;

/**
 * What a run does about an event.
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

    /** Whether there is nothing to store and nothing to do. */
    public boolean changesNothing(RunState before) {
        return commands.isEmpty() && state.equals(before);
    }

    /**
     * Whether a redirector only said where it stands, which need not be stored by itself: it is kept with the next decision, and
     * said again soon when it is lost.
     */
    public boolean onlyNotesStatus(RunState before, RunEvent event) {
        return event instanceof RunEvent.LeaseStatusArrived && commands.isEmpty()
                && before instanceof RunState.Leased leased && leased.differsInRedirectorsOnly(state);
    }
}
