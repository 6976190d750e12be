// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import io.redliner.contract.lease.KillSwitch;
import java.time.Instant;

/** Receives leases. Called from any thread, which is blocked while too many leases wait to be handled. */
public interface LeaseListener {

    /** A lease came in at that time. */
    void received(Lease lease, Instant receivedAt);

    /** A record of the kill switch came in at that time. */
    void killSwitchChanged(KillSwitch killSwitch, Instant receivedAt);

    /** All leases that were in the topic at the start of this process have been passed on. */
    void caughtUp();
}
