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

    /** For people. */
    public String describe() {
        return KillSwitches.ENGAGED_BY + actor + " at " + at + ": " + reason;
    }
}
