// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.WindowStats;

/**
 * Requests over several windows.
 *
 * @param seconds that the windows lasted together
 * @param started requests sent
 * @param completed requests ended, failed ones included, cancelled ones not
 * @param errors of those, the failed ones
 * @param timed requests that ended and of which it is known how long they took; also those that were cancelled without an answer
 * @param latencySeconds of those requests, added up
 * @param worstP99Seconds the highest 99th percentile of a window, 0 without one
 * @param snapshots how often the requests in flight were counted
 * @param inFlight those counts, added up
 * @param inFlightSquares their squares, added up
 */
public record TrafficStats(double seconds, long started, long completed, long errors, long timed, double latencySeconds,
        double worstP99Seconds, int snapshots, double inFlight, double inFlightSquares) {

    private static final double MICROS = 1e6;

    /** No window. */
    public static final TrafficStats NONE = new TrafficStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static TrafficStats of(WindowStats measured, long inFlight) {
        long answered = measured.latency().getTotalCount();
        LatencyHistogram unanswered = measured.cancelled().unanswered();
        long timed = answered + unanswered.getTotalCount();
        return new TrafficStats(measured.length().toNanos() / 1e9, measured.started(), measured.completed(),
                measured.errors(), timed,
                (measured.latency().getMean() * answered + unanswered.getMean() * unanswered.getTotalCount()) / MICROS,
                measured.latency().getValueAtPercentile(99) / MICROS, 1, inFlight,
                (double) inFlight * inFlight);
    }

    /** Both together. */
    public TrafficStats plus(TrafficStats other) {
        return new TrafficStats(seconds + other.seconds, started + other.started, completed + other.completed,
                errors + other.errors, timed + other.timed, latencySeconds + other.latencySeconds,
                Math.max(worstP99Seconds, other.worstP99Seconds), snapshots + other.snapshots,
                inFlight + other.inFlight, inFlightSquares + other.inFlightSquares);
    }

    /** Requests sent per second; 0 without windows. */
    public double requestsPerSecond() {
        return seconds > 0 ? started / seconds : 0;
    }

    /** Requests ended per second; 0 without windows. */
    public double throughput() {
        return seconds > 0 ? completed / seconds : 0;
    }

    /** Seconds; NaN when nothing was timed. */
    public double meanLatency() {
        return timed == 0 ? Double.NaN : latencySeconds / timed;
    }

    /** Requests in flight; NaN when they were never counted. */
    public double meanInFlight() {
        return snapshots == 0 ? Double.NaN : inFlight / snapshots;
    }

    /** Variance of the requests in flight from window to window; NaN for fewer than two windows. */
    public double inFlightVariance() {
        double mean = meanInFlight();
        return snapshots < 2
                ? Double.NaN
                : Math.max(0, (inFlightSquares - snapshots * mean * mean) / (snapshots - 1));
    }

    /** Failed requests of those that ended; NaN when none ended. */
    public double errorRatio() {
        return completed == 0 ? Double.NaN : (double) errors / completed;
    }
}
