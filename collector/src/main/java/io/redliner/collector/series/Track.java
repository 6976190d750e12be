// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is kept of one series: what the next point is compared with. */
final class Track {

    /** A time that goes back by more than this is that of a clock that was set, not of a point that is late. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private final SeriesLedger ledger;

    private @Nullable Instant time;

    private @Nullable Instant start;

    private @Nullable Distribution total;

    private Instant heard = Instant.MIN;

    Track(SeriesLedger ledger) {
        this.ledger = ledger;
    }

    /** Says when this was last used, by this machine's clock. */
    Instant heard() {
        return heard;
    }

    /** Taken for zero at that time: the series had not begun. */
    void bornAfter(Instant look, Point first) {
        time = look;
        total = switch (first) {
            case Point.Histogram histogram when !histogram.delta() ->
                histogram.distribution().since(histogram.distribution()).orElse(null);
            case Point.Summary unused -> ExplicitBuckets.none(0, 0);
            case Point.Total unused -> ExplicitBuckets.none(0, Double.NaN);
            default -> null;
        };
    }

    Reading read(Point point, Instant now) {
        boolean sameLook = now.equals(heard);
        heard = now;
        Instant last = time;
        if (point.time().equals(last)) {
            // A level that was not measured again still holds; what only grows says nothing new.
            return point instanceof Point.Level level && !sameLook
                    ? level(level)
                    : new Reading.Refused(DropReason.UNCHANGED);
        }
        if (last != null && point.time().isBefore(last)) {
            if (point.time().isAfter(last.minus(LATE))) {
                return new Reading.Refused(DropReason.REPEATED);
            }
            forget();
        }
        return switch (point) {
            case Point.Level level -> level(level);
            case Point.Increment it -> increase(it.start(), it.time(), ExplicitBuckets.none(it.value(), Double.NaN));
            case Point.Total it -> total(it.start(), it.time(), ExplicitBuckets.none(it.value(), Double.NaN));
            case Point.Histogram it -> it.delta()
                    ? increase(it.start(), it.time(), it.distribution())
                    : total(it.start(), it.time(), it.distribution());
            case Point.Summary it -> summary(it);
        };
    }

    private Reading summary(Point.Summary summary) {
        Reading reading = total(summary.start(), summary.time(),
                ExplicitBuckets.none(summary.count(), summary.sum()));
        return reading instanceof Reading.Grown grown
                ? new Reading.Grown(grown.from(), grown.to(), grown.increase(), summary.quantiles())
                : reading;
    }

    private Reading level(Point.Level level) {
        if (!Double.isFinite(level.value())) {
            return new Reading.Refused(DropReason.NOT_FINITE);
        }
        time = level.time();
        return new Reading.At(level.time(), level.value());
    }

    private Reading increase(@Nullable Instant from, Instant to, Distribution increase) {
        if (!increase.isSane()) {
            return new Reading.Refused(DropReason.NOT_FINITE);
        }
        Instant begin = from != null && from.isBefore(to) ? from : time;
        time = to;
        return begin == null ? new Reading.Nothing() : new Reading.Grown(begin, to, increase);
    }

    private Reading total(@Nullable Instant newStart, Instant to, Distribution newTotal) {
        if (!newTotal.isSane()) {
            return new Reading.Refused(DropReason.NOT_FINITE);
        }
        Instant from = time;
        Distribution before = total;
        boolean anew = newStart != null && start != null && newStart.isAfter(start);
        time = to;
        start = newStart;
        total = newTotal;
        if (from == null || before == null) {
            return new Reading.Nothing();
        }
        Optional<Distribution> increase = newTotal.since(before);
        if (increase.isEmpty()) {
            ledger.rebuild();
            return new Reading.Nothing();
        }
        if (anew || increase.get().count() < 0) {
            ledger.reset();
            return new Reading.Grown(from, to, newTotal);
        }
        return new Reading.Grown(from, to, increase.get().withoutFalls());
    }

    private void forget() {
        time = null;
        start = null;
        total = null;
    }
}
