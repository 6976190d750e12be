// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.windowing;

import io.redliner.analyzer.windowing.WindowingState.Collector;
import io.redliner.analyzer.windowing.WindowingState.Lost;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds lost observations of a collector by the gaps in its sequence numbers. For one thread. */
final class SequenceTracker {

    /** At most so many gaps are tracked; beyond that the oldest is forgotten, and stays counted. */
    private static final int MAX_HOLES = 100;

    private static final long FARTHEST_MILLIS = 60_000;

    /** How an observation's number relates to the ones before it. */
    enum Order {
        /** Above all numbers before. */
        NEW,
        /** Out of its order, or from before anything was noted of the collector here. */
        EARLIER,
        /** Read before the takeover, by the process that analysed the service then. */
        AGAIN,
        /** Its number was used before. */
        REPEATED
    }

    private final Map<String, Collector> collectors = new HashMap<>();

    /** By collector: from this number on it is known which numbers were used. */
    private final Map<String, Long> firstNoted = new HashMap<>();

    /** By collector: up to this number the process before has read. */
    private final Map<String, Long> takenOver = new HashMap<>();

    private final List<Lost> lost = new ArrayList<>();

    private long gaps;

    private long found;

    /** Of the gaps, observations that arrived later. */
    long found() {
        return found;
    }

    /** Observations that had not arrived when a later one of the same collector did. */
    long gaps() {
        return gaps;
    }

    /**
     * Records the number of an observation.
     *
     * @param now a window that begins far from now is no evidence for where an observation was lost
     */
    Order record(InstanceObservation observation, Instant now) {
        String name = observation.collector();
        long sequence = observation.sequence();
        long latest = now.toEpochMilli();
        long start = Math.clamp(observation.windowStartMillis(), latest - FARTHEST_MILLIS, latest);
        var last = collectors.get(name);
        if (last != null && sequence <= last.sequence()) {
            return known(name, sequence);
        }
        if (last != null && sequence > last.sequence() + 1) {
            gaps += sequence - last.sequence() - 1;
            lost.add(new Lost(name, last.sequence() + 1, sequence - 1, Math.min(last.windowStartMillis(), start),
                    Math.max(last.windowStartMillis(), start)));
            if (lost.size() > MAX_HOLES) {
                lost.removeFirst();
            }
        }
        firstNoted.putIfAbsent(name, sequence);
        collectors.put(name, new Collector(name, sequence, start));
        return Order.NEW;
    }

    /**
     * Forgets the numbers of all collectors, as when nothing had been read yet. A number that no collector gave hides the later
     * observations of that collector until then.
     */
    void forget() {
        collectors.clear();
        firstNoted.clear();
        takenOver.clear();
        lost.clear();
    }

    boolean isNew(InstanceObservation observation) {
        var last = collectors.get(observation.collector());
        return last == null || observation.sequence() > last.sequence();
    }

    /** A collector of which something is lost that can belong to this window. */
    Optional<Lost> lostIn(long startMillis) {
        return lost.stream().filter(hole -> hole.touches(startMillis)).findFirst();
    }

    /** Windows before this one are judged. */
    void forgetBefore(long startMillis, long forgottenMillis) {
        lost.removeIf(hole -> hole.lastStartMillis() < startMillis);
        if (collectors.values().removeIf(collector -> collector.windowStartMillis() < startMillis - forgottenMillis)) {
            firstNoted.keySet().retainAll(collectors.keySet());
            takenOver.keySet().retainAll(collectors.keySet());
        }
    }

    List<Collector> collectors() {
        return collectors.values().stream().sorted(Comparator.comparing(Collector::collector)).toList();
    }

    List<Lost> lost() {
        return List.copyOf(lost);
    }

    void resume(WindowingState state) {
        state.collectors().forEach(collector -> {
            collectors.put(collector.collector(), collector);
            takenOver.put(collector.collector(), collector.sequence());
        });
        lost.addAll(state.lost());
    }

    private Order known(String collector, long sequence) {
        if (fillsHole(collector, sequence)) {
            found++;
            return Order.EARLIER;
        }
        if (sequence <= takenOver.getOrDefault(collector, Long.MIN_VALUE)) {
            return Order.AGAIN;
        }
        Long first = firstNoted.get(collector);
        return first != null && sequence >= first ? Order.REPEATED : Order.EARLIER;
    }

    /** Out of its order, but not lost. */
    private boolean fillsHole(String collector, long sequence) {
        var filled = lost.stream().filter(hole -> hole.contains(collector, sequence)).toList();
        for (var hole : filled) {
            lost.remove(hole);
            if (hole.firstSequence() < sequence) {
                lost.add(new Lost(collector, hole.firstSequence(), sequence - 1, hole.firstStartMillis(),
                        hole.lastStartMillis()));
            }
            if (sequence < hole.lastSequence()) {
                lost.add(new Lost(collector, sequence + 1, hole.lastSequence(), hole.firstStartMillis(),
                        hole.lastStartMillis()));
            }
        }
        return !filled.isEmpty();
    }
}
