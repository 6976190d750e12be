// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.metrics.CustomGaugeSettings;
import io.redliner.collector.metrics.MetricTranslator;
import io.redliner.collector.source.InstancesProperties;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.MeasurementSink;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the measurements that were made of the pushed points. */
final class RecordedMeasurements implements MeasurementSink {

    private final List<GaugeMeasurement> measured = new CopyOnWriteArrayList<>();

    @Override
    public void take(List<GaugeMeasurement> measurements) {
        measured.addAll(measurements);
    }

    /** An intake that knows these instances of the service {@code shop}. */
    OtlpReceiver intake(InstantSource clock, String... addresses) {
        return new OtlpReceiver(
                new ResourceInstanceResolver(() -> new InstancesProperties(List.of(addresses).stream()
                        .map(address -> new InstancesProperties.Entry("shop", address, false, null, null, 0)).toList(),
                        "/").targets()),
                new MetricTranslator("otlp", new CustomGaugeSettings(List.of("*"), 500, 100, Duration.ofMinutes(5)),
                        new SimpleMeterRegistry()),
                this,
                new OtlpMetrics(new SimpleMeterRegistry()), clock);
    }

    List<GaugeMeasurement> all() {
        return measured;
    }

    List<String> names() {
        return measured.stream().map(GaugeMeasurement::name).distinct().sorted().toList();
    }

    List<GaugeMeasurement> all(String name) {
        return measured.stream().filter(measurement -> measurement.name().equals(name)).toList();
    }

    /** The last value of that name. */
    double value(String name) {
        List<GaugeMeasurement> all = all(name);
        return all.isEmpty() ? Double.NaN : all.getLast().value();
    }
}
