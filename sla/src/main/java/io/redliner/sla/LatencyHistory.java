// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;

/**
 * Latencies of an instance before a run, at natural traffic, as seen by one collector, in consecutive parts.
 *
 * @param startMillis of the first part, since the epoch
 * @param partMillis length of each part, above 0
 * @param parts oldest first
 */
public record LatencyHistory(long startMillis, long partMillis, List<Part> parts) {

    public LatencyHistory {
        parts = List.copyOf(parts);
        if (startMillis < 0 || partMillis <= 0) {
            throw new IllegalArgumentException("a history in parts of " + partMillis + " ms from " + startMillis
                    + " ms on");
        }
    }

    /**
     * Latencies in one part of the history.
     *
     * @param requests with a known latency; 0 when nothing is known of the part
     * @param lnMean mean of the natural logarithm of the latency in microseconds, 0 to 30
     * @param lnVariance variance of that logarithm, 0 to 900
     */
    public record Part(long requests, double lnMean, double lnVariance) {

        /** Logarithm of four months in microseconds. */
        private static final double MAX_LN_MEAN = 30;

        public Part {
            if (requests < 0 || !(lnMean >= 0 && lnMean <= MAX_LN_MEAN)
                    || !(lnVariance >= 0 && lnVariance <= MAX_LN_MEAN * MAX_LN_MEAN)) {
                throw new IllegalArgumentException(requests + " requests with a mean logarithm of " + lnMean
                        + " and a variance of " + lnVariance);
            }
        }
    }
}
