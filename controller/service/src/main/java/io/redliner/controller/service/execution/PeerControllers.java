// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds out which other controllers are alive: those whose heartbeats moved lately. A heartbeat that does not move may be left
 * from a controller that died. As in {@link RunSupervisor.OrphanedRunDetector}, only this process's clock measures time. Safe for use by
 * several threads.
 */
final class PeerControllers {

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
