// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The times at which the collector itself was impaired, and its own gauges. Every window of every instance reports them. For any
 * thread.
 */
final class DegradationHistory {

    private static final int MAX_ENTRIES = 1_000;

    private final Deque<Time> impaired = new ArrayDeque<>();

    private final Map<String, GaugeSeries> gauges = new HashMap<>();

    synchronized void impair(DegradationReason reason, Instant from, Instant to) {
        if (impaired.size() >= MAX_ENTRIES) {
            impaired.removeFirst();
        }
        impaired.addLast(new Time(reason, from.toEpochMilli(), to.toEpochMilli()));
    }

    synchronized void measure(String name, double value, Instant from, Instant to) {
        gauges.computeIfAbsent(name, GaugeSeries::new).add(from.toEpochMilli(), to.toEpochMilli(), to.toEpochMilli(),
                value);
    }

    /** Returns the reasons that applied at some time in the window; the end is exclusive. */
    synchronized Set<DegradationReason> impairments(long start, long end) {
        Set<DegradationReason> found = EnumSet.noneOf(DegradationReason.class);
        for (Time time : impaired) {
            if (time.to() >= start && time.from() < end) {
                found.add(time.reason());
            }
        }
        return found;
    }

    /** Returns the mean or the worst value of each gauge in the window, by name. */
    synchronized Map<String, Double> gauges(long start, long end) {
        Map<String, Double> values = new HashMap<>();
        gauges.forEach((name, series) -> series.in(start, end).ifPresent(value -> values.put(name, value)));
        return values;
    }

    /** Forgets everything before the time, because windows that end earlier are closed. */
    synchronized void forgetBefore(long time) {
        impaired.removeIf(past -> past.to() < time);
        gauges.values().removeIf(series -> !series.forgetBefore(time));
    }

    private record Time(DegradationReason reason, long from, long to) {}
}
