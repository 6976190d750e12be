// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import io.redliner.contract.v1.Histogram;
import io.redliner.sla.LatencyHistogram;

/** Decodes and validates the histogram of an observation. */
final class LatencyHistogramDecoder {

    /** Buckets of one histogram. One with three significant digits up to a day has 28 000. */
    private static final int MAX_BUCKETS = 1 << 16;

    /** Highest value of a bucket in microseconds; the end of a higher one could overflow. */
    private static final long MAX_MICROS = 1L << 61;

    private LatencyHistogramDecoder() {}

    /**
     * Decodes a histogram.
     *
     * @param completed requests that ended; a histogram with more requests is rejected
     * @throws IllegalArgumentException when the histogram is impossible
     */
    static LatencyHistogram read(Histogram histogram, long completed) {
        int buckets = histogram.getIncrementsCount();
        if (buckets != histogram.getCountsCount() || buckets > MAX_BUCKETS) {
            throw new IllegalArgumentException("latency has " + buckets + " buckets and " + histogram.getCountsCount()
                    + " counts; both are the same, up to " + MAX_BUCKETS);
        }
        var latencies = new LatencyHistogram.Builder();
        long micros = 0;
        long sum = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            long increment = histogram.getIncrements(bucket);
            long count = histogram.getCounts(bucket);
            if (increment < (bucket == 0 ? 0 : 1) || increment > MAX_MICROS - micros) {
                throw new IllegalArgumentException("latency has a bucket " + Long.toUnsignedString(increment)
                        + " us above " + micros + "; they ascend, up to " + MAX_MICROS);
            }
            if (count < 1 || count > completed - sum) {
                throw new IllegalArgumentException("latency has a bucket with " + Long.toUnsignedString(count)
                        + " requests, and not more requests than the " + completed + " that ended are in all");
            }
            micros += increment;
            sum += count;
            latencies.add(micros, count);
        }
        return latencies.build();
    }
}
