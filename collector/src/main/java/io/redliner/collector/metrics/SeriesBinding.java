// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.time.Instant;
import java.util.Optional;

/** One series with its last point, and the known measurement or the custom gauges that it is for. */
final class SeriesBinding {

    private final MetricSeries series;

    private final PreviousPoint previousPoint;

    private final Optional<MetricMapping> known;

    private final String part;

    private final CustomGauges custom;

    private double level = Double.NaN;

    private boolean rose;

    SeriesBinding(MetricPoint first, Optional<MetricMapping> known, CustomGauges custom,
            MetricTranslationMetrics metrics) {
        this.series = first.series();
        this.previousPoint = new PreviousPoint(metrics);
        this.known = known;
        this.part = known.map(it -> it.part(series.labels())).orElse("");
        this.custom = custom;
    }

    PointDelta read(MetricPoint point, Instant now) {
        PointDelta delta = previousPoint.read(point, now);
        if (delta instanceof PointDelta.At at) {
            double value = at.value() * series.factor();
            rose = value > level;
            level = value;
        }
        return delta;
    }

    MetricSeries series() {
        return series;
    }

    PreviousPoint previousPoint() {
        return previousPoint;
    }

    Optional<MetricMapping> known() {
        return known;
    }

    CustomGauges custom() {
        return custom;
    }

    /** Returns the part of the known measurement that the series is for; empty: the whole. */
    String part() {
        return part;
    }

    /** Returns the last level, in the base unit; NaN before the first. */
    double level() {
        return level;
    }

    /** Returns whether the last level is above the one before it. */
    boolean rose() {
        return rose;
    }
}
