// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.KillSwitches;
import java.time.Instant;

/**
 * The switch that gives all traffic back, and keeps it so.
 *
 * @param actor who turned it last
 * @param at when that was, by the clock of the controller that did it; it is shown, and decides nothing
 */
public record KillSwitch(boolean engaged, String actor, String reason, Instant at) {

    /** Nobody has turned it yet. */
    public static final KillSwitch NEVER_TURNED = new KillSwitch(false, "", "", Instant.EPOCH);

    /** For people. */
    String described() {
        return KillSwitches.ENGAGED_BY + actor + " at " + at + ": " + reason;
    }
}
