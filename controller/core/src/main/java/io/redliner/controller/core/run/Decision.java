// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.List;

/**
 * What a run does about an event.
 *
 * @param state the new state
 * @param commands to be done in this order once the state is stored
 */
public record Decision(RunState state, List<Command> commands) {

    public Decision {
        commands = List.copyOf(commands);
    }

    static Decision of(RunState state, Command... commands) {
        return new Decision(state, List.of(commands));
    }

    /** Whether there is nothing to store and nothing to do. */
    public boolean changesNothing(RunState before) {
        return commands.isEmpty() && state.equals(before);
    }
}
