// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A translator with a clock that goes ten seconds with each look. */
final class Look {

    static final InstanceId SHOP = new InstanceId("shop", "10.0.0.1:8080");

    static final Duration HOLD = Duration.ofSeconds(15);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final MetricTranslator translator;

    private Instant now = START;

    Look(CustomGaugeSettings settings) {
        translator = new MetricTranslator("test", settings, new SimpleMeterRegistry());
    }

    Look() {
        this(new CustomGaugeSettings(List.of("*"), 500, 1000, Duration.ofMinutes(5)));
    }

    MetricTranslator translator() {
        return translator;
    }

    Instant now() {
        return now;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /** What is measured, by name. */
    Map<String, Double> at(MetricPoint... points) {
        return translate(points).stream().collect(
                Collectors.toMap(GaugeMeasurement::name, GaugeMeasurement::value, (first, second) -> second,
                        TreeMap::new));
    }

    List<GaugeMeasurement> translate(MetricPoint... points) {
        List<GaugeMeasurement> measured = translator.translate(SHOP, Arrays.asList(points), now, HOLD);
        pass(Duration.ofSeconds(10));
        return measured;
    }

    MetricPoint level(String name, Map<String, String> labels, double value) {
        return new MetricPoint.Level(MetricSeries.named(name, "", Labels.of(labels)), now, value);
    }

    MetricPoint total(String name, double value) {
        return new MetricPoint.Total(MetricSeries.counter(name, "", Labels.NONE), null, now, value);
    }

    MetricPoint timer(String name, Map<String, String> labels, double count, double sum) {
        return new MetricPoint.Summary(MetricSeries.named(name, "", Labels.of(labels)), null, now, count, sum,
                new TreeMap<>());
    }

    MetricPoint histogram(String name, double[] bounds, double[] counts, double sum) {
        return new MetricPoint.Histogram(MetricSeries.named(name, "", Labels.NONE), null, now, false,
                ExplicitBuckets.of(bounds, counts, sum), Double.NaN);
    }
}
