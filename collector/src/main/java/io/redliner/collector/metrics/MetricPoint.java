// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.time.Instant;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The value of one series at one time. Values are as received, in the unit of the sender: {@link MetricSeries#factor} converts to
 * the base unit. They need not be sane: the translator drops and counts those that are not finite numbers.
 */
public sealed interface MetricPoint {

    /** Returns the series. */
    MetricSeries series();

    /** Returns the time of the value; for an increase the end of its time. */
    Instant time();

    /** A gauge: the value at that instant. Also a sum that may go down (OpenTelemetry's UpDownCounter, cumulative). */
    record Level(MetricSeries series, Instant time, double value) implements MetricPoint {}

    /**
     * A counter: the total since a start.
     *
     * @param start when it was 0; null: not known. A start that is newer than the last means that it began anew.
     */
    record Total(MetricSeries series, @Nullable Instant start, Instant time, double value) implements MetricPoint {}

    /**
     * An increase since the start (OpenTelemetry's delta temporality).
     *
     * @param start of the increase; null: the time of the series' last point
     */
    record Increment(MetricSeries series, @Nullable Instant start, Instant time, double value) implements MetricPoint {}

    /**
     * A histogram, of explicit or of exponential buckets, or without any.
     *
     * @param start when all was 0; null: not known, or the time of the series' last point
     * @param delta whether it holds the increase since the start, rather than the total
     * @param max the largest value of the recent past, say of the time since the last point or of a sliding window; NaN when not
     * known. It is not the largest since the start: that would be reported for ever. It is measured as a gauge of the name that
     * Micrometer has for it in Prometheus, {@code ..._max}.
     */
    record Histogram(MetricSeries series, @Nullable Instant start, Instant time, boolean delta,
            BucketHistogram distribution,
            double max) implements MetricPoint {}

    /**
     * Quantiles that the service has computed itself, over a time that only it knows.
     *
     * @param start as of a total
     * @param count of all values since the start
     * @param sum of them; NaN when not known
     * @param quantiles value by quantile, 0 to 1; may be empty
     */
    record Summary(MetricSeries series, @Nullable Instant start, Instant time, double count, double sum,
            SortedMap<Double, Double> quantiles) implements MetricPoint {}
}
