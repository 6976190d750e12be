// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The sum, maximum and count of the series that form one part of a known measurement, in one poll. */
final class GaugeGroup {

    private final GcActivity gcActivity = new GcActivity();

    private double sum;

    private double max = Double.NEGATIVE_INFINITY;

    private double count;

    private double whole;

    private @Nullable Instant from;

    private @Nullable Instant to;

    void value(Instant begin, Instant end, double value) {
        span(begin, end);
        sum += value;
        max = Math.max(max, value);
    }

    void calls(PointDelta.Grown grown, double factor) {
        if (grown.increase().count() > 0 && isTime(grown.increase().sum())) {
            span(grown.from(), grown.to());
            count += grown.increase().count();
            sum += grown.increase().sum() * factor;
        }
    }

    void collections(PointDelta.Grown grown, double factor) {
        if (isTime(grown.increase().sum())) {
            span(grown.from(), grown.to());
            gcActivity.add(grown.increase().count(), grown.increase().sum() * factor,
                    grown.increase().minLargest() * factor);
        }
    }

    /** Adds to the capacity of which the sum is used. */
    void whole(double more) {
        whole += more;
    }

    void add(GaugeGroup part) {
        if (part.from != null && part.to != null) {
            span(part.from, part.to);
        }
        sum += part.sum;
        count += part.count;
        max = Math.max(max, part.max);
        gcActivity.add(part.gcActivity);
    }

    /** Returns the value; NaN when it is not known. */
    double value(MappedGauge.Way way) {
        return switch (way) {
            case SUM -> sum;
            case MAX -> max;
            case MEAN -> count > 0 ? sum / count : Double.NaN;
            case RATIO -> whole > 0 ? sum / whole : Double.NaN;
            case COLLECTIONS -> Double.NaN;
        };
    }

    GcActivity gcActivity() {
        return gcActivity;
    }

    /** Returns the begin of the values; null without any. */
    @Nullable
    Instant from() {
        return from;
    }

    /** Returns the end of the values; null without any. */
    @Nullable
    Instant to() {
        return to;
    }

    private static boolean isTime(double sum) {
        return Double.isFinite(sum) && sum >= 0;
    }

    private void span(Instant begin, Instant end) {
        from = from == null || begin.isBefore(from) ? begin : from;
        to = to == null || end.isAfter(to) ? end : to;
    }
}
