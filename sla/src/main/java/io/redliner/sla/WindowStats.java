// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Measurements of one instance, or of several together, in one window or in several consecutive windows.
 *
 * @param length of the window, positive
 * @param started requests sent in the window, ended or not
 * @param completed requests ended, failed ones included, cancelled ones not
 * @param errors requests ended in failure, each counted once
 * @param timeouts errors in which the proxy's timeout ended the wait
 * @param latency of the completed requests in microseconds
 * @param cancelled requests that users did not wait for
 * @param firstByte time to the first byte of the answer in microseconds, of the completed requests that had one, long streams
 *            included
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

    /** Creates statistics without cancelled requests, from a histogram of any precision. */
    public WindowStats(Duration length, long started, long completed, long errors, long timeouts, Histogram latency,
            List<OverdueRequests> overdue, Map<String, Double> gauges) {
        this(length, started, completed, errors, timeouts, LatencyHistogram.of(latency), overdue, gauges);
    }

    /** Creates statistics without cancelled requests. */
    public WindowStats(Duration length, long started, long completed, long errors, long timeouts,
            LatencyHistogram latency,
            List<OverdueRequests> overdue, Map<String, Double> gauges) {
        this(length, started, completed, errors, timeouts, latency, Cancelled.NONE, overdue, gauges);
    }

    /** Creates statistics without times to the first byte. */
    public WindowStats(Duration length, long started, long completed, long errors, long timeouts,
            LatencyHistogram latency,
            Cancelled cancelled, List<OverdueRequests> overdue, Map<String, Double> gauges) {
        this(length, started, completed, errors, timeouts, latency, cancelled, LatencyHistogram.NONE, overdue, gauges);
    }

    /** Merges instances in the same window: counts and histograms add up, gauges are averaged. */
    public static WindowStats mergeInstances(Collection<WindowStats> parts) {
        return sum(parts, parts.iterator().next().length);
    }

    /** Joins consecutive windows: lengths, counts and histograms add up, gauges are averaged over time. */
    public static WindowStats concatenate(Collection<WindowStats> parts) {
        return sum(parts, parts.stream().map(WindowStats::length).reduce(Duration.ZERO, Duration::plus));
    }

    /** Returns the length of the window in seconds. */
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
