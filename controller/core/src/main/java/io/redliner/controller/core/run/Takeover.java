// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;

/**
 * What becomes of a run whose driver was lost. While its last lease is in force, it goes on where it was, under a higher
 * epoch; after that, traffic is natural by itself, and the run only ends.
 */
final class Takeover {

    private Takeover() {}

    static Decision decide(RunState.Preparing state, RunEvent.TakenOver takenOver, Instant now) {
        RunFacts facts = state.facts().withEpoch(takenOver.epoch());
        return inTime(state, now)
                ? goOn(state.with(facts, course(state, facts, takenOver, now)))
                : Restoration.restarted(state, takenOver, now);
    }

    static Decision decide(RunState.Searching state, RunEvent.TakenOver takenOver, Instant now) {
        RunFacts facts = state.facts().withEpoch(takenOver.epoch());
        return inTime(state, now)
                ? goOn(state.with(facts, course(state, facts, takenOver, now)))
                : Restoration.restarted(state, takenOver, now);
    }

    private static boolean inTime(RunState.Leased state, Instant now) {
        return now.isBefore(state.course().lease().newest().expiresAt());
    }

    private static Course course(RunState.Leased state, RunFacts facts, RunEvent.TakenOver takenOver, Instant now) {
        Course before = state.course().heardElsewhere(takenOver.verdictHeardAt());
        Course heard = before.with(before.redirectors().heardElsewhere(takenOver.redirectors(), now), facts, now);
        return heard.with(heard.sent(facts, heard.share(), now));
    }

    private static Decision goOn(RunState.Leased state) {
        return Decision.of(state, new Command.SendLease(state.course().lease().newest()),
                new Command.PublishRun(state.phase()));
    }
}
