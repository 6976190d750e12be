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
import io.redliner.collector.metrics.Labels;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import io.redliner.collector.otlp.OtlpMetrics.PointRejectionReason;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the points of a message. Each point is handed on, skipped or refused, whatever the message contains; nothing here
 * throws.
 */
final class OtlpPointDecoder {

    /** No summary has more quantiles. */
    private static final int MAX_QUANTILES = 100;

    /**
     * The end of the name of a gauge that Micrometer adds to a timer, for its largest value. Prometheus names that gauge
     * otherwise.
     */
    private static final String LARGEST = ".max";

    private final Instant now;

    private final List<MetricPoint> points;

    private final PartialSuccess partialSuccess;

    /** True while the current metric is such a gauge. */
    private boolean largest;

    /**
     * Creates the decoder of one message.
     *
     * @param now the time of points that have none
     * @param points the list to which points are added
     */
    OtlpPointDecoder(Instant now, List<MetricPoint> points, PartialSuccess partialSuccess) {
        this.now = now;
        this.points = points;
        this.partialSuccess = partialSuccess;
    }

    /** Returns the number of points of a metric of any kind. */
    static long count(Metric metric) {
        return (long) metric.getGauge().getDataPointsCount() + metric.getSum().getDataPointsCount()
                + metric.getHistogram().getDataPointsCount() + metric.getExponentialHistogram().getDataPointsCount()
                + metric.getSummary().getDataPointsCount();
    }

    /** Decodes the metrics of one scope; several of them may describe one measurement. */
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
            partialSuccess.refuse(PointRejectionReason.NO_NAME, count(metric));
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
            partialSuccess.skip();
            return;
        }
        try {
            points.add(reading.point());
            partialSuccess.handOn();
        } catch (PointRejectedException e) {
            partialSuccess.refuse(e.reason(), 1);
        }
    }

    private MetricPoint level(Metric metric, NumberDataPoint point) throws PointRejectedException {
        Labels labels = OtlpAttributes.labels(point.getAttributesList());
        return new MetricPoint.Level(level(metric, labels), time(point.getTimeUnixNano()), value(point));
    }

    private MetricSeries level(Metric metric, Labels labels) {
        String name = metric.getName();
        if (!largest) {
            return MetricSeries.named(name, metric.getUnit(), labels);
        }
        MetricSeries whole = MetricSeries.named(name.substring(0, name.length() - LARGEST.length()), metric.getUnit(),
                labels);
        return new MetricSeries(whole.family() + "_max", labels, whole.factor());
    }

    private MetricPoint sum(Metric metric, NumberDataPoint point) throws PointRejectedException {
        Sum sum = metric.getSum();
        boolean delta = isDelta(sum.getAggregationTemporality());
        if (!sum.getIsMonotonic()) {
            if (delta) {
                throw new PointRejectedException(PointRejectionReason.TEMPORALITY);
            }
            return level(metric, point);
        }
        MetricSeries series = MetricSeries.counter(metric.getName(), metric.getUnit(),
                OtlpAttributes.labels(point.getAttributesList()));
        Instant time = time(point.getTimeUnixNano());
        Instant start = start(point.getStartTimeUnixNano(), time);
        return delta
                ? new MetricPoint.Increment(series, start, time, value(point))
                : new MetricPoint.Total(series, start, time, value(point));
    }

    private MetricPoint histogram(Metric metric, HistogramDataPoint point) throws PointRejectedException {
        boolean delta = isDelta(metric.getHistogram().getAggregationTemporality());
        Instant time = time(point.getTimeUnixNano());
        return new MetricPoint.Histogram(series(metric, point.getAttributesList()),
                start(point.getStartTimeUnixNano(), time), time, delta, OtlpHistograms.of(point),
                delta && point.hasMax() ? point.getMax() : Double.NaN);
    }

    private MetricPoint exponential(Metric metric, ExponentialHistogramDataPoint point) throws PointRejectedException {
        boolean delta = isDelta(metric.getExponentialHistogram().getAggregationTemporality());
        Instant time = time(point.getTimeUnixNano());
        return new MetricPoint.Histogram(series(metric, point.getAttributesList()),
                start(point.getStartTimeUnixNano(), time), time, delta, OtlpHistograms.of(point),
                delta && point.hasMax() ? point.getMax() : Double.NaN);
    }

    private MetricPoint summary(Metric metric, SummaryDataPoint point) throws PointRejectedException {
        if (point.getQuantileValuesCount() > MAX_QUANTILES) {
            throw new PointRejectedException(PointRejectionReason.BUCKETS);
        }
        Instant time = time(point.getTimeUnixNano());
        TreeMap<Double, Double> quantiles = new TreeMap<>();
        for (SummaryDataPoint.ValueAtQuantile quantile : point.getQuantileValuesList()) {
            if (!(quantile.getQuantile() >= 0 && quantile.getQuantile() <= 1)) {
                throw new PointRejectedException(PointRejectionReason.BUCKETS);
            }
            quantiles.put(quantile.getQuantile(), quantile.getValue());
        }
        return new MetricPoint.Summary(series(metric, point.getAttributesList()),
                start(point.getStartTimeUnixNano(), time), time, OtlpHistograms.count(point.getCount()), point.getSum(),
                quantiles);
    }

    private static MetricSeries series(Metric metric, List<KeyValue> attributes) throws PointRejectedException {
        return MetricSeries.named(metric.getName(), metric.getUnit(), OtlpAttributes.labels(attributes));
    }

    private static double value(NumberDataPoint point) throws PointRejectedException {
        return switch (point.getValueCase()) {
            case AS_DOUBLE -> point.getAsDouble();
            case AS_INT -> point.getAsInt();
            case VALUE_NOT_SET -> throw new PointRejectedException(PointRejectionReason.UNKNOWN_KIND);
        };
    }

    private static boolean isDelta(AggregationTemporality temporality) throws PointRejectedException {
        return switch (temporality) {
            case AGGREGATION_TEMPORALITY_DELTA -> true;
            case AGGREGATION_TEMPORALITY_CUMULATIVE -> false;
            case AGGREGATION_TEMPORALITY_UNSPECIFIED, UNRECOGNIZED ->
                throw new PointRejectedException(PointRejectionReason.TEMPORALITY);
        };
    }

    private Instant time(long nanos) throws PointRejectedException {
        if (nanos < 0) {
            throw new PointRejectedException(PointRejectionReason.TIME);
        }
        return nanos == 0 ? now : Instant.ofEpochSecond(0, nanos);
    }

    private static @Nullable Instant start(long nanos, Instant time) {
        Instant start = Instant.ofEpochSecond(0, Math.max(0, nanos));
        return nanos <= 0 || start.isAfter(time) ? null : start;
    }

    /** Decodes one point. */
    @FunctionalInterface
    private interface Reading {

        MetricPoint point() throws PointRejectedException;
    }
}
