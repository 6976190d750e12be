// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.service.persistence.ControllerHeartbeatRepository;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Publishes this controller's heartbeat and finds out whether another controller is alive. Safe for use by several threads. */
final class ControllerHeartbeat {

    /** A peer whose heartbeat has not moved for this time is removed. If it is still alive, it counts from one again. */
    private static final Duration FORGET_AFTER = Duration.ofHours(1);

    private final ControllerHeartbeatRepository heartbeats;

    private final PeerControllers others;

    private final InstantSource clock;

    private final String self = UUID.randomUUID().toString();

    private volatile boolean published;

    private volatile boolean leaving;

    private volatile boolean gone;

    /** @param timeout a peer whose heartbeat does not move for so long is not alive */
    ControllerHeartbeat(ControllerHeartbeatRepository heartbeats, Duration timeout, InstantSource clock) {
        this.heartbeats = heartbeats;
        this.others = new PeerControllers(timeout, FORGET_AFTER);
        this.clock = clock;
    }

    /** Publishes that this controller can take runs over. Does nothing after {@link #leave}. */
    void publish() {
        if (leaving) {
            return;
        }
        heartbeats.increment(self);
        published = true;
        if (leaving) {
            // leave() was called in between.
            heartbeats.remove(self);
        }
    }

    /** Returns true once this controller has published a heartbeat. */
    boolean published() {
        return published;
    }

    /** Removes the heartbeat: this controller takes no runs over any more. */
    void leave() {
        leaving = true;
        if (!gone) {
            heartbeats.remove(self);
            gone = true;
        }
    }

    /** Reads the heartbeats of the other controllers. */
    void poll() {
        Map<String, Long> found = new HashMap<>(heartbeats.all());
        found.remove(self);
        others.update(found, clock.instant());
        others.expired(clock.instant()).forEach(heartbeats::remove);
    }

    /** Returns true when another controller's heartbeat is too new to have moved: that controller may be alive. */
    boolean mayHavePeers() {
        return others.open(clock.instant());
    }

    /** Returns true when another controller was alive at the last poll. */
    boolean hasPeers() {
        return others.alive(clock.instant());
    }
}
