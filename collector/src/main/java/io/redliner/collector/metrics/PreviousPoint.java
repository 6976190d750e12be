// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last point of one series, with which the next one is compared. */
final class PreviousPoint {

    /** A time that goes back by more than this comes from a clock that was set, not from a point that is late. */
    private static final Duration LATE = Duration.ofMinutes(1);

    /** The largest difference between two synchronized clocks. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(1);

    private static final Duration FRESH = Duration.ofSeconds(10);

    private final MetricTranslationMetrics metrics;

    private @Nullable Instant time;

    private @Nullable Instant start;

    private @Nullable BucketHistogram totalHistogram;

    private Instant lastReceived = Instant.MIN;

    PreviousPoint(MetricTranslationMetrics metrics) {
        this.metrics = metrics;
    }

    /** Returns when the last point was received, by this machine's clock. */
    Instant lastReceived() {
        return lastReceived;
    }

    /** Assumes zero at the time of a poll: the series had not begun then. */
    void startedAfter(Instant collectedAt, MetricPoint first) {
        time = collectedAt;
        totalHistogram = switch (first) {
            case MetricPoint.Histogram histogram when !histogram.delta() ->
                histogram.distribution().since(histogram.distribution()).orElse(null);
            case MetricPoint.Summary unused -> ExplicitBuckets.none(0, 0);
            case MetricPoint.Total unused -> ExplicitBuckets.none(0, Double.NaN);
            default -> null;
        };
    }

    PointDelta read(MetricPoint point, Instant now) {
        boolean sameCollection = now.equals(lastReceived);
        lastReceived = now;
        Instant last = time;
        if (point.time().equals(last)) {
            // A level that was not measured again still holds. A counter that was not measured again has no growth to report.
            return point instanceof MetricPoint.Level level && !sameCollection
                    ? level(level)
                    : new PointDelta.Refused(PointDropReason.UNCHANGED);
        }
        if (last != null && point.time().isBefore(last)) {
            if (point.time().isAfter(last.minus(LATE)) && !isSetBack(last, point, now)) {
                return new PointDelta.Refused(PointDropReason.REPEATED);
            }
            forget();
        }
        return switch (point) {
            case MetricPoint.Level level -> level(level);
            case MetricPoint.Increment it ->
                increase(it.start(), it.time(), ExplicitBuckets.none(it.value(), Double.NaN));
            case MetricPoint.Total it -> total(it.start(), it.time(), ExplicitBuckets.none(it.value(), Double.NaN));
            case MetricPoint.Histogram it -> it.delta()
                    ? increase(it.start(), it.time(), it.distribution())
                    : total(it.start(), it.time(), it.distribution());
            case MetricPoint.Summary it -> summary(it);
        };
    }

    /**
     * Returns whether the clock of the sender was ahead and is not any more, or by less. An old point that is sent again does not
     * count as that: counters would count twice.
     */
    private static boolean isSetBack(Instant last, MetricPoint point, Instant now) {
        return isAhead(last, now)
                && (point instanceof MetricPoint.Level || !point.time().isBefore(now.minus(FRESH)));
    }

    /** Returns whether a time has not come yet by this machine's clock. */
    static boolean isAhead(Instant time, Instant now) {
        return time.isAfter(now.plus(CLOCK_ERROR));
    }

    private PointDelta summary(MetricPoint.Summary summary) {
        PointDelta delta = total(summary.start(), summary.time(),
                ExplicitBuckets.none(summary.count(), summary.sum()));
        return delta instanceof PointDelta.Grown grown
                ? new PointDelta.Grown(grown.from(), grown.to(), grown.increase(), summary.quantiles())
                : delta;
    }

    private PointDelta level(MetricPoint.Level level) {
        if (!Double.isFinite(level.value())) {
            return new PointDelta.Refused(PointDropReason.NOT_FINITE);
        }
        time = level.time();
        return new PointDelta.At(level.time(), level.value());
    }

    private PointDelta increase(@Nullable Instant from, Instant to, BucketHistogram increase) {
        if (!increase.isSane()) {
            return new PointDelta.Refused(PointDropReason.NOT_FINITE);
        }
        Instant begin = from != null && from.isBefore(to) ? from : time;
        time = to;
        return begin == null ? new PointDelta.Nothing() : new PointDelta.Grown(begin, to, increase);
    }

    private PointDelta total(@Nullable Instant newStart, Instant to, BucketHistogram newTotal) {
        if (!newTotal.isSane()) {
            return new PointDelta.Refused(PointDropReason.NOT_FINITE);
        }
        Instant from = time;
        BucketHistogram before = totalHistogram;
        boolean anew = newStart != null && start != null && newStart.isAfter(start);
        time = to;
        start = newStart;
        totalHistogram = newTotal;
        if (from == null || before == null) {
            return new PointDelta.Nothing();
        }
        Optional<BucketHistogram> increase = newTotal.since(before);
        if (increase.isEmpty()) {
            metrics.rebuild();
            return new PointDelta.Nothing();
        }
        if (anew || increase.get().count() < 0) {
            metrics.reset();
            return new PointDelta.Grown(from, to, newTotal);
        }
        return new PointDelta.Grown(from, to, increase.get().withoutFalls());
    }

    private void forget() {
        time = null;
        start = null;
        totalHistogram = null;
    }
}
