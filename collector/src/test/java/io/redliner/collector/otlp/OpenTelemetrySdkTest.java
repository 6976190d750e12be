// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.redliner.collector.StartsSpring;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real SDK and its exporter, compared with what was recorded. */
@StartsSpring
class OpenTelemetrySdkTest {

    private static final int VALUES = 20_000;

    @ParameterizedTest
    @ValueSource(strings = {"delta", "cumulative"})
    void quantiles_of_exponential_histograms_are_those_of_the_values(String temporality) {
        double[] values = new Random(7).doubles(VALUES).map(u -> 0.010 * Math.exp(-2 * Math.log(1 - u))).toArray();
        try (OtlpCollector collector = new OtlpCollector(); SdkMeterProvider sdk = sdk(collector, temporality)) {
            DoubleHistogram histogram = sdk.get("test").histogramBuilder("call.duration").setUnit("s").build();
            histogram.record(0.01);
            push(sdk);

            Arrays.stream(values).forEach(histogram::record);
            push(sdk);

            Arrays.sort(values);
            RecordedMeasurements recorded = collector.recorded();
            assertThat(count(recorded, "call_duration_seconds.rate")).isCloseTo(VALUES, within(0.5));
            assertThat(recorded.value("call_duration_seconds.mean"))
                    .isCloseTo(Arrays.stream(values).average().orElseThrow(), within(1e-6));
            for (int percent : new int[]{50, 90, 95, 99}) {
                double truth = values[VALUES * percent / 100];
                assertThat(recorded.value("call_duration_seconds.p" + percent)).isCloseTo(truth, within(0.025 * truth));
            }
            assertThat(recorded.all()).extracting(GaugeMeasurement::instanceId)
                    .containsOnly(new InstanceId("shop", "127.0.0.1:8080"));
        }
    }

    @Test
    void counters_and_gauges_are_what_was_counted() {
        try (OtlpCollector collector = new OtlpCollector(); SdkMeterProvider sdk = sdk(collector, "delta")) {
            Meter meter = sdk.get("test");
            LongCounter orders = meter.counterBuilder("orders").build();
            LongUpDownCounter waiting = meter.upDownCounterBuilder("waiting").build();
            orders.add(5);
            waiting.add(9);
            push(sdk);

            orders.add(300, Attributes.of(AttributeKey.stringKey("kind"), "book"));
            orders.add(40);
            waiting.add(-2);
            push(sdk);

            assertThat(count(collector.recorded(), "orders.rate")).isCloseTo(40, within(0.01));
            assertThat(count(collector.recorded(), "orders{kind=\"book\"}.rate")).isCloseTo(300, within(0.01));
            assertThat(collector.recorded().value("waiting")).isEqualTo(7);
        }
    }

    private static void push(SdkMeterProvider sdk) {
        assertThat(sdk.forceFlush().join(10, TimeUnit.SECONDS).isSuccess()).isTrue();
    }

    /** How many there were in the time that the last rate is of. */
    private static double count(RecordedMeasurements recorded, String name) {
        GaugeMeasurement rate = recorded.all(name).getLast();
        return rate.value() * Duration.between(rate.from(), rate.to()).toNanos() / 1e9;
    }

    private static SdkMeterProvider sdk(OtlpCollector collector, String temporality) {
        OtlpGrpcMetricExporter exporter = OtlpGrpcMetricExporter.builder().setEndpoint(collector.grpc())
                .setCompression("gzip")
                .setAggregationTemporalitySelector(temporality.equals("delta")
                        ? AggregationTemporalitySelector.deltaPreferred()
                        : AggregationTemporalitySelector.alwaysCumulative())
                .setDefaultAggregationSelector(DefaultAggregationSelector.getDefault()
                        .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram()))
                .build();
        return SdkMeterProvider.builder()
                .setResource(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "shop",
                        AttributeKey.stringKey("redliner.instance"), "127.0.0.1:8080")))
                .registerMetricReader(
                        PeriodicMetricReader.builder(exporter).setInterval(Duration.ofHours(1)).build())
                .build();
    }
}
