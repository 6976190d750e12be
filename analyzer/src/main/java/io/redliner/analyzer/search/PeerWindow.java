// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Latencies of one peer in one or more windows.
 *
 * @param started requests sent to the peer
 * @param answered requests whose latency is known
 * @param lnSum sum of the logarithms of the latencies in microseconds
 * @param lnSquares sum of the squares of those logarithms
 * @param late answered requests above the latency limit
 */
record PeerWindow(long started, long answered, double lnSum, double lnSquares, long late) {

    static final PeerWindow NOTHING = new PeerWindow(0, 0, 0, 0, 0);

    /** @param limitMicros a request that takes longer is late */
    static PeerWindow of(WindowStats measured, long limitMicros) {
        LatencyHistogram latency = measured.latency();
        var sums = new double[2];
        latency.forEach((micros, count) -> {
            double logarithm = Math.log((double) Math.max(1, micros));
            sums[0] += count * logarithm;
            sums[1] += count * logarithm * logarithm;
        });
        return new PeerWindow(measured.started(), latency.getTotalCount(), sums[0], sums[1],
                latency.getTotalCount() - latency.countAtOrBelow(limitMicros));
    }

    /**
     * Merges histories from before the run into periods, by the number of the period since the epoch.
     *
     * @param histories one of each collector
     * @param seconds length of a period
     */
    static SortedMap<Long, PeerWindow> before(Collection<LatencyHistory> histories, double seconds) {
        long millis = Math.round(1_000 * seconds);
        var windows = new TreeMap<Long, PeerWindow>();
        for (var history : histories) {
            long start = history.startMillis();
            for (var part : history.parts()) {
                long requests = part.requests();
                windows.merge(start / millis,
                        new PeerWindow(requests, requests, requests * part.lnMean(),
                                requests * (part.lnVariance() + part.lnMean() * part.lnMean()), 0),
                        PeerWindow::plus);
                start += history.partMillis();
            }
        }
        return windows;
    }

    PeerWindow plus(PeerWindow other) {
        return new PeerWindow(started + other.started, answered + other.answered, lnSum + other.lnSum,
                lnSquares + other.lnSquares, late + other.late);
    }

    /** Returns the mean of the logarithm of the latency; NaN without answers. */
    double lnLatency() {
        return answered > 0 ? lnSum / answered : Double.NaN;
    }

    /** Returns the variance of the logarithm of the latency; NaN without answers. */
    double lnVariance() {
        return answered > 0 ? lnSquares / answered - lnLatency() * lnLatency() : Double.NaN;
    }
}
