// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.run.Lease;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunRules;
import io.redliner.controller.core.run.RunState;
import java.util.List;

/** Publishes what the controller decided. The records of one service and topic stay in order. Never blocks. */
public interface CommandPublisher {

    /**
     * Publishes a run's phase and rules to collectors and analyzers.
     *
     * @param instances of the service, host:port; empty when they are not known
     */
    void publishRun(StoredRun run, RunRules rules, RunPhase phase, List<String> instances, DeliveryCallback callback);

    /** Publishes a lease to the redirectors. */
    void publishLease(RunState state, Lease lease, DeliveryCallback callback);

    /** Publishes the kill switch to the redirectors, which obey it by themselves. */
    void publishKillSwitch(KillSwitch killSwitch, DeliveryCallback callback);

    /** Receives the outcome of one published record, once, on any thread. */
    interface DeliveryCallback {

        /** The record is stored where its readers find it. */
        void delivered();

        /** The record was refused, or was not confirmed in time. */
        void failed(String reason);
    }
}
