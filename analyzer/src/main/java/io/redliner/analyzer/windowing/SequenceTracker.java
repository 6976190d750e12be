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

    /** Gaps that are tracked. Beyond that the oldest is forgotten, and stays counted. */
    private static final int MAX_HOLES = 100;

    private static final long FARTHEST_MILLIS = 60_000;

    /** The relation of an observation's number to the numbers before. */
    enum Order {
        /** A number above all numbers before. */
        NEW,
        /** A number out of its order, or below the first number that was recorded here. */
        EARLIER,
        /** A number that was read before the takeover, by the process that analysed the service then. */
        AGAIN,
        /** A number that was used before. */
        REPEATED
    }

    private final Map<String, Collector> collectors = new HashMap<>();

    /** First number recorded here, by collector. It is not known which lower numbers were used. */
    private final Map<String, Long> firstNoted = new HashMap<>();

    /** Last number read by the process before the takeover, by collector. */
    private final Map<String, Long> takenOver = new HashMap<>();

    private final List<Lost> lost = new ArrayList<>();

    private long gaps;

    private long found;

    /** Returns the observations that were counted as gaps and arrived later. */
    long found() {
        return found;
    }

    /** Returns the observations that had not arrived when a later one of the same collector did. */
    long gaps() {
        return gaps;
    }

    /**
     * Records the number of an observation.
     *
     * @param now limits the windows to which a lost observation is attributed: to the minute before now
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
     * Forgets the numbers of all collectors. A falsely high number would hide later gaps of its collector, and must not outlast the
     * run.
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

    /** Returns a gap whose observations can belong to this window. */
    Optional<Lost> lostIn(long startMillis) {
        return lost.stream().filter(hole -> hole.touches(startMillis)).findFirst();
    }

    /** Forgets gaps in windows that are judged, and collectors that have not reported for {@code forgottenMillis}. */
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

    /** Removes a number from the gaps; returns false when it is in none. */
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
