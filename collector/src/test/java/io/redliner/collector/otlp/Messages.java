// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogram;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import java.time.Instant;
import java.util.Arrays;

/** Messages as a service sends them. */
final class Messages {

    private Messages() {}

    /** From an instance that says who it is. */
    static ExportMetricsServiceRequest of(Metric... metrics) {
        return from(resource("service.name", "shop", "redliner.instance", "10.0.0.1:8080"), metrics);
    }

    static ExportMetricsServiceRequest from(Resource resource, Metric... metrics) {
        return ExportMetricsServiceRequest.newBuilder()
                .addResourceMetrics(ResourceMetrics.newBuilder().setResource(resource)
                        .addScopeMetrics(ScopeMetrics.newBuilder().addAllMetrics(Arrays.asList(metrics))))
                .build();
    }

    static Resource resource(String... namesAndValues) {
        Resource.Builder resource = Resource.newBuilder();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            resource.addAttributes(attribute(namesAndValues[at], namesAndValues[at + 1]));
        }
        return resource.build();
    }

    static KeyValue attribute(String name, String value) {
        return KeyValue.newBuilder().setKey(name).setValue(AnyValue.newBuilder().setStringValue(value)).build();
    }

    static Metric gauge(String name, double value, Instant time) {
        return gauge(name, number(value, time));
    }

    static Metric gauge(String name, NumberDataPoint.Builder point) {
        return Metric.newBuilder().setName(name).setGauge(Gauge.newBuilder().addDataPoints(point)).build();
    }

    static Metric sum(String name, boolean monotonic, AggregationTemporality temporality, double value,
            Instant time) {
        return Metric.newBuilder().setName(name).setSum(Sum.newBuilder().setIsMonotonic(monotonic)
                .setAggregationTemporality(temporality).addDataPoints(number(value, time))).build();
    }

    static Metric histogram(String name, AggregationTemporality temporality, HistogramDataPoint.Builder point) {
        return Metric.newBuilder().setName(name).setUnit("ms").setHistogram(
                Histogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point)).build();
    }

    static Metric exponential(String name, AggregationTemporality temporality,
            ExponentialHistogramDataPoint.Builder point) {
        return Metric.newBuilder().setName(name).setUnit("s").setExponentialHistogram(
                ExponentialHistogram.newBuilder().setAggregationTemporality(temporality).addDataPoints(point)).build();
    }

    static NumberDataPoint.Builder number(double value, Instant time) {
        return NumberDataPoint.newBuilder().setAsDouble(value).setTimeUnixNano(nanos(time));
    }

    static long nanos(Instant time) {
        return time.toEpochMilli() * 1_000_000;
    }
}
