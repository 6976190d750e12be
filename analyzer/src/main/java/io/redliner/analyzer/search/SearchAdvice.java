// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Optional;

/**
 * The advice of a search after a window.
 *
 * @param requestsPerSecond the load that the SUT should get next; 0 when the search has ended, and while the load is unknown
 * @param reason one sentence for people
 * @param step grows whenever the search moves to another load
 * @param estimate empty until a load held
 */
public record SearchAdvice(Action action, double requestsPerSecond, Phase phase, String reason, int step,
        Optional<CapacityEstimate> estimate) {

    /** The action to take. */
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
        /** The search ended without an answer. */
        GIVE_UP
    }

    /** The phase of the search. */
    public enum Phase {
        BASELINE, RAMPING, CONFIRMING, ENDED
    }
}
