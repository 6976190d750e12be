// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.metrics.Labels;
import io.redliner.collector.metrics.MetricPoint;
import io.redliner.collector.metrics.MetricSeries;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects the samples of one family, line by line. */
final class MetricFamilyBuilder {

    private final String name;

    private final MetricType type;

    private final String unit;

    private final Map<Labels, MetricPointBuilder> gatherings = new LinkedHashMap<>();

    MetricFamilyBuilder(String name, MetricType type, String unit) {
        this.name = name;
        this.type = type;
        this.unit = unit;
    }

    String name() {
        return name;
    }

    MetricType type() {
        return type;
    }

    /** Returns whether a sample with that name belongs to this family. */
    boolean has(String sample) {
        return sample.startsWith(name)
                && (sample.length() == name.length() || type.mayEndWith(sample.substring(name.length())));
    }

    /** Returns the label that distinguishes the samples of one series; empty: none does. */
    String boundLabel(String suffix) {
        return switch (type) {
            case HISTOGRAM, GAUGEHISTOGRAM -> suffix.equals("_bucket") ? "le" : "";
            case SUMMARY -> suffix.isEmpty() ? "quantile" : "";
            case COUNTER, GAUGE, UNTYPED, INFO, STATESET -> "";
        };
    }

    void add(ExpositionSample sample, ScrapeResult result) {
        switch (type) {
            case COUNTER, HISTOGRAM, SUMMARY ->
                gatherings.computeIfAbsent(sample.labels(), unused -> new MetricPointBuilder(sample.time())).add(type,
                        sample);
            case GAUGE, STATESET -> level(sample, result);
            case UNTYPED -> {
                if (name.endsWith("_total")) {
                    result.add(new MetricPoint.Total(MetricSeries.counter(name, unit, sample.labels()), null,
                            sample.time(),
                            sample.value()));
                } else {
                    level(sample, result);
                }
            }
            case INFO, GAUGEHISTOGRAM -> result.ignore();
        }
    }

    /** Ends the family: adds its points to the result. */
    void end(ScrapeResult result) {
        gatherings.forEach((labels, gathering) -> result
                .add(gathering.point(type, name, type == MetricType.COUNTER
                        ? MetricSeries.counter(name, unit, labels)
                        : MetricSeries.named(name, unit, labels))));
        gatherings.clear();
    }

    /** Drops the series of a family that was cut in the middle: a half-read histogram is wrong. */
    void cut(ScrapeResult result) {
        gatherings.values().forEach(gathering -> result.cut(gathering.samples()));
        gatherings.clear();
    }

    private void level(ExpositionSample sample, ScrapeResult result) {
        if (isEmpty(name)) {
            result.ignore();
        } else {
            result.add(level(name, unit, sample.labels(), sample.time(), sample.value()));
        }
    }

    /** Returns whether a gauge is an info or a creation time, which measure nothing. */
    static boolean isEmpty(String name) {
        return name.endsWith("_info") || name.endsWith("_created");
    }

    private static MetricPoint level(String name, String unit, Labels labels, Instant time, double value) {
        return new MetricPoint.Level(MetricSeries.named(name, unit, labels), time, value);
    }

    /**
     * One line of text.
     *
     * @param suffix the end of its name after the family's name; usually empty
     * @param bound its label {@code le} or {@code quantile}, if the family's kind has one; NaN: none
     * @param labels the others
     */
    record ExpositionSample(String suffix, double bound, Labels labels, double value, Instant time) {}
}
