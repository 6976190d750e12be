// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The difference of a point to the one before it. Values are as received. */
sealed interface PointDelta {

    /** A level at an instant. */
    record At(Instant time, double value) implements PointDelta {}

    /**
     * An increase between two polls.
     *
     * @param increase the added values; for a counter only the count is of interest
     * @param quantiles that the service itself reported
     */
    record Grown(Instant from, Instant to, BucketHistogram increase, SortedMap<Double, Double> quantiles)
            implements
                PointDelta {

        private static final SortedMap<Double, Double> NO_QUANTILES = Collections
                .unmodifiableSortedMap(new TreeMap<>());

        Grown(Instant from, Instant to, BucketHistogram increase) {
            this(from, to, increase, NO_QUANTILES);
        }

        double seconds() {
            return PointDelta.seconds(from, to);
        }

        double rate() {
            return increase.count() / seconds();
        }
    }

    /** Returns the seconds between two times that may be any distance apart. */
    static double seconds(Instant from, Instant to) {
        Duration time = Duration.between(from, to);
        return time.getSeconds() + time.getNano() / 1e9;
    }

    /** The first point of a series, without an earlier one. */
    record Nothing() implements PointDelta {}

    /** A point that cannot be used. */
    record Refused(PointDropReason reason) implements PointDelta {}
}
