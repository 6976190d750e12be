// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.codec;

import io.redliner.contract.v1.Histogram;
import io.redliner.sla.LatencyHistogram;

/** From an observation's histogram to latencies. Nothing absurd comes through. */
final class LatencyHistogramDecoder {

    /** Three significant digits of a day are 28 000. */
    private static final int MAX_BUCKETS = 1 << 16;

    /** So that no bucket ends beyond the largest number. */
    private static final long MAX_MICROS = 1L << 61;

    private LatencyHistogramDecoder() {}

    /**
     * Reads a histogram.
     *
     * @param completed there cannot be more latencies than requests that ended
     * @throws IllegalArgumentException when it is an absurd one
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
