// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.redliner.collector.metrics.BucketHistogram;
import io.redliner.collector.metrics.ExplicitBuckets;
import io.redliner.collector.metrics.ExponentialBuckets;
import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import java.util.Arrays;
import java.util.List;

/**
 * Converts pushed histograms, and rejects contradictory ones. A count may differ a little from the sum of the buckets, because
 * senders read them one after the other; then the sum counts.
 */
final class OtlpHistograms {

    /** No histogram has more buckets. */
    private static final int MAX_BUCKETS = 10_000;

    private OtlpHistograms() {}

    static BucketHistogram of(HistogramDataPoint point) throws PointRejectedException {
        double sum = point.hasSum() ? point.getSum() : Double.NaN;
        double count = count(point.getCount());
        double[] counts = counts(point.getBucketCountsList());
        if (counts.length == 0) {
            check(point.getExplicitBoundsCount() == 0);
            return ExplicitBuckets.none(count, sum);
        }
        double[] bounds = point.getExplicitBoundsList().stream().mapToDouble(Double::doubleValue).toArray();
        BucketHistogram buckets = explicit(bounds, counts, sum);
        check(ExplicitBuckets.fit(count, buckets.count()));
        return buckets;
    }

    private static BucketHistogram explicit(double[] bounds, double[] counts, double sum)
            throws PointRejectedException {
        // Some senders give the last bound, infinity, too.
        boolean lastBoundGiven = bounds.length > 0 && bounds.length == counts.length
                && bounds[bounds.length - 1] == Double.POSITIVE_INFINITY;
        try {
            return ExplicitBuckets.of(lastBoundGiven ? Arrays.copyOf(bounds, bounds.length - 1) : bounds, counts, sum);
        } catch (IllegalArgumentException e) {
            throw new PointRejectedException(PointRejectionReason.BUCKETS);
        }
    }

    static BucketHistogram of(ExponentialHistogramDataPoint point) throws PointRejectedException {
        double zeros = count(point.getZeroCount());
        ExponentialBuckets.Side positiveSide = side(point.getPositive());
        ExponentialBuckets.Side negativeSide = side(point.getNegative());
        try {
            BucketHistogram buckets = ExponentialBuckets.of(point.getScale(), point.getZeroThreshold(), zeros,
                    positiveSide,
                    negativeSide, point.hasSum() ? point.getSum() : Double.NaN);
            check(ExplicitBuckets.fit(count(point.getCount()), buckets.count()));
            return buckets;
        } catch (IllegalArgumentException e) {
            throw new PointRejectedException(PointRejectionReason.BUCKETS);
        }
    }

    private static ExponentialBuckets.Side side(ExponentialHistogramDataPoint.Buckets buckets)
            throws PointRejectedException {
        double[] counts = counts(buckets.getBucketCountsList());
        try {
            return counts.length == 0
                    ? ExponentialBuckets.Side.NONE
                    : ExponentialBuckets.Side.of(buckets.getOffset(), counts);
        } catch (IllegalArgumentException e) {
            throw new PointRejectedException(PointRejectionReason.BUCKETS);
        }
    }

    private static double[] counts(List<Long> counts) throws PointRejectedException {
        check(counts.size() <= MAX_BUCKETS);
        double[] values = new double[counts.size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = count(counts.get(at));
        }
        return values;
    }

    /** Converts a count. The wire has no sign: a negative value here is beyond 2^63, and no count. */
    static double count(long count) throws PointRejectedException {
        check(count >= 0);
        return count;
    }

    private static void check(boolean possible) throws PointRejectedException {
        if (!possible) {
            throw new PointRejectedException(PointRejectionReason.BUCKETS);
        }
    }
}
