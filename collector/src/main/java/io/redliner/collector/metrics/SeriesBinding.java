// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.time.Instant;
import java.util.Optional;

/** One series that is followed, and what it is for: a known measurement or custom gauges. */
final class SeriesBinding {

    private final MetricSeries series;

    private final PreviousPoint track;

    private final Optional<MetricMapping> known;

    private final String part;

    private final CustomGauges custom;

    private double level = Double.NaN;

    private boolean rose;

    SeriesBinding(MetricPoint first, Optional<MetricMapping> known, CustomGauges custom,
            MetricTranslationMetrics metrics) {
        this.series = first.series();
        this.track = new PreviousPoint(metrics);
        this.known = known;
        this.part = known.map(it -> it.part(series.labels())).orElse("");
        this.custom = custom;
    }

    PointDelta read(MetricPoint point, Instant now) {
        PointDelta reading = track.read(point, now);
        if (reading instanceof PointDelta.At at) {
            double value = at.value() * series.factor();
            rose = value > level;
            level = value;
        }
        return reading;
    }

    MetricSeries series() {
        return series;
    }

    PreviousPoint track() {
        return track;
    }

    Optional<MetricMapping> known() {
        return known;
    }

    CustomGauges custom() {
        return custom;
    }

    boolean is(MappedGauge meaning, MetricMapping.Role role) {
        return known.isPresent() && known.get().meaning() == meaning && known.get().role() == role;
    }

    /** What the known measurement is finer in; empty: nothing. */
    String part() {
        return part;
    }

    /** The last one, in the base unit; NaN before. */
    double level() {
        return level;
    }

    /** Whether the last level is above the one before it. */
    boolean rose() {
        return rose;
    }
}
