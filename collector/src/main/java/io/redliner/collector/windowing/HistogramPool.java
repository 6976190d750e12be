// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.ArrayDeque;
import java.util.Deque;
import org.HdrHistogram.Histogram;

/** A pool of histograms: one takes some 100 KiB, and each instance needs one in each window. Thread-safe. */
final class HistogramPool {

    private static final int SIGNIFICANT_DIGITS = 3;

    private static final int MAX_POOLED = 64;

    private final Deque<Histogram> spare = new ArrayDeque<>();

    /** Takes an empty histogram, a used one if there is one. */
    synchronized Histogram take() {
        Histogram histogram = spare.pollLast();
        return histogram == null ? new Histogram(SIGNIFICANT_DIGITS) : histogram;
    }

    /** Returns a histogram to the pool; the caller must not use it any more. */
    void giveBack(Histogram histogram) {
        histogram.reset();
        synchronized (this) {
            if (spare.size() < MAX_POOLED) {
                spare.addLast(histogram);
            }
        }
    }
}
