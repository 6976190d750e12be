// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.Arrays;
import java.util.Optional;

/** A histogram whose buckets have given upper bounds; the last bucket has none. */
public final class ExplicitBuckets implements BucketHistogram {

    /** The number of values that may come while a service reads count and buckets one after the other. */
    private static final double NEAR = 10;

    private static final double NEAR_PART = 0.01;

    private final double[] bounds;

    private final double[] counts;

    private final double count;

    private final double sum;

    private ExplicitBuckets(double[] bounds, double[] counts, double count, double sum) {
        this.bounds = bounds;
        this.counts = counts;
        this.count = count;
        this.sum = sum;
    }

    /**
     * Creates a histogram from OpenTelemetry's form.
     *
     * @param bounds upper ones, inclusive, ascending, finite; may be none
     * @param counts of each bucket alone; one more than bounds
     * @param sum NaN when not known
     * @throws IllegalArgumentException when the bounds do not ascend or the numbers of both do not fit
     */
    public static ExplicitBuckets of(double[] bounds, double[] counts, double sum) {
        if (counts.length != bounds.length + 1) {
            throw new IllegalArgumentException(bounds.length + " bounds and " + counts.length + " buckets");
        }
        for (int at = 0; at < bounds.length; at++) {
            if (!Double.isFinite(bounds[at]) || (at > 0 && bounds[at] <= bounds[at - 1])) {
                throw new IllegalArgumentException("the bounds of buckets ascend; these do not");
            }
        }
        return new ExplicitBuckets(bounds.clone(), counts.clone(), Arrays.stream(counts).sum(), sum);
    }

    /** Creates a histogram without buckets: only the number of values, and their sum. */
    public static ExplicitBuckets none(double count, double sum) {
        return new ExplicitBuckets(new double[0], new double[]{count}, count, sum);
    }

    /**
     * Returns whether a count and the buckets' sum, read one after the other, can belong to the same histogram: they are nearly
     * equal.
     */
    public static boolean fit(double count, double buckets) {
        return Math.abs(count - buckets) <= Math.max(NEAR, NEAR_PART * Math.max(count, buckets));
    }

    @Override
    public double count() {
        return count;
    }

    @Override
    public double sum() {
        return sum;
    }

    @Override
    public Optional<BucketHistogram> since(BucketHistogram earlier) {
        if (!(earlier instanceof ExplicitBuckets other) || !Arrays.equals(bounds, other.bounds)) {
            return Optional.empty();
        }
        double[] increase = new double[counts.length];
        for (int at = 0; at < counts.length; at++) {
            increase[at] = counts[at] - other.counts[at];
        }
        return Optional.of(new ExplicitBuckets(bounds, increase, count - other.count, sum - other.sum));
    }

    @Override
    public BucketHistogram withoutFalls() {
        return new ExplicitBuckets(bounds, Arrays.stream(counts).map(value -> Math.max(0, value)).toArray(), count,
                sum);
    }

    @Override
    public boolean isSane() {
        return Double.isFinite(count) && Arrays.stream(counts).allMatch(value -> value >= 0);
    }

    /**
     * By linear interpolation within the bucket, as Prometheus' {@code histogram_quantile} does it: the lowest bucket begins
     * at 0 when its bound is above 0, and what is above the last bound is taken for the last bound.
     */
    @Override
    public double quantile(double quantile) {
        if (count <= 0 || bounds.length == 0) {
            return Double.NaN;
        }
        double rank = quantile * count;
        double below = 0;
        int at = 0;
        while (at < bounds.length && below + counts[at] < rank) {
            below += counts[at];
            at++;
        }
        if (at == bounds.length) {
            return bounds[bounds.length - 1];
        }
        if (at == 0 && bounds[0] <= 0) {
            return bounds[0];
        }
        double lower = at == 0 ? 0 : bounds[at - 1];
        return counts[at] == 0 ? lower : lower + (bounds[at] - lower) * (rank - below) / counts[at];
    }

    @Override
    public double minLargest() {
        for (int at = counts.length - 1; at > 0; at--) {
            if (counts[at] > 0) {
                return Math.max(0, bounds[at - 1]);
            }
        }
        return 0;
    }

    @Override
    public boolean hasBuckets() {
        return bounds.length > 0;
    }
}
