// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Instant;

/**
 * The switch that gives all traffic back, and keeps it so.
 *
 * @param actor who turned it last
 * @param at when that was, by the clock of the controller that did it
 */
public record KillSwitch(boolean engaged, String actor, String reason, Instant at) {

    /** Nobody has turned it yet. */
    static final KillSwitch NEVER_TURNED = new KillSwitch(false, "", "", Instant.MIN);

    /** For people. */
    String described() {
        return "the kill switch was engaged by " + actor + " at " + at + ": " + reason;
    }
}
