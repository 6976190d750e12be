// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.metrics.BucketHistogram;
import io.redliner.collector.metrics.ExplicitBuckets;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import io.redliner.collector.scrape.MetricFamilyBuilder.ExpositionSample;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects the samples of one series, which together are one point. */
final class MetricPointBuilder {

    private static final double MILLIS = 1e3;

    private final Instant time;

    /** Cumulative counts by upper bound, or values by quantile. */
    private final TreeMap<Double, Double> bounds = new TreeMap<>();

    private double value = Double.NaN;

    private double count = Double.NaN;

    private double sum = Double.NaN;

    private @Nullable Instant created;

    private int samples;

    MetricPointBuilder(Instant time) {
        this.time = time;
    }

    void add(MetricType type, ExpositionSample sample) {
        samples++;
        switch (sample.suffix()) {
            case "_created" -> created = instant(sample.value());
            case "_sum" -> sum = sample.value();
            case "_count" -> count = sample.value();
            case "_bucket" -> bounds.put(sample.bound(), sample.value());
            default -> {
                if (type == MetricType.SUMMARY) {
                    bounds.put(sample.bound(), sample.value());
                } else {
                    value = sample.value();
                }
            }
        }
    }

    int samples() {
        return samples;
    }

    MetricPoint point(MetricType type, String family, MetricSeries series) {
        return switch (type) {
            case COUNTER -> new MetricPoint.Total(series, created, time, value);
            case HISTOGRAM -> new MetricPoint.Histogram(series, created, time, false, distribution(), Double.NaN);
            case SUMMARY -> new MetricPoint.Summary(series, created, time, count, sum, bounds);
            case GAUGE, UNTYPED, INFO, STATESET, GAUGEHISTOGRAM ->
                throw new IllegalStateException(family + " is no family whose samples are gathered");
        };
    }

    /** Returns the histogram. Contradictory buckets become one that is not sane either, which is dropped and counted. */
    private BucketHistogram distribution() {
        double all = bounds.getOrDefault(Double.POSITIVE_INFINITY, count);
        bounds.remove(Double.POSITIVE_INFINITY);
        if (bounds.isEmpty()) {
            return ExplicitBuckets.none(all, sum);
        }
        double[] upper = new double[bounds.size()];
        double[] counts = new double[upper.length + 1];
        double below = 0;
        int at = 0;
        for (var bucket : bounds.entrySet()) {
            upper[at] = bucket.getKey();
            counts[at++] = bucket.getValue() - below;
            below = bucket.getValue();
        }
        counts[at] = all < below && ExplicitBuckets.fit(all, below) ? 0 : all - below;
        try {
            return ExplicitBuckets.of(upper, counts, sum);
        } catch (IllegalArgumentException e) {
            return ExplicitBuckets.none(Double.NaN, Double.NaN);
        }
    }

    private static @Nullable Instant instant(double seconds) {
        return seconds > 0 && seconds < 1e11 ? Instant.ofEpochMilli((long) (seconds * MILLIS)) : null;
    }
}
