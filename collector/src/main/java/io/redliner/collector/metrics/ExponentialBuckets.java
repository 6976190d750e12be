// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Arrays;
import java.util.Optional;

/**
 * A histogram whose bounds grow by the same factor, 2^(2^-scale): OpenTelemetry's exponential histogram and Prometheus' native
 * one.
 */
public final class ExponentialBuckets implements BucketHistogram {

    private static final int MIN_SCALE = -10;

    private static final int MAX_SCALE = 20;

    private final int scale;

    private final double zeroThreshold;

    private final double zeros;

    private final Side positiveSide;

    private final Side negativeSide;

    private final double sum;

    private ExponentialBuckets(int scale, double zeroThreshold, double zeros, Side positiveSide, Side negativeSide,
            double sum) {
        this.scale = scale;
        this.zeroThreshold = zeroThreshold;
        this.zeros = zeros;
        this.positiveSide = positiveSide;
        this.negativeSide = negativeSide;
        this.sum = sum;
    }

    /**
     * Creates a histogram from OpenTelemetry's form.
     *
     * @param scale -10 to 20
     * @param zeroThreshold values as far from 0 as this, or nearer, are in {@code zeros}; 0 or more
     * @param sum NaN when not known
     * @throws IllegalArgumentException when scale or threshold are out of range
     */
    public static ExponentialBuckets of(int scale, double zeroThreshold, double zeros, Side positiveSide,
            Side negativeSide,
            double sum) {
        if (scale < MIN_SCALE || scale > MAX_SCALE || !(zeroThreshold >= 0)) {
            throw new IllegalArgumentException(
                    "an exponential histogram with scale " + scale + " and zero threshold " + zeroThreshold);
        }
        return new ExponentialBuckets(scale, zeroThreshold, zeros, positiveSide, negativeSide, sum);
    }

    @Override
    public double count() {
        return zeros + positiveSide.total() + negativeSide.total();
    }

    @Override
    public double sum() {
        return sum;
    }

    /** When the scales differ, the increase has the coarser one: a service lowers its scale by itself when values spread. */
    @Override
    public Optional<BucketHistogram> since(BucketHistogram earlier) {
        if (!(earlier instanceof ExponentialBuckets other) || zeroThreshold != other.zeroThreshold) {
            return Optional.empty();
        }
        int common = Math.min(scale, other.scale);
        ExponentialBuckets now = coarser(common);
        ExponentialBuckets then = other.coarser(common);
        return Optional.of(new ExponentialBuckets(common, zeroThreshold, zeros - then.zeros,
                now.positiveSide.minus(then.positiveSide), now.negativeSide.minus(then.negativeSide), sum - then.sum));
    }

    @Override
    public BucketHistogram withoutFalls() {
        return new ExponentialBuckets(scale, zeroThreshold, Math.max(0, zeros), positiveSide.withoutFalls(),
                negativeSide.withoutFalls(), sum);
    }

    @Override
    public boolean isSane() {
        return Double.isFinite(count()) && zeros >= 0 && positiveSide.isSane() && negativeSide.isSane();
    }

    /** Interpolates the logarithm within the bucket, and linearly within the bucket of zeros. */
    @Override
    public double quantile(double quantile) {
        double count = count();
        if (count <= 0) {
            return Double.NaN;
        }
        double rank = quantile * count;
        double negatives = negativeSide.total();
        if (rank <= negatives && negatives > 0) {
            return -negativeSide.at(negatives - rank, scale);
        }
        if (rank <= negatives + zeros) {
            double lower = negatives > 0 ? -zeroThreshold : 0;
            return lower + (zeroThreshold - lower) * (rank - negatives) / zeros;
        }
        return positiveSide.at(rank - negatives - zeros, scale);
    }

    @Override
    public double minLargest() {
        return positiveSide.minLargest(scale);
    }

    @Override
    public boolean hasBuckets() {
        return true;
    }

    private ExponentialBuckets coarser(int to) {
        return to == scale
                ? this
                : new ExponentialBuckets(to, zeroThreshold, zeros, positiveSide.coarser(scale - to),
                        negativeSide.coarser(scale - to), sum);
    }

    /** The buckets on one side of 0, by the size of the values. */
    public static final class Side {

        /** No histogram has more buckets; OpenTelemetry's SDKs have 160 by default. */
        public static final int MAX_BUCKETS = 10_000;

        private static final long MAX_OFFSET = 1L << 30;

        /** A side without buckets. */
        public static final Side NONE = new Side(0, new double[0]);

        private final int offset;

        private final double[] counts;

        private Side(int offset, double[] counts) {
            this.offset = offset;
            this.counts = counts;
        }

        /**
         * Creates a side from consecutive buckets.
         *
         * @param offset the index of the first bucket: that with index i holds the values above base^i, up to base^(i+1)
         * @throws IllegalArgumentException when there are more than {@link #MAX_BUCKETS}, or the offset is beyond any number
         */
        public static Side of(int offset, double[] counts) {
            if (counts.length > MAX_BUCKETS || Math.abs((long) offset) > MAX_OFFSET) {
                throw new IllegalArgumentException(
                        "an exponential histogram with " + counts.length + " buckets from " + offset);
            }
            return new Side(offset, counts.clone());
        }

        private double total() {
            return Arrays.stream(counts).sum();
        }

        private boolean isSane() {
            return Arrays.stream(counts).allMatch(value -> value >= 0);
        }

        private Side withoutFalls() {
            return new Side(offset, Arrays.stream(counts).map(value -> Math.max(0, value)).toArray());
        }

        private Side coarser(int steps) {
            if (counts.length == 0) {
                return this;
            }
            int first = offset >> steps;
            double[] merged = new double[((offset + counts.length - 1) >> steps) - first + 1];
            for (int at = 0; at < counts.length; at++) {
                merged[((offset + at) >> steps) - first] += counts[at];
            }
            return new Side(first, merged);
        }

        private Side minus(Side earlier) {
            if (earlier.counts.length == 0) {
                return this;
            }
            double[] increase = counts.clone();
            double lost = 0;
            for (int at = 0; at < earlier.counts.length; at++) {
                long index = (long) earlier.offset + at - offset;
                if (index >= 0 && index < increase.length) {
                    increase[(int) index] -= earlier.counts[at];
                } else {
                    lost -= earlier.counts[at];
                }
            }
            // What was in a bucket that is not there any more went back: the histogram began anew.
            return lost == 0 ? new Side(offset, increase) : new Side(offset, new double[]{lost});
        }

        private double minLargest(int scale) {
            for (int at = counts.length - 1; at >= 0; at--) {
                if (counts[at] > 0) {
                    return Math.pow(2, Math.scalb((double) offset + at, -scale));
                }
            }
            return 0;
        }

        private double at(double rank, int scale) {
            if (counts.length == 0) {
                return Double.NaN;
            }
            double below = 0;
            int at = 0;
            while (at < counts.length - 1 && below + counts[at] < rank) {
                below += counts[at];
                at++;
            }
            double within = counts[at] == 0 ? 1 : Math.min(1, (rank - below) / counts[at]);
            return Math.pow(2, Math.scalb(offset + at + within, -scale));
        }
    }
}
