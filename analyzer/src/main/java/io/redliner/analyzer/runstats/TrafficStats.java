// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.WindowStats;

/**
 * Sums over the requests of several windows.
 *
 * @param seconds total length of the windows
 * @param started requests sent
 * @param completed requests ended, failed ones included, cancelled ones not
 * @param errors completed requests that failed
 * @param timed ended requests with a known duration; includes requests that were cancelled without an answer
 * @param latencySeconds sum of the durations of the timed requests
 * @param inFlight counts of the requests in flight
 */
public record TrafficStats(double seconds, long started, long completed, long errors, long timed, double latencySeconds,
        InFlightStats inFlight) {

    private static final double MICROS = 1e6;

    /** Statistics of no window. */
    public static final TrafficStats NONE = new TrafficStats(0, 0, 0, 0, 0, 0, InFlightStats.NONE);

    /**
     * Sums over counts of the requests in flight, one at the end of each window.
     *
     * @param snapshots number of counts
     * @param sum of the counts
     * @param squares sum of the squares of the counts
     */
    public record InFlightStats(int snapshots, double sum, double squares) {

        static final InFlightStats NONE = new InFlightStats(0, 0, 0);

        static InFlightStats of(long count) {
            return new InFlightStats(1, count, (double) count * count);
        }

        InFlightStats plus(InFlightStats other) {
            return new InFlightStats(snapshots + other.snapshots, sum + other.sum, squares + other.squares);
        }

        /** Returns the mean number of requests in flight; NaN when they were never counted. */
        public double mean() {
            return snapshots == 0 ? Double.NaN : sum / snapshots;
        }

        /** Returns the variance of the requests in flight from window to window; NaN for fewer than two windows. */
        public double variance() {
            double mean = mean();
            return snapshots < 2
                    ? Double.NaN
                    : Math.max(0, (squares - snapshots * mean * mean) / (snapshots - 1));
        }
    }

    static TrafficStats of(WindowStats measured, long inFlight) {
        long answered = measured.latency().getTotalCount();
        LatencyHistogram unanswered = measured.cancelled().unanswered();
        long timed = answered + unanswered.getTotalCount();
        return new TrafficStats(measured.length().toNanos() / 1e9, measured.started(), measured.completed(),
                measured.errors(), timed,
                (measured.latency().getMean() * answered + unanswered.getMean() * unanswered.getTotalCount()) / MICROS,
                InFlightStats.of(inFlight));
    }

    /** Returns the sum of both. */
    public TrafficStats plus(TrafficStats other) {
        return new TrafficStats(seconds + other.seconds, started + other.started, completed + other.completed,
                errors + other.errors, timed + other.timed, latencySeconds + other.latencySeconds,
                inFlight.plus(other.inFlight));
    }

    /** Returns the requests sent per second; 0 without windows. */
    public double requestsPerSecond() {
        return seconds > 0 ? started / seconds : 0;
    }

    /** Returns the requests ended per second; 0 without windows. */
    public double throughput() {
        return seconds > 0 ? completed / seconds : 0;
    }

    /** Returns the mean latency in seconds; NaN when no request was timed. */
    public double meanLatency() {
        return timed == 0 ? Double.NaN : latencySeconds / timed;
    }

    /** Returns the failed part of the completed requests; NaN when none completed. */
    public double errorRatio() {
        return completed == 0 ? Double.NaN : (double) errors / completed;
    }
}
