// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * The analyzer's advice; the controller follows it within its own bounds.
 *
 * @param targetRequestsPerSecond the load that the SUT should get next; 0 when it is not known
 * @param reason one sentence for people
 * @param step grows when the search moves to another load
 */
public record SearchAdvice(Action action, double targetRequestsPerSecond, Phase phase, String reason, int step) {

    /** The next action of the run. */
    public enum Action {

        /** Keep the SUT at the target, correcting the share as traffic drifts. */
        HOLD,
        /** Move to the target. */
        GO,
        /** Move down to the target at once. */
        SHED,
        /** The capacity is known. */
        DONE,
        /** The capacity is at least the estimate. */
        EXHAUSTED,
        /** The search ends without an answer. */
        GIVE_UP,
        /** The message has no action. It is treated as contradictory telemetry. */
        NONE
    }

    /** The phase of the search. */
    public enum Phase {
        UNKNOWN, BASELINE, RAMPING, CONFIRMING, ENDED
    }
}
