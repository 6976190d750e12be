// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.prometheus.client.Metrics.Bucket;
import io.prometheus.client.Metrics.BucketSpan;
import io.prometheus.client.Metrics.Histogram;
import io.redliner.collector.metrics.BucketHistogram;
import io.redliner.collector.metrics.ExplicitBuckets;
import io.redliner.collector.metrics.ExponentialBuckets;
import io.redliner.collector.metrics.ExponentialBuckets.Side;
import java.util.List;

/**
 * Converts a histogram of Prometheus' protobuf format: its native (exponential) buckets when it has them, otherwise those with
 * bounds. Contradictory buckets become a histogram that is not sane either, which is dropped and counted.
 */
final class ProtobufHistograms {

    private static final BucketHistogram NONSENSE = ExplicitBuckets.none(Double.NaN, Double.NaN);

    private static final int MIN_SCHEMA = -4;

    private static final int MAX_SCHEMA = 8;

    private ProtobufHistograms() {}

    static BucketHistogram distribution(Histogram histogram) {
        try {
            return isNative(histogram) ? exponential(histogram) : explicit(histogram);
        } catch (IllegalArgumentException e) {
            return NONSENSE;
        }
    }

    /** Returns whether the histogram is native. An empty native one has a single span of length 0. */
    private static boolean isNative(Histogram histogram) {
        return histogram.getSchema() >= MIN_SCHEMA && histogram.getSchema() <= MAX_SCHEMA
                && (histogram.getPositiveSpanCount() > 0 || histogram.getNegativeSpanCount() > 0
                        || histogram.getZeroCount() > 0 || histogram.getZeroCountFloat() > 0);
    }

    private static BucketHistogram exponential(Histogram histogram) {
        double zeros = histogram.getZeroCountFloat() > 0 ? histogram.getZeroCountFloat() : histogram.getZeroCount();
        return ExponentialBuckets.of(histogram.getSchema(), histogram.getZeroThreshold(), zeros,
                side(histogram.getPositiveSpanList(), histogram.getPositiveDeltaList(),
                        histogram.getPositiveCountList()),
                side(histogram.getNegativeSpanList(), histogram.getNegativeDeltaList(),
                        histogram.getNegativeCountList()),
                histogram.getSampleSum());
    }

    /** Converts one side: Prometheus' bucket i ends where that of OpenTelemetry with the same index begins. */
    private static Side side(List<BucketSpan> spans, List<Long> deltas, List<Double> counts) {
        if (spans.isEmpty()) {
            return Side.NONE;
        }
        int first = spans.getFirst().getOffset();
        double[] buckets = new double[size(spans)];
        int maxBuckets = counts.isEmpty() ? deltas.size() : counts.size();
        long index = 0;
        int position = 0;
        long value = 0;
        for (int span = 0; span < spans.size(); span++) {
            index += span == 0 ? 0 : spans.get(span).getOffset();
            for (long left = Integer.toUnsignedLong(spans.get(span).getLength()); left > 0; left--) {
                if (index < 0 || position >= maxBuckets) {
                    throw new IllegalArgumentException("spans beyond the buckets");
                }
                value += counts.isEmpty() ? deltas.get(position) : 0;
                buckets[(int) index] = counts.isEmpty() ? value : counts.get(position);
                position++;
                index++;
            }
        }
        if (first == Integer.MIN_VALUE) {
            throw new IllegalArgumentException("a bucket beyond all numbers");
        }
        return Side.of(first - 1, buckets);
    }

    private static int size(List<BucketSpan> spans) {
        long size = 0;
        for (int span = 0; span < spans.size(); span++) {
            size += Integer.toUnsignedLong(spans.get(span).getLength())
                    + (span == 0 ? 0 : Math.max(0, spans.get(span).getOffset()));
            if (size > Side.MAX_BUCKETS) {
                throw new IllegalArgumentException("too many buckets");
            }
        }
        return (int) size;
    }

    private static BucketHistogram explicit(Histogram histogram) {
        double count = histogram.getSampleCountFloat() > 0
                ? histogram.getSampleCountFloat()
                : histogram.getSampleCount();
        List<Bucket> buckets = histogram.getBucketList().stream()
                .filter(bucket -> bucket.getUpperBound() != Double.POSITIVE_INFINITY).toList();
        if (buckets.isEmpty()) {
            return ExplicitBuckets.none(count, histogram.getSampleSum());
        }
        double[] bounds = new double[buckets.size()];
        double[] counts = new double[bounds.length + 1];
        double below = 0;
        for (int at = 0; at < bounds.length; at++) {
            Bucket bucket = buckets.get(at);
            double upTo = bucket.getCumulativeCountFloat() > 0
                    ? bucket.getCumulativeCountFloat()
                    : bucket.getCumulativeCount();
            bounds[at] = bucket.getUpperBound();
            counts[at] = upTo - below;
            below = upTo;
        }
        counts[bounds.length] = count < below && ExplicitBuckets.fit(count, below) ? 0 : count - below;
        return ExplicitBuckets.of(bounds, counts, histogram.getSampleSum());
    }
}
