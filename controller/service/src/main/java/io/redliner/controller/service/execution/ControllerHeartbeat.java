// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.service.persistence.ControllerHeartbeatRepository;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Tells the other controllers that this one is there, and knows whether one of them is. Any thread may ask. */
final class ControllerHeartbeat {

    /** Who stood still for so long is not coming back, or counts from one again. */
    private static final Duration FORGET_AFTER = Duration.ofHours(1);

    private final ControllerHeartbeatRepository beats;

    private final PeerControllers others;

    private final InstantSource clock;

    private final String self = UUID.randomUUID().toString();

    private volatile boolean published;

    private volatile boolean leaving;

    private volatile boolean gone;

    /** @param patience one that does not count on for so long is not alive */
    ControllerHeartbeat(ControllerHeartbeatRepository beats, Duration patience, InstantSource clock) {
        this.beats = beats;
        this.others = new PeerControllers(patience, FORGET_AFTER);
        this.clock = clock;
    }

    /** Tells that this controller can take runs over; nothing any more after {@link #leave}. */
    void beat() {
        if (leaving) {
            return;
        }
        beats.beat(self);
        published = true;
        if (leaving) {
            // It left in between.
            beats.remove(self);
        }
    }

    /** Whether the others have been told, at any time, that this controller is there. */
    boolean published() {
        return published;
    }

    /** Tells that this controller takes no runs over any more. */
    void leave() {
        leaving = true;
        if (!gone) {
            beats.remove(self);
            gone = true;
        }
    }

    /** Looks for the others. */
    void look() {
        Map<String, Long> found = new HashMap<>(beats.all());
        found.remove(self);
        others.update(found, clock.instant());
        others.forgettable(clock.instant()).forEach(beats::remove);
    }

    /** Whether another controller has come too lately for more looks than one, and may be there. */
    boolean mayHavePeers() {
        return others.open(clock.instant());
    }

    /** Whether there is another controller, as far as it was looked. */
    boolean hasPeers() {
        return others.alive(clock.instant());
    }
}
