// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.Set;

/** The recent readings of one gauge of one instance. */
final class GaugeSeries {

    /** Gauges that a window reports by their largest value; it reports all others by their mean over time. */
    private static final Set<String> WORST = Set.of("gc.pause", "gc.pause.cpu", "gc.pause.os-caused", "process.pause",
            "collector.lag",
            "clock.offset", "disk.queue", "sockets.send.queue", "sockets.receive.queue", "sockets.accept.queue",
            "client.receive.queue");

    /** The oldest readings go beyond this number; no source measures more often within the open windows. */
    private static final int MAX_READINGS = 1_024;

    private final boolean worst;

    /** The readings in the order in which they came. */
    private final Deque<Reading> readings = new ArrayDeque<>(2);

    GaugeSeries(String name) {
        worst = isOfTheWorst(name);
    }

    /**
     * Returns whether a window reports the largest value of the gauge. Such a value must not get lost: one that comes too late
     * for its window counts in the next.
     */
    static boolean isOfTheWorst(String name) {
        int bracket = name.indexOf('[');
        return WORST.contains(bracket < 0 ? name : name.substring(0, bracket));
    }

    /** Times in milliseconds since the epoch, see {@link GaugeMeasurement}. */
    void add(long from, long to, long heldUntil, double value) {
        if (readings.size() >= MAX_READINGS) {
            readings.removeFirst();
        }
        readings.addLast(new Reading(from, to, heldUntil, value));
    }

    /**
     * Returns the value for a window: the mean of the readings weighted by how long they overlap the window, or the largest of
     * them. Without a reading in the window it is the newest earlier one whose hold lasts beyond the window's start.
     *
     * @param start in milliseconds since the epoch
     * @param end exclusive
     */
    OptionalDouble in(long start, long end) {
        double sum = 0;
        double time = 0;
        double max = Double.NEGATIVE_INFINITY;
        for (Reading reading : readings) {
            if (reading.touches(start, end)) {
                double overlap = reading.overlap(start, end);
                sum += overlap * reading.value();
                time += overlap;
                max = Math.max(max, reading.value());
            }
        }
        if (time > 0) {
            double mean = sum / time;
            // Of huge numbers there is no sum.
            return worst || Double.isFinite(mean) ? OptionalDouble.of(worst ? max : mean) : OptionalDouble.empty();
        }
        return held(start);
    }

    private OptionalDouble held(long start) {
        Reading newest = null;
        for (Reading reading : readings) {
            if (reading.to() <= start && reading.heldUntil() > start
                    && (newest == null || reading.to() >= newest.to())) {
                newest = reading;
            }
        }
        return newest == null ? OptionalDouble.empty() : OptionalDouble.of(newest.value());
    }

    /** Forgets readings that no window from the given start on can use. Returns false when none is left. */
    boolean forgetBefore(long start) {
        readings.removeIf(reading -> reading.over(start));
        return !readings.isEmpty();
    }

    private record Reading(long from, long to, long heldUntil, double value) {

        boolean touches(long start, long end) {
            return from == to ? from >= start && from < end : to > start && from < end;
        }

        /** Returns the overlap in milliseconds; a reading of an instant counts as one millisecond. */
        double overlap(long start, long end) {
            return from == to ? 1 : Math.min(to, end) - Math.max(from, start);
        }

        boolean over(long start) {
            return heldUntil <= start && (from == to ? from < start : to <= start);
        }
    }
}
