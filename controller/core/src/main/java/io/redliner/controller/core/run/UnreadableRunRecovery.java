// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Instant;
import java.util.List;

/** Creates the state of a run whose stored state cannot be read: such a run can only be brought to its end. */
public final class UnreadableRunRecovery {

    /**
     * Name of a redirector in place of the unknown ones. It never proves natural traffic, so the restore is not proven before the
     * last lease of the run, which they may follow, has expired.
     */
    private static final String UNKNOWN_REDIRECTOR = "unknown";

    private UnreadableRunRecovery() {}

    /** Returns a state that restores natural traffic. A controller takes it over with {@link RunEvent.TakenOver}. */
    public static RunState of(RunFacts facts) {
        Instant at = facts.submittedAt();
        RunProgress progress = RunProgress.begin(facts, Redirectors.alive(List.of(UNKNOWN_REDIRECTOR), at), at);
        RunEnd ending = RunEnd.of(RunOutcome.FAILED, StopCode.CONTROLLER_LOST,
                "the run had no driver, and its stored state cannot be read");
        return new RunState.Restoring(facts, ending, progress, at, progress.lease().newest().sequence(), at,
                RestoreVerification.NONE);
    }
}
