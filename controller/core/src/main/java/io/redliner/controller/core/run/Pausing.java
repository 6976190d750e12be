// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Takes a run back to natural traffic for a while, and lets it go on. Its bounds, its duration too, hold all the time. */
final class Pausing {

    private Pausing() {}

    static Decision pause(RunState.Searching state, Instant now) {
        if (state instanceof RunState.Paused) {
            return Decision.of(state);
        }
        RunFacts facts = state.facts();
        Course before = state.course();
        Course natural = before.ask(facts, before.share().min(facts.naturalShare()), now);
        List<Command> commands = new ArrayList<>();
        if (!natural.share().equals(before.share())) {
            commands.add(new Command.SendLease(natural.lease().newest()));
        }
        commands.add(new Command.PublishRun(Phase.PAUSED));
        return new Decision(new RunState.Paused(facts, natural, state.phase()), commands);
    }

    static Decision resume(RunState.Searching state) {
        return state instanceof RunState.Paused paused
                ? Decision.of(paused.resumed(paused.course()), new Command.PublishRun(paused.before()))
                : Decision.of(state);
    }
}
