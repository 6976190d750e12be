// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A translator with a clock that goes ten seconds with each look. */
final class Look {

    static final Subject SHOP = new Subject("shop", "10.0.0.1:8080");

    static final Duration HOLD = Duration.ofSeconds(15);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Translator translator;

    private Instant now = START;

    Look(SeriesSettings settings) {
        translator = new Translator("test", settings);
    }

    Look() {
        this(new SeriesSettings(List.of("*"), 500, 1000, Duration.ofMinutes(5)));
    }

    Translator translator() {
        return translator;
    }

    Instant now() {
        return now;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /** What is measured, by name. */
    Map<String, Double> at(Point... points) {
        return translate(points).stream().collect(
                Collectors.toMap(Measurement::name, Measurement::value, (first, second) -> second, TreeMap::new));
    }

    List<Measurement> translate(Point... points) {
        List<Measurement> measured = translator.translate(SHOP, Arrays.asList(points), now, HOLD);
        pass(Duration.ofSeconds(10));
        return measured;
    }

    Point level(String name, Map<String, String> labels, double value) {
        return new Point.Level(Series.named(name, "", Labels.of(labels)), now, value);
    }

    Point total(String name, double value) {
        return new Point.Total(Series.counter(name, "", Labels.NONE), null, now, value);
    }

    Point timer(String name, Map<String, String> labels, double count, double sum) {
        return new Point.Summary(Series.named(name, "", Labels.of(labels)), null, now, count, sum, new TreeMap<>());
    }

    Point histogram(String name, double[] bounds, double[] counts, double sum) {
        return new Point.Histogram(Series.named(name, "", Labels.NONE), null, now, false,
                ExplicitBuckets.of(bounds, counts, sum), Double.NaN);
    }
}
