// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The latencies of an instance before a run, while no other run was live, in consecutive parts.
 *
 * @param start of the first part
 * @param partLength a second
 * @param parts oldest first
 */
public record LatencyHistory(Instant start, Duration partLength, List<Part> parts) {

    public LatencyHistory {
        parts = List.copyOf(parts);
    }

    /**
     * The latencies of one second.
     *
     * @param requests that completed, long streams not included; 0: nothing is known of the part
     * @param lnMean mean of the natural logarithm of the latency in microseconds; 0 without a request
     * @param lnVariance variance of that logarithm; 0 without a request
     */
    public record Part(long requests, double lnMean, double lnVariance) {

        static final Part UNKNOWN = new Part(0, 0, 0);
    }
}
