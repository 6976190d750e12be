// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;

/**
 * Decisions about a run whose controller was lost. While its last lease is in force, it goes on where it was, under a
 * higher epoch; after that, traffic is natural by itself, and the run only ends.
 */
final class TakeoverDecider {

    private TakeoverDecider() {}

    static RunDecision decide(RunState.Preparing state, RunEvent.TakenOver takenOver, Instant now) {
        RunFacts facts = state.facts().withEpoch(takenOver.epoch());
        return inTime(state, now)
                ? goOn(state.with(facts, progress(state, facts, takenOver, now)))
                : RestoringDecider.restarted(state, takenOver, now);
    }

    static RunDecision decide(RunState.Searching state, RunEvent.TakenOver takenOver, Instant now) {
        RunFacts facts = state.facts().withEpoch(takenOver.epoch());
        return inTime(state, now)
                ? goOn(state.with(facts, progress(state, facts, takenOver, now)))
                : RestoringDecider.restarted(state, takenOver, now);
    }

    private static boolean inTime(RunState.Leased state, Instant now) {
        return now.isBefore(state.course().lease().newest().expiresAt());
    }

    private static RunProgress progress(RunState.Leased state, RunFacts facts, RunEvent.TakenOver takenOver,
            Instant now) {
        RunProgress before = state.course().afterTakeover(takenOver.lastHealthyVerdictAt());
        RunProgress continued = before.with(before.redirectors().afterTakeover(takenOver.redirectors(), now), facts,
                now);
        return continued.with(continued.sent(facts, continued.share(), now));
    }

    private static RunDecision goOn(RunState.Leased state) {
        return RunDecision.of(state, new RunCommand.SendLease(state.course().lease().newest()),
                new RunCommand.PublishRun(state.phase()));
    }
}
