// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Latencies in microseconds in the buckets of HdrHistogram with three significant digits. Only buckets with requests are stored:
 * a window has a hundred of them, while a {@link Histogram} takes tens of KiB. Methods have the names and results of
 * HdrHistogram's. Immutable.
 */
public final class LatencyHistogram {

    /** A histogram without requests. */
    public static final LatencyHistogram NONE = new LatencyHistogram(new long[0], new long[0]);

    private static final int SIGNIFICANT_DIGITS = 3;

    /** Values below 2^11 have a bucket each. Above, the width of a bucket doubles with each doubling of the value. */
    private static final int EXACT_BITS = 11;

    /** Lowest values of the buckets, ascending. */
    private final long[] lowest;

    private final long[] counts;

    private final int size;

    private final long total;

    private LatencyHistogram(long[] lowest, long[] counts) {
        this.lowest = lowest;
        this.counts = counts;
        this.size = counts.length;
        this.total = Arrays.stream(counts).sum();
    }

    /** Converts a histogram of any precision; each request moves to the lower end of its bucket. */
    public static LatencyHistogram of(Histogram histogram) {
        var builder = new Builder();
        for (var recorded : histogram.recordedValues()) {
            builder.add(histogram.lowestEquivalentValue(recorded.getValueIteratedTo()),
                    recorded.getCountAddedInThisIterationStep());
        }
        return builder.build();
    }

    /** Returns the sum of the histograms. */
    public static LatencyHistogram merge(List<LatencyHistogram> parts) {
        return parts.stream().reduce(NONE, LatencyHistogram::plus);
    }

    private LatencyHistogram plus(LatencyHistogram other) {
        if (size == 0 || other.size == 0) {
            return size == 0 ? other : this;
        }
        var bothLowest = new long[size + other.size];
        var bothCounts = new long[size + other.size];
        int length = 0;
        int mine = 0;
        int others = 0;
        while (mine < size || others < other.size) {
            long low = mine < size ? lowest[mine] : Long.MAX_VALUE;
            long otherLow = others < other.size ? other.lowest[others] : Long.MAX_VALUE;
            bothLowest[length] = Math.min(low, otherLow);
            bothCounts[length] = (low <= otherLow ? counts[mine++] : 0)
                    + (otherLow <= low ? other.counts[others++] : 0);
            length++;
        }
        return new LatencyHistogram(Arrays.copyOf(bothLowest, length), Arrays.copyOf(bothCounts, length));
    }

    /** Returns a resizable HdrHistogram with the same counts. */
    public Histogram toHistogram() {
        var histogram = new Histogram(SIGNIFICANT_DIGITS);
        histogram.setAutoResize(true);
        for (int i = 0; i < size; i++) {
            histogram.recordValueWithCount(lowest[i], counts[i]);
        }
        return histogram;
    }

    /** Returns the number of requests. */
    public long getTotalCount() {
        return total;
    }

    /** Returns the upper end of the highest bucket, in microseconds; 0 without requests. */
    public long getMaxValue() {
        return size == 0 || lowest[size - 1] == 0 ? 0 : highestEquivalent(lowest[size - 1]);
    }

    /** Receives the buckets of a histogram. */
    public interface BucketVisitor {

        /**
         * Receives one bucket.
         *
         * @param micros middle of the bucket
         * @param count of requests, positive
         */
        void accept(long micros, long count);
    }

    /** Passes each bucket with requests to the visitor, in ascending order. */
    public void forEach(BucketVisitor visitor) {
        for (int i = 0; i < size; i++) {
            visitor.accept(lowest[i] + (width(lowest[i]) >> 1), counts[i]);
        }
    }

    /** Counts the requests up to this many microseconds, including all of the bucket that it falls in. */
    public long countAtOrBelow(long micros) {
        long sum = 0;
        for (int i = 0; i < size && lowest[i] <= micros; i++) {
            sum += counts[i];
        }
        return sum;
    }

    /**
     * Returns the upper end of the bucket that contains the percentile.
     *
     * @param percentile 0 to 100
     * @return microseconds; 0 without requests
     */
    public long getValueAtPercentile(double percentile) {
        double requested = Math.clamp(Math.nextDown(percentile), 0.0, 100.0);
        long rank = Math.max(1, (long) Math.ceil(requested * total / 100));
        long sum = 0;
        for (int i = 0; i < size; i++) {
            sum += counts[i];
            if (sum >= rank) {
                return percentile == 0 ? lowest[i] : highestEquivalent(lowest[i]);
            }
        }
        return 0;
    }

    /** Returns the mean of the bucket middles in microseconds; 0 without requests. */
    public double getMean() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += (lowest[i] + (width(lowest[i]) >> 1)) * counts[i];
        }
        return total == 0 ? 0 : sum / total;
    }

    private static long width(long value) {
        return 1L << Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - EXACT_BITS);
    }

    private static long highestEquivalent(long low) {
        return low + width(low) - 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyHistogram that && Arrays.equals(lowest, that.lowest)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(lowest) + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return total + " requests of up to " + getMaxValue() + " us";
    }

    /** Builds a histogram from values in ascending order. */
    public static final class Builder {

        private long[] lowest = new long[64];

        private long[] counts = new long[64];

        private int size;

        /**
         * Adds requests.
         *
         * @param micros not in a lower bucket than the value before
         * @param count >= 0
         */
        public void add(long micros, long count) {
            long low = micros & -width(micros);
            if (micros < 0 || count < 0 || (size > 0 && low < lowest[size - 1])) {
                throw new IllegalArgumentException(count + " requests of " + micros + " us");
            }
            if (count == 0) {
                return;
            }
            if (size > 0 && low == lowest[size - 1]) {
                counts[size - 1] += count;
                return;
            }
            if (size == lowest.length) {
                lowest = Arrays.copyOf(lowest, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            lowest[size] = low;
            counts[size] = count;
            size++;
        }

        /** Returns a histogram of the requests added. */
        public LatencyHistogram build() {
            return size == 0 ? NONE : new LatencyHistogram(Arrays.copyOf(lowest, size), Arrays.copyOf(counts, size));
        }
    }
}
