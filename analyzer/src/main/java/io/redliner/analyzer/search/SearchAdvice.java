// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Optional;

/**
 * What to do after a window.
 *
 * @param requestsPerSecond the load that the SUT should get next; 0 when the search has ended, and while the load is not known
 * @param reason one sentence for people
 * @param step grows whenever the search moves to another load
 * @param estimate empty until a load held
 */
public record SearchAdvice(Action action, double requestsPerSecond, Phase phase, String reason, int step,
        Optional<CapacityEstimate> estimate) {

    /** What to do with the load. */
    public enum Action {
        /** Stay, correcting the share as traffic drifts. */
        HOLD,
        /** Move to the load. */
        GO,
        /** Move down at once: users are hurt or about to be. */
        SHED,
        /** The capacity is known. */
        DONE,
        /** The traffic or the share cap ended before the SLA did. */
        EXHAUSTED,
        /** No answer can be had. */
        GIVE_UP
    }

    /** How far the search is. */
    public enum Phase {
        BASELINE, RAMPING, CONFIRMING, ENDED
    }
}
