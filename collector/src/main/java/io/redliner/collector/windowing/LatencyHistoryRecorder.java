// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records the last two minutes of an instance on which no run is live, second by second, in 12 bytes each. Means and variances by
 * Welford, <em>Note on a Method for Calculating Corrected Sums of Squares and Products</em>, Technometrics 4 (1962). Guarded by
 * the lock of {@link ServiceAggregator}.
 */
final class LatencyHistoryRecorder {

    private static final int SECONDS = 120;

    private static final long MILLIS_IN_SECOND = 1_000;

    /** Requests per second; the index is the second since the epoch modulo {@link #SECONDS}. */
    private final int[] requests = new int[SECONDS];

    private final float[] lnMeans = new float[SECONDS];

    /** Sums of the squared deviations from the mean. */
    private final float[] lnSquares = new float[SECONDS];

    /** The newest second; long ago before the first request. */
    private long newest = Integer.MIN_VALUE;

    /** @param time in milliseconds since the epoch */
    void add(long time, long latencyMicros) {
        long second = Math.floorDiv(time, MILLIS_IN_SECOND);
        if (second <= newest - SECONDS) {
            return;
        }
        advance(second);
        int slot = slot(second);
        double logarithm = Math.log((double) Math.max(1, latencyMicros));
        double deviation = logarithm - lnMeans[slot];
        requests[slot]++;
        lnMeans[slot] += (float) (deviation / requests[slot]);
        lnSquares[slot] += (float) (deviation * (logarithm - lnMeans[slot]));
    }

    /** Clears the seconds after the newest one up to this one. */
    private void advance(long second) {
        for (long next = Math.max(newest + 1, second - SECONDS + 1); next <= second; next++) {
            clear(slot(next));
        }
        newest = Math.max(newest, second);
    }

    private void clear(int slot) {
        requests[slot] = 0;
        lnMeans[slot] = 0;
        lnSquares[slot] = 0;
    }

    private static int slot(long second) {
        return Math.floorMod(second, SECONDS);
    }

    /** Forgets the seconds that touch this time, in milliseconds since the epoch. */
    void forget(long from, long to) {
        for (long second = Math.floorDiv(from, MILLIS_IN_SECOND); second * MILLIS_IN_SECOND < to; second++) {
            if (second > newest - SECONDS && second <= newest) {
                clear(slot(second));
            }
        }
    }

    /** Returns whether nothing is known of the two minutes before this time, in milliseconds since the epoch. */
    boolean isOver(long time) {
        return newest < Math.floorDiv(time, MILLIS_IN_SECOND) - SECONDS;
    }

    /** Returns the history so far; empty when nothing is known. */
    Optional<LatencyHistory> history() {
        long first = newest - SECONDS + 1;
        while (first <= newest && requests[slot(first)] == 0) {
            first++;
        }
        if (first > newest) {
            return Optional.empty();
        }
        List<LatencyHistory.Part> parts = new ArrayList<>();
        for (long second = first; second <= newest; second++) {
            int slot = slot(second);
            parts.add(requests[slot] == 0
                    ? LatencyHistory.Part.UNKNOWN
                    : new LatencyHistory.Part(requests[slot], lnMeans[slot],
                            Math.max(0, lnSquares[slot] / requests[slot])));
        }
        return Optional.of(new LatencyHistory(Instant.ofEpochSecond(first), Duration.ofSeconds(1), parts));
    }
}
