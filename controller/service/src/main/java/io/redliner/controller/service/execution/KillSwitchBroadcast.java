// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.contract.lease.KillSwitch;
import io.redliner.controller.core.port.CommandPublisher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the kill switch to the redirectors, so that they obey it also when no controller is alive. Safe for use by several
 * threads.
 */
final class KillSwitchBroadcast {

    private static final Logger LOG = LoggerFactory.getLogger(KillSwitchBroadcast.class);

    private final CommandPublisher publisher;

    /** A switch that could not be delivered yet. */
    private volatile @Nullable KillSwitch undeliveredSwitch;

    KillSwitchBroadcast(CommandPublisher publisher) {
        this.publisher = publisher;
    }

    /**
     * Repeats an engaged switch, so that no foreign record releases it, and a release that was not delivered. Any other release
     * is not repeated: it would release a switch that another controller has engaged and not stored yet.
     */
    void repeat(KillSwitch killSwitch) {
        if (killSwitch.engaged() || killSwitch.equals(undeliveredSwitch)) {
            publish(killSwitch);
        }
    }

    /** Publishes the switch. */
    void publish(KillSwitch killSwitch) {
        undeliveredSwitch = killSwitch;
        publisher.publishKillSwitch(killSwitch, new CommandPublisher.DeliveryCallback() {

            @Override
            public void delivered() {
                if (killSwitch.equals(undeliveredSwitch)) {
                    undeliveredSwitch = null;
                }
            }

            @Override
            public void failed(String reason) {
                LOG.warn("the kill switch was not sent to the redirectors, trying again: {}", reason);
            }
        });
    }
}
