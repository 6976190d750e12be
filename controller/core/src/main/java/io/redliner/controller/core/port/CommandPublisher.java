// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.safety.KillSwitch;

/** Publishes what the controller decided. The records of one service stay in order. Never blocks for long. */
public interface CommandPublisher {

    /** Publishes a run's phase and rules to collectors and analyzers. */
    void publishRun(RunMessage message, DeliveryCallback callback);

    /** Publishes a lease to the redirectors. */
    void publishLease(RunFacts facts, Lease lease, DeliveryCallback callback);

    /** Publishes the kill switch to the redirectors, which obey it by themselves. */
    void publishKillSwitch(KillSwitch killSwitch, DeliveryCallback callback);
}
