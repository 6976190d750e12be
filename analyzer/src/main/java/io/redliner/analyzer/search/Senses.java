// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Measured;
import io.redliner.sla.Scope;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is felt of the SUT, window by window, whatever the search is doing.
 *
 * @param seconds since the search began
 * @param load that arrives, smoothed over 1.5 s, requests/s
 * @param throughput completed, smoothed over 1 s, requests/s
 * @param recent loads of the last four seconds, oldest first
 * @param inFlight at the end of the last window
 * @param stalled whether hardly anything completed in a window although requests arrived
 * @param saturated whether far more is in flight than at the baseline
 * @param saturatedSeconds in which that was so for at least two windows in a row
 * @param saturatedCompleted requests completed in that time
 */
public record Senses(double seconds, double load, double throughput, List<Double> recent, long inFlight,
        boolean stalled, boolean saturated, double saturatedSeconds, double saturatedCompleted) {

    private static final double LOAD_SECONDS = 1.5;

    private static final double THROUGHPUT_SECONDS = 1;

    private static final double RECENT_SECONDS = 4;

    private static final double FEWEST_EXPECTED = 15;

    private static final double STALLED = 0.15;

    private static final double ARRIVING = 0.4;

    private static final double CROWDED = 2.5;

    private static final double FEWEST_CROWDED = 10;

    static final Senses NOTHING = new Senses(0, Double.NaN, 0, List.of(), 0, false, false, 0, 0);

    public Senses {
        recent = List.copyOf(recent);
    }

    /** @param baselineLatency mean time at the SUT at its natural load, seconds; 0 while unknown */
    Senses next(JudgedWindow window, double baselineLatency) {
        double length = window.seconds();
        double completed = window.measurements().of(Scope.SUT).map(Measured::completed).orElse(0L);
        double errors = window.measurements().of(Scope.SUT).map(Measured::errors).orElse(0L);
        double load = smooth(this.load, window.requestsPerSecond(), length / LOAD_SECONDS);
        boolean stall = throughput * length >= FEWEST_EXPECTED && completed < STALLED * throughput * length
                && window.requestsPerSecond() * length > ARRIVING * throughput * length;
        boolean crowded = baselineLatency > 0 && window.inFlight() > FEWEST_CROWDED
                && window.inFlight() > CROWDED * load * baselineLatency;
        boolean counts = crowded && saturated;
        return new Senses(seconds + length, load, smooth(throughput, completed / length, length / THROUGHPUT_SECONDS),
                remembered(window), window.inFlight(), stalled || stall, crowded,
                saturatedSeconds + (counts ? length : 0), saturatedCompleted + (counts ? completed - errors : 0));
    }

    Senses recovered() {
        return new Senses(seconds, load, throughput, recent, inFlight, false, saturated, saturatedSeconds,
                saturatedCompleted);
    }

    /** Mean load of the last seconds, as many as are remembered. */
    double recentLoad(double lastSeconds, double windowSeconds) {
        int windows = Math.clamp(Math.round(lastSeconds / windowSeconds), 1, Math.max(1, recent.size()));
        return recent.subList(Math.max(0, recent.size() - windows), recent.size()).stream()
                .mapToDouble(Double::doubleValue).average().orElse(load);
    }

    private List<Double> remembered(JudgedWindow window) {
        long most = Math.max(1, Math.round(RECENT_SECONDS / window.seconds()));
        return Stream.concat(recent.stream().skip(Math.max(0, recent.size() + 1 - most)),
                Stream.of(window.requestsPerSecond())).toList();
    }

    private static double smooth(double before, double now, double windows) {
        return Double.isNaN(before) ? now : before + (1 - Math.exp(-windows)) * (now - before);
    }
}
