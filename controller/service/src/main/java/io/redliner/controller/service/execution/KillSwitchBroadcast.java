// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.port.CommandPublisher;
import io.redliner.controller.core.safety.KillSwitch;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the kill switch to the redirectors, so that they obey it also when no controller is alive. Safe for use by several threads. */
final class KillSwitchBroadcast {

    private static final Logger LOG = LoggerFactory.getLogger(KillSwitchBroadcast.class);

    private final CommandPublisher publisher;

    private volatile @Nullable KillSwitch delivered;

    KillSwitchBroadcast(CommandPublisher publisher) {
        this.publisher = publisher;
    }

    /** Publishes the switch unless it was delivered. To be called repeatedly: a record that is not delivered is published again. */
    void send(KillSwitch killSwitch) {
        boolean neverTurned = killSwitch.at().equals(Instant.EPOCH);
        if (neverTurned || killSwitch.equals(delivered)) {
            return;
        }
        publisher.publishKillSwitch(killSwitch, new CommandPublisher.DeliveryCallback() {

            @Override
            public void delivered() {
                delivered = killSwitch;
            }

            @Override
            public void failed(String reason) {
                LOG.warn("the kill switch was not sent to the redirectors, trying again: {}", reason);
            }
        });
    }
}
