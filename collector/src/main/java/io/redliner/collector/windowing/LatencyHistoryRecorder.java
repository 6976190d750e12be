// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps the last two minutes of an instance that nobody tests: 12 bytes for each part. Guarded by the lock of {@link ServiceAggregator}. */
final class LatencyHistoryRecorder {

    private static final long REMEMBERED_MILLIS = 120_000;

    private static final long SHORTEST_PART_MILLIS = 1_000;

    private final long partMillis;

    /** By the number of the part since the epoch, modulo how many are kept. */
    private final int[] requests;

    private final float[] lnMeans;

    private final float[] lnVariances;

    /** The number of the newest part; its requests are in {@link #newest}. */
    private long newestPart = Long.MIN_VALUE;

    private LogLatencySum newest = new LogLatencySum();

    /** @param windowLength of a service that nobody tests */
    LatencyHistoryRecorder(Duration windowLength) {
        long window = windowLength.toMillis();
        partMillis = window * Math.ceilDiv(SHORTEST_PART_MILLIS, window);
        int kept = (int) (REMEMBERED_MILLIS / partMillis);
        requests = new int[kept];
        lnMeans = new float[kept];
        lnVariances = new float[kept];
    }

    /**
     * Adds a window, which begins no earlier than the one before.
     *
     * @param start in milliseconds since the epoch
     */
    void add(long start, LogLatencySum window) {
        long part = Math.floorDiv(start, partMillis);
        if (part > newestPart) {
            // Nothing is known of the parts in between.
            for (long skipped = Math.max(newestPart + 1, part - requests.length + 1); skipped <= part; skipped++) {
                requests[slot(skipped)] = 0;
            }
            newestPart = part;
            newest = new LogLatencySum();
        }
        newest.add(window);
        int slot = slot(newestPart);
        requests[slot] = (int) Math.min(Integer.MAX_VALUE, newest.requests());
        lnMeans[slot] = (float) newest.mean();
        lnVariances[slot] = (float) newest.variance();
    }

    private int slot(long part) {
        return Math.floorMod(part, requests.length);
    }

    /** What is known; empty when that is nothing. */
    Optional<LatencyHistory> history() {
        long first = newestPart - requests.length + 1;
        while (first <= newestPart && requests[slot(first)] == 0) {
            first++;
        }
        if (first > newestPart) {
            return Optional.empty();
        }
        List<LatencyHistory.Part> parts = new ArrayList<>();
        for (long part = first; part <= newestPart; part++) {
            int slot = slot(part);
            parts.add(requests[slot] == 0
                    ? LatencyHistory.Part.UNKNOWN
                    : new LatencyHistory.Part(requests[slot], lnMeans[slot], lnVariances[slot]));
        }
        return Optional.of(new LatencyHistory(Instant.ofEpochMilli(first * partMillis), Duration.ofMillis(partMillis),
                parts));
    }
}
