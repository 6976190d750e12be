// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.histogram;

import io.redliner.contract.v1.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Encodes histograms as the contract's messages. */
public final class Histograms {

    private Histograms() {}

    /** Returns the buckets of a histogram of microseconds. */
    public static Histogram encode(org.HdrHistogram.Histogram histogram) {
        Histogram.Builder encoded = Histogram.newBuilder();
        long before = 0;
        for (HistogramIterationValue bucket : histogram.recordedValues()) {
            long lowest = histogram.lowestEquivalentValue(bucket.getValueIteratedTo());
            encoded.addIncrements(lowest - before).addCounts(bucket.getCountAddedInThisIterationStep());
            before = lowest;
        }
        return encoded.build();
    }
}
