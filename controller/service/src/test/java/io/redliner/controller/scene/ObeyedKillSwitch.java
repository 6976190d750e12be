// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import io.redliner.contract.v1.KillSwitch;
import java.time.InstantSource;

/** The kill switch as a redirector obeys it: an engaged one at once, a release after a delay. */
final class ObeyedKillSwitch {

    private final InstantSource clock;

    private volatile KillSwitch received = KillSwitch.getDefaultInstance();

    private volatile KillSwitch engaged = KillSwitch.getDefaultInstance();

    private volatile long releasedAt;

    ObeyedKillSwitch(InstantSource clock) {
        this.clock = clock;
    }

    /** Takes a record. */
    void turn(KillSwitch next) {
        if (next.getEngaged()) {
            engaged = next;
        } else if (received.getEngaged()) {
            releasedAt = clock.millis() + io.redliner.contract.lease.KillSwitch.RELEASE_DELAY_MILLIS;
        }
        received = next;
    }

    /** The last record. */
    KillSwitch received() {
        return received;
    }

    /** The switch that is in force. */
    KillSwitch obeyed() {
        return clock.millis() < releasedAt ? engaged : received;
    }
}
