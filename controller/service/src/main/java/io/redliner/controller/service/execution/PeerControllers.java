// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Which other controllers are alive: those whose numbers moved lately, while somebody looked. A number that is only there may
 * be of one that died. As with {@link OrphanedRunDetector}, only this process's clock is asked. Any thread may look.
 */
final class PeerControllers {

    private final Duration patience;

    private final Duration memory;

    private final Map<String, Seen> seen = new HashMap<>();

    /**
     * Nobody has been seen yet.
     *
     * @param patience a number that stands still for longer is of one that is not alive
     * @param memory one that stands still for longer can be forgotten
     */
    PeerControllers(Duration patience, Duration memory) {
        this.patience = patience;
        this.memory = memory;
    }

    private record Seen(long beat, Instant since, boolean moved) {

        Seen at(long newest, Instant now) {
            return newest == beat ? this : new Seen(newest, now, true);
        }

        boolean within(Duration time, Instant now) {
            return !now.isAfter(since.plus(time));
        }
    }

    /** Takes note of the numbers that are there now, by controller. */
    synchronized void update(Map<String, Long> beats, Instant now) {
        seen.keySet().retainAll(beats.keySet());
        beats.forEach((id, beat) -> {
            Seen before = seen.get(id);
            seen.put(id, before == null ? new Seen(beat, now, false) : before.at(beat, now));
        });
    }

    /** Whether one of them is alive. */
    synchronized boolean alive(Instant now) {
        return seen.values().stream().anyMatch(one -> one.moved() && one.within(patience, now));
    }

    /** Whether one of them may turn out to be alive: its number is too new to have moved. */
    synchronized boolean open(Instant now) {
        return seen.values().stream().anyMatch(one -> !one.moved() && one.within(patience, now));
    }

    /** The numbers of those that can be forgotten, by controller. */
    synchronized Map<String, Long> forgettable(Instant now) {
        Map<String, Long> forgettable = new HashMap<>();
        seen.forEach((id, one) -> {
            if (!one.within(memory, now)) {
                forgettable.put(id, one.beat());
            }
        });
        return forgettable;
    }
}
