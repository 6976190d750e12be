// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.service.persistence.ControllerHeartbeatRepository;
import java.time.Duration;
import java.time.Instant;
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

    /**
     * Finds out which other controllers are alive: those whose heartbeats moved lately. A heartbeat that does not move may be left
     * from a controller that died. As in {@link RunSupervisor.OrphanedRunDetector}, only this process's clock measures time. Safe for use by
     * several threads.
     */
    static final class PeerControllers {

        private final Duration timeout;

        private final Duration retention;

        private final Map<String, PeerHeartbeat> peers = new HashMap<>();

        /**
         * Creates an empty list of controllers.
         *
         * @param timeout a controller whose heartbeat does not move for longer is not alive
         * @param retention a controller whose heartbeat does not move for longer can be removed
         */
        PeerControllers(Duration timeout, Duration retention) {
            this.timeout = timeout;
            this.retention = retention;
        }

        private record PeerHeartbeat(long heartbeat, Instant since, boolean moved) {

            PeerHeartbeat at(long newest, Instant now) {
                return newest == heartbeat ? this : new PeerHeartbeat(newest, now, true);
            }

            boolean within(Duration time, Instant now) {
                return !now.isAfter(since.plus(time));
            }
        }

        /** Updates the peers with the present heartbeats, by controller. */
        synchronized void update(Map<String, Long> heartbeats, Instant now) {
            peers.keySet().retainAll(heartbeats.keySet());
            heartbeats.forEach((id, heartbeat) -> {
                PeerHeartbeat before = peers.get(id);
                peers.put(id, before == null ? new PeerHeartbeat(heartbeat, now, false) : before.at(heartbeat, now));
            });
        }

        /** Returns true when at least one other controller is alive. */
        synchronized boolean alive(Instant now) {
            return peers.values().stream().anyMatch(one -> one.moved() && one.within(timeout, now));
        }

        /** Returns true when at least one heartbeat is too new to have moved: its controller may be alive. */
        synchronized boolean open(Instant now) {
            return peers.values().stream().anyMatch(one -> !one.moved() && one.within(timeout, now));
        }

        /** Returns the heartbeats that can be removed, by controller. */
        synchronized Map<String, Long> expired(Instant now) {
            Map<String, Long> expired = new HashMap<>();
            peers.forEach((id, one) -> {
                if (!one.within(retention, now)) {
                    expired.put(id, one.heartbeat());
                }
            });
            return expired;
        }
    }
}
