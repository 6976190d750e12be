// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * The advice of the analyzer's search, or of the run's own step plan. The controller follows either within its own bounds:
 * guards, the harm budget and the telemetry watchdog treat both alike.
 *
 * @param targetRequestsPerSecond the load that the SUT should get next; 0 when it is not known
 * @param reason one sentence for people
 * @param step grows when the search moves to another load
 */
public record SearchAdvice(Action action, double targetRequestsPerSecond, Phase phase, String reason, int step) {

    /** Returns the load that is wanted; 0 without an action: no search and no step plan wants a SUT without requests. */
    double load() {
        return action == Action.NONE ? 0 : targetRequestsPerSecond;
    }

    boolean loadKnown() {
        return Double.isFinite(load()) && load() > 0;
    }

    /** Returns true when the last load was too high: the share is then not raised, whatever this load is. */
    boolean down() {
        return action == Action.SHED;
    }

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
