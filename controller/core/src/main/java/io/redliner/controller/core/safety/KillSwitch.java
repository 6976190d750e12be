// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.safety;

import io.redliner.contract.KillSwitches;
import java.time.Instant;

/**
 * The switch that restores all traffic and lets nothing begin.
 *
 * @param actor who changed it last
 * @param at when that was
 */
public record KillSwitch(boolean engaged, String actor, String reason, Instant at) {

    private static final String BEING_RELEASED = " (being released: redirectors still obey it)";

    /** The same switch while redirectors still obey it. */
    public KillSwitch beingReleased() {
        return new KillSwitch(true, actor, reason + BEING_RELEASED, at);
    }

    /** A sentence for people. */
    public String describe() {
        return KillSwitches.ENGAGED_BY + actor + " at " + at + ": " + reason;
    }
}
