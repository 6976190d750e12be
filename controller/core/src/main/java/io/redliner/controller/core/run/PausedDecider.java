// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a run to its natural share for a while, and lets it go on. A lease at the natural share moves nothing, and keeps the
 * run's epoch and layout. The requests that the run's redirect leaves out go to the peers otherwise; they are natural, too. The
 * share goes there at once, also from below: like the end of a run, a pause is no raise. The run's bounds, its duration too, hold
 * all the time.
 */
final class PausedDecider {

    private PausedDecider() {}

    static RunDecision pause(RunState.Searching state, Instant now) {
        if (state instanceof RunState.Paused) {
            return RunDecision.of(state);
        }
        RunFacts facts = state.facts();
        RunProgress before = state.course();
        RunProgress natural = begun(before, facts, now).paused();
        List<RunCommand> commands = new ArrayList<>();
        if (natural.lease().newest().sequence() > before.lease().newest().sequence()) {
            commands.add(new RunCommand.SendLease(natural.lease().newest()));
        }
        commands.add(new RunCommand.PublishRun(RunPhase.PAUSED));
        return new RunDecision(new RunState.Paused(facts, natural, state.phase()), commands);
    }

    static RunDecision resume(RunState.Searching state, Instant now) {
        if (!(state instanceof RunState.Paused paused)) {
            return RunDecision.of(state);
        }
        RunCommand.PublishRun resumed = new RunCommand.PublishRun(paused.before());
        if (!paused.facts().partial()) {
            return RunDecision.of(paused.resumed(paused.course()), resumed);
        }
        RunProgress progress = begun(paused.course(), paused.facts(), now);
        return RunDecision.of(paused.resumed(progress), new RunCommand.SendLease(progress.lease().newest()), resumed);
    }

    /**
     * Asks for the natural share. With a partial redirect, the lease of a pause differs from that of the baseline, so a new
     * one is sent.
     */
    private static RunProgress begun(RunProgress progress, RunFacts facts, Instant now) {
        return facts.partial() && progress.share().equals(facts.naturalShare())
                ? progress.with(progress.lease().begin(facts, facts.times().leaseTtl(), now))
                : progress.requestShare(facts, facts.naturalShare(), now);
    }
}
