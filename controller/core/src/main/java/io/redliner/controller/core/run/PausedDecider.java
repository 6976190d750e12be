// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a run to its natural share for a while, and lets it go on. A lease at the natural share moves nothing, and keeps the
 * run's epoch and layout. The share goes there at once, also from below: like the end of a run, a pause is no raise. The run's
 * bounds, its duration too, hold all the time.
 */
final class PausedDecider {

    private PausedDecider() {}

    static RunDecision pause(RunState.Searching state, Instant now) {
        if (state instanceof RunState.Paused) {
            return RunDecision.of(state);
        }
        RunFacts facts = state.facts();
        RunProgress before = state.course();
        RunProgress natural = before.ask(facts, facts.naturalShare(), now).paused();
        List<RunCommand> commands = new ArrayList<>();
        if (!natural.share().equals(before.share())) {
            commands.add(new RunCommand.SendLease(natural.lease().newest()));
        }
        commands.add(new RunCommand.PublishRun(RunPhase.PAUSED));
        return new RunDecision(new RunState.Paused(facts, natural, state.phase()), commands);
    }

    static RunDecision resume(RunState.Searching state) {
        return state instanceof RunState.Paused paused
                ? RunDecision.of(paused.resumed(paused.course()), new RunCommand.PublishRun(paused.before()))
                : RunDecision.of(state);
    }
}
