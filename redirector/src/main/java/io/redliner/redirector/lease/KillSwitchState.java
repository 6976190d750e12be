// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.KillSwitch;
import java.time.Instant;
import java.util.Optional;

/**
 * The kill switch as a redirector obeys it. An engaged switch is obeyed at once, from every sender and whatever the sender's clock.
 * A release is obeyed after a delay, in which a controller that knows the switch as engaged repeats that.
 *
 * @param killSwitch in the last record
 * @param engaged the engaged switch that is obeyed until {@code releaseAt}; {@code killSwitch} itself while that is engaged
 * @param releaseAt when a released switch is obeyed, by the redirector's clock; far back for one that was never engaged
 */
record KillSwitchState(KillSwitch killSwitch, KillSwitch engaged, Instant releaseAt) {

    /** The state before anybody has engaged the switch. */
    static final KillSwitchState NEVER_ENGAGED = new KillSwitchState(KillSwitch.NEVER_ENGAGED, KillSwitch.NEVER_ENGAGED,
            Instant.MIN);

    /**
     * The state after a record.
     *
     * @param laterRelease when the record's release is obeyed, if it is one; repetitions of a release do not delay it
     */
    KillSwitchState turned(KillSwitch next, Instant laterRelease) {
        if (next.engaged()) {
            return new KillSwitchState(next, next, Instant.MIN);
        }
        return new KillSwitchState(next, engaged, killSwitch.engaged() ? laterRelease : releaseAt);
    }

    /** The switch that is obeyed at this time. */
    KillSwitch at(Instant now) {
        return now.isBefore(releaseAt) ? engaged : killSwitch;
    }

    /** When a release is obeyed; empty while the switch is engaged, or was never. */
    Optional<Instant> releaseDue() {
        return Optional.of(releaseAt).filter(due -> !killSwitch.engaged() && due.isAfter(Instant.MIN));
    }
}
