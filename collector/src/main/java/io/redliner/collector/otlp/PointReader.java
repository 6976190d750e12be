// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.redliner.collector.series.Labels;
import io.redliner.collector.series.Point;
import io.redliner.collector.series.Series;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the points of a message. Whatever the message says, each point is handed on, skipped or refused; nothing here
 * throws.
 */
final class PointReader {

    /** Of a summary; none has more. */
    private static final int MOST_QUANTILES = 100;

    /** Micrometer has the largest value of a timer as a gauge beside it, which in Prometheus is named otherwise. */
    private static final String LARGEST = ".max";

    private final Instant now;

    private final List<Point> points;

    private final Received received;

    /** Whether the metric that is read is such a gauge. */
    private boolean largest;

    /**
     * For one message.
     *
     * @param now the time of points that tell none
     * @param points where they are handed on to
     */
    PointReader(Instant now, List<Point> points, Received received) {
        this.now = now;
        this.points = points;
        this.received = received;
    }

    /** How many points a metric has, of whatever kind. */
    static long count(Metric metric) {
        return (long) metric.getGauge().getDataPointsCount() + metric.getSum().getDataPointsCount()
                + metric.getHistogram().getDataPointsCount() + metric.getExponentialHistogram().getDataPointsCount()
                + metric.getSummary().getDataPointsCount();
    }

    /** Reads the metrics of one scope, which know of each other. */
    void read(ScopeMetrics scope) {
        Set<String> distributions = scope.getMetricsList().stream()
                .filter(metric -> metric.hasHistogram() || metric.hasExponentialHistogram() || metric.hasSummary())
                .map(Metric::getName).collect(Collectors.toSet());
        for (Metric metric : scope.getMetricsList()) {
            String name = metric.getName();
            largest = name.endsWith(LARGEST)
                    && distributions.contains(name.substring(0, name.length() - LARGEST.length()));
            read(metric);
        }
    }

    private void read(Metric metric) {
        if (metric.getName().isBlank()) {
            received.refuse(Refusal.NO_NAME, count(metric));
            return;
        }
        switch (metric.getDataCase()) {
            case GAUGE -> metric.getGauge().getDataPointsList()
                    .forEach(point -> read(point.getFlags(), () -> level(metric, point)));
            case SUM -> metric.getSum().getDataPointsList()
                    .forEach(point -> read(point.getFlags(), () -> sum(metric, point)));
            case HISTOGRAM -> metric.getHistogram().getDataPointsList()
                    .forEach(point -> read(point.getFlags(), () -> histogram(metric, point)));
            case EXPONENTIAL_HISTOGRAM -> metric.getExponentialHistogram().getDataPointsList()
                    .forEach(point -> read(point.getFlags(), () -> exponential(metric, point)));
            case SUMMARY -> metric.getSummary().getDataPointsList()
                    .forEach(point -> read(point.getFlags(), () -> summary(metric, point)));
            case DATA_NOT_SET -> {
                // It has no points.
            }
        }
    }

    private void read(int flags, Reading reading) {
        if ((flags & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE) != 0) {
            received.skip();
            return;
        }
        try {
            points.add(reading.point());
            received.handOn();
        } catch (RefusedException e) {
            received.refuse(e.refusal(), 1);
        }
    }

    private Point level(Metric metric, NumberDataPoint point) throws RefusedException {
        Labels labels = Attributes.labels(point.getAttributesList());
        return new Point.Level(level(metric, labels), time(point.getTimeUnixNano()), value(point));
    }

    private Series level(Metric metric, Labels labels) {
        String name = metric.getName();
        if (!largest) {
            return Series.named(name, metric.getUnit(), labels);
        }
        Series whole = Series.named(name.substring(0, name.length() - LARGEST.length()), metric.getUnit(), labels);
        return new Series(whole.family() + "_max", labels, whole.factor());
    }

    private Point sum(Metric metric, NumberDataPoint point) throws RefusedException {
        Sum sum = metric.getSum();
        boolean delta = isDelta(sum.getAggregationTemporality());
        if (!sum.getIsMonotonic()) {
            if (delta) {
                throw new RefusedException(Refusal.TEMPORALITY);
            }
            return level(metric, point);
        }
        Series series = Series.counter(metric.getName(), metric.getUnit(),
                Attributes.labels(point.getAttributesList()));
        Instant time = time(point.getTimeUnixNano());
        Instant start = start(point.getStartTimeUnixNano(), time);
        return delta
                ? new Point.Increment(series, start, time, value(point))
                : new Point.Total(series, start, time, value(point));
    }

    private Point histogram(Metric metric, HistogramDataPoint point) throws RefusedException {
        boolean delta = isDelta(metric.getHistogram().getAggregationTemporality());
        Instant time = time(point.getTimeUnixNano());
        return new Point.Histogram(series(metric, point.getAttributesList()),
                start(point.getStartTimeUnixNano(), time), time, delta, Buckets.of(point),
                delta && point.hasMax() ? point.getMax() : Double.NaN);
    }

    private Point exponential(Metric metric, ExponentialHistogramDataPoint point) throws RefusedException {
        boolean delta = isDelta(metric.getExponentialHistogram().getAggregationTemporality());
        Instant time = time(point.getTimeUnixNano());
        return new Point.Histogram(series(metric, point.getAttributesList()),
                start(point.getStartTimeUnixNano(), time), time, delta, Buckets.of(point),
                delta && point.hasMax() ? point.getMax() : Double.NaN);
    }

    private Point summary(Metric metric, SummaryDataPoint point) throws RefusedException {
        if (point.getQuantileValuesCount() > MOST_QUANTILES) {
            throw new RefusedException(Refusal.BUCKETS);
        }
        Instant time = time(point.getTimeUnixNano());
        TreeMap<Double, Double> quantiles = new TreeMap<>();
        for (SummaryDataPoint.ValueAtQuantile quantile : point.getQuantileValuesList()) {
            if (!(quantile.getQuantile() >= 0 && quantile.getQuantile() <= 1)) {
                throw new RefusedException(Refusal.BUCKETS);
            }
            quantiles.put(quantile.getQuantile(), quantile.getValue());
        }
        return new Point.Summary(series(metric, point.getAttributesList()),
                start(point.getStartTimeUnixNano(), time), time, Buckets.count(point.getCount()), point.getSum(),
                quantiles);
    }

    private static Series series(Metric metric, List<KeyValue> attributes) throws RefusedException {
        return Series.named(metric.getName(), metric.getUnit(), Attributes.labels(attributes));
    }

    private static double value(NumberDataPoint point) throws RefusedException {
        return switch (point.getValueCase()) {
            case AS_DOUBLE -> point.getAsDouble();
            case AS_INT -> point.getAsInt();
            case VALUE_NOT_SET -> throw new RefusedException(Refusal.UNKNOWN_KIND);
        };
    }

    private static boolean isDelta(AggregationTemporality temporality) throws RefusedException {
        return switch (temporality) {
            case AGGREGATION_TEMPORALITY_DELTA -> true;
            case AGGREGATION_TEMPORALITY_CUMULATIVE -> false;
            case AGGREGATION_TEMPORALITY_UNSPECIFIED, UNRECOGNIZED ->
                throw new RefusedException(Refusal.TEMPORALITY);
        };
    }

    private Instant time(long nanos) throws RefusedException {
        if (nanos < 0) {
            throw new RefusedException(Refusal.TIME);
        }
        return nanos == 0 ? now : Instant.ofEpochSecond(0, nanos);
    }

    private static @Nullable Instant start(long nanos, Instant time) {
        Instant start = Instant.ofEpochSecond(0, Math.max(0, nanos));
        return nanos <= 0 || start.isAfter(time) ? null : start;
    }

    /** Of one point. */
    @FunctionalInterface
    private interface Reading {

        Point point() throws RefusedException;
    }
}
