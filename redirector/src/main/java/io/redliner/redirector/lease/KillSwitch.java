// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.KillSwitches;
import java.time.Instant;

/**
 * The switch that makes all traffic natural, and keeps it natural while it is engaged.
 *
 * @param actor who turned it last
 * @param at when that was, by the clock of the actor's controller; it is only shown
 */
public record KillSwitch(boolean engaged, String actor, String reason, Instant at) {

    /** The switch before anybody has engaged it. */
    public static final KillSwitch NEVER_TURNED = new KillSwitch(false, "", "", Instant.EPOCH);

    /** The engaged switch in words for people. */
    String described() {
        return KillSwitches.ENGAGED_BY + actor + " at " + at + ": " + reason;
    }
}
