// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.series.Labels;
import io.redliner.collector.series.Point;
import io.redliner.collector.series.Series;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The samples of one family, as they come line by line. */
final class Family {

    private final String name;

    private final Kind kind;

    private final String unit;

    private final Map<Labels, Gathering> gatherings = new LinkedHashMap<>();

    Family(String name, Kind kind, String unit) {
        this.name = name;
        this.kind = kind;
        this.unit = unit;
    }

    String name() {
        return name;
    }

    Kind kind() {
        return kind;
    }

    String unit() {
        return unit;
    }

    /** Whether a sample of that name is one of this family. */
    boolean has(String sample) {
        return sample.startsWith(name)
                && (sample.length() == name.length() || kind.mayEndWith(sample.substring(name.length())));
    }

    /** The label that tells the samples of one series apart; empty: none does. */
    String boundLabel(String suffix) {
        return switch (kind) {
            case HISTOGRAM, GAUGEHISTOGRAM -> suffix.equals("_bucket") ? "le" : "";
            case SUMMARY -> suffix.isEmpty() ? "quantile" : "";
            case COUNTER, GAUGE, UNTYPED, INFO, STATESET -> "";
        };
    }

    void add(Sample sample, Harvest harvest) {
        switch (kind) {
            case COUNTER, HISTOGRAM, SUMMARY ->
                gatherings.computeIfAbsent(sample.labels(), unused -> new Gathering(sample.time())).add(kind, sample);
            case GAUGE, STATESET -> level(sample, harvest);
            case UNTYPED -> {
                if (name.endsWith("_total")) {
                    harvest.add(new Point.Total(Series.counter(name, unit, sample.labels()), null, sample.time(),
                            sample.value()));
                } else {
                    level(sample, harvest);
                }
            }
            case INFO, GAUGEHISTOGRAM -> harvest.ignore();
        }
    }

    /** The family is over. */
    void end(Harvest harvest) {
        gatherings.forEach((labels, gathering) -> harvest
                .add(gathering.point(kind, name, kind == Kind.COUNTER
                        ? Series.counter(name, unit, labels)
                        : Series.named(name, unit, labels))));
        gatherings.clear();
    }

    /** The family was cut in the middle: of a half-read histogram nothing is right. */
    void cut(Harvest harvest) {
        gatherings.values().forEach(gathering -> harvest.cut(gathering.samples()));
        gatherings.clear();
    }

    private void level(Sample sample, Harvest harvest) {
        if (saysNothing(name)) {
            harvest.ignore();
        } else {
            harvest.add(level(name, unit, sample.labels(), sample.time(), sample.value()));
        }
    }

    /** Infos and creation times that come as gauges. */
    static boolean saysNothing(String name) {
        return name.endsWith("_info") || name.endsWith("_created");
    }

    private static Point level(String name, String unit, Labels labels, Instant time, double value) {
        return new Point.Level(Series.named(name, unit, labels), time, value);
    }
}
