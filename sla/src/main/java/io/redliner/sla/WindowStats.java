// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one instance, or of several together, in one window, or in several in a row.
 *
 * @param length of the window, positive
 * @param started requests sent, whenever they ended
 * @param completed requests ended, failed ones included, cancelled ones not
 * @param errors requests ended in failure, each counted once
 * @param timeouts of the errors, those that the proxy gave up waiting for
 * @param latency of the completed requests in microseconds
 * @param cancelled requests that users did not wait for
 * @param firstByte time to the first byte of the answer in microseconds, of the completed requests that had one, long streams included
 * @param overdue hanging requests, one entry for each limit
 * @param gauges other measurements by the names of the rule language without a scope (custom ones by their own name);
 *            durations in seconds
 */
public record WindowStats(Duration length, long started, long completed, long errors, long timeouts,
        LatencyHistogram latency,
        Cancelled cancelled, LatencyHistogram firstByte, List<OverdueRequests> overdue, Map<String, Double> gauges) {

    public WindowStats {
        if (length.isNegative() || length.isZero()) {
            throw new IllegalArgumentException("a window has a positive length, not " + length);
        }
        if (started < 0 || completed < 0 || errors < 0 || timeouts < 0) {
            throw new IllegalArgumentException("counts are not negative: " + started + " started, " + completed
                    + " completed, " + errors + " errors, " + timeouts + " timeouts");
        }
        overdue = List.copyOf(overdue);
        gauges = Map.copyOf(gauges);
    }

    /** Nobody hung up; latencies of any precision. */
    public WindowStats(Duration length, long started, long completed, long errors, long timeouts, Histogram latency,
            List<OverdueRequests> overdue, Map<String, Double> gauges) {
        this(length, started, completed, errors, timeouts, LatencyHistogram.of(latency), overdue, gauges);
    }

    /** Nobody hung up. */
    public WindowStats(Duration length, long started, long completed, long errors, long timeouts,
            LatencyHistogram latency,
            List<OverdueRequests> overdue, Map<String, Double> gauges) {
        this(length, started, completed, errors, timeouts, latency, Cancelled.NONE, overdue, gauges);
    }

    /** When the first byte of an answer came is not known. */
    public WindowStats(Duration length, long started, long completed, long errors, long timeouts,
            LatencyHistogram latency,
            Cancelled cancelled, List<OverdueRequests> overdue, Map<String, Double> gauges) {
        this(length, started, completed, errors, timeouts, latency, cancelled, LatencyHistogram.NONE, overdue, gauges);
    }

    /** Instances in the same window: counts and histograms add up, gauges are averaged. */
    public static WindowStats mergeInstances(Collection<WindowStats> parts) {
        return sum(parts, parts.iterator().next().length);
    }

    /** Windows one after the other: lengths, counts and histograms add up, gauges are averaged over time. */
    public static WindowStats concatenate(Collection<WindowStats> parts) {
        return sum(parts, parts.stream().map(WindowStats::length).reduce(Duration.ZERO, Duration::plus));
    }

    /** Seconds in the window. */
    double seconds() {
        return length.toNanos() / 1e9;
    }

    private static WindowStats sum(Collection<WindowStats> parts, Duration length) {
        if (parts.size() == 1) {
            return parts.iterator().next();
        }
        var overdue = new TreeMap<Duration, OverdueRequests>();
        var gauges = new TreeMap<String, Mean>();
        long started = 0;
        long completed = 0;
        long errors = 0;
        long timeouts = 0;
        var cancelled = Cancelled.NONE;
        for (var part : parts) {
            started += part.started;
            completed += part.completed;
            errors += part.errors;
            timeouts += part.timeouts;
            cancelled = cancelled.plus(part.cancelled);
            part.overdue.forEach(entry -> overdue.merge(entry.limit(), entry, (a, b) -> new OverdueRequests(a.limit(),
                    a.newlyOverdue() + b.newlyOverdue(), a.settled() + b.settled())));
            part.gauges.forEach((name, value) -> gauges.merge(name, new Mean(value * part.seconds(), part.seconds()),
                    Mean::plus));
        }
        var means = new TreeMap<String, Double>();
        gauges.forEach((name, mean) -> means.put(name, mean.sum / mean.seconds));
        return new WindowStats(length, started, completed, errors, timeouts,
                LatencyHistogram.merge(parts.stream().map(WindowStats::latency).toList()), cancelled,
                LatencyHistogram.merge(parts.stream().map(WindowStats::firstByte).toList()),
                List.copyOf(overdue.values()), means);
    }

    private record Mean(double sum, double seconds) {
        Mean plus(Mean other) {
            return new Mean(sum + other.sum, seconds + other.seconds);
        }
    }
}
