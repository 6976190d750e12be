// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import java.time.Instant;

/** Where leases come in. Called from any thread, which may have to wait while too many are yet to be looked at. */
public interface LeaseListener {

    /** A lease came in at that time. */
    void received(Lease lease, Instant receivedAt);

    /** A record of the kill switch came in at that time. */
    void turned(KillSwitch killSwitch, Instant receivedAt);

    /** All leases that had been issued before this process began have been handed in. */
    void caughtUp();
}
