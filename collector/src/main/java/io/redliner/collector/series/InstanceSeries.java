// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import io.redliner.collector.window.Measurement;
import io.redliner.collector.window.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The series of one instance. */
final class InstanceSeries {

    /** So many of the names that are refused are told. */
    private static final int EXAMPLES = 5;

    /** Points that are nearer are of the same look: they came in several messages. */
    private static final Duration ONE_LOOK = Duration.ofMillis(100);

    private final Subject subject;

    private final SeriesSettings settings;

    private final Include include;

    private final SeriesLedger ledger;

    private final Map<Identity, Follow> customs = new HashMap<>();

    private final Map<Identity, Follow> known = new HashMap<>();

    private final Set<String> knownFamilies = new HashSet<>();

    private final Set<String> refused = new HashSet<>();

    private int names;

    private Instant heard;

    private Instant swept;

    private @Nullable Instant look;

    private @Nullable Instant lookBefore;

    InstanceSeries(Subject subject, SeriesSettings settings, SeriesLedger ledger, Instant now) {
        this.subject = subject;
        this.settings = settings;
        this.include = new Include(settings.include());
        this.ledger = ledger;
        this.heard = now;
        this.swept = now;
    }

    synchronized List<Measurement> translate(List<Point> points, Instant now, Duration hold) {
        sweep(now);
        heard = now;
        List<Measurement> measured = new ArrayList<>();
        KnownLook knownLook = new KnownLook();
        for (Point point : points) {
            begin(point.time());
            take(point, now, hold, knownLook, measured).ifPresentOrElse(reason -> ledger.drop(reason, 1), ledger::use);
            if (point instanceof Point.Histogram histogram && !Double.isNaN(histogram.max())) {
                // Prometheus has a gauge of its own for it. It is no point more than came.
                take(largest(histogram), now, hold, knownLook, measured);
            }
        }
        measured.addAll(knownLook.measurements(known.values(), subject, hold));
        return measured;
    }

    synchronized int size() {
        return known.size() + customs.size();
    }

    synchronized Instant heard() {
        return heard;
    }

    synchronized List<String> refused() {
        return refused.stream().sorted().toList();
    }

    /** Empty when it was used. */
    private Optional<DropReason> take(Point point, Instant now, Duration hold, KnownLook knownLook,
            List<Measurement> measured) {
        Series series = point.series();
        Identity identity = Identity.of(point);
        Follow follow = customs.getOrDefault(identity, known.get(identity));
        if (follow == null) {
            if (series.tooLong()) {
                return Optional.of(DropReason.NAME_TOO_LONG);
            }
            Optional<Known> meaning = Known.of(series);
            if (meaning.isEmpty() && !include.includes(series.family())) {
                return Optional.of(DropReason.NOT_INCLUDED);
            }
            follow = meaning.isPresent() ? admitKnown(point, meaning.get()) : admitCustom(point);
            if (follow == null) {
                return Optional.of(DropReason.TOO_MANY_NAMES);
            }
        }
        Reading reading = follow.read(point, now);
        if (reading instanceof Reading.Refused it) {
            return Optional.of(it.reason());
        }
        if (follow.known().isEmpty()) {
            measured.addAll(follow.custom().measure(reading, subject, series.factor(), hold));
        } else if (!knownFamilies.contains(follow.known().get().unless())) {
            knownLook.add(follow, follow.known().get(), reading);
        }
        return Optional.empty();
    }

    private @Nullable Follow admitKnown(Point point, Known meaning) {
        if (known.size() >= settings.maxNames()) {
            refuse(point.series());
            return null;
        }
        Follow follow = new Follow(point, Optional.of(meaning), CustomGauges.NONE, ledger);
        if (lookBefore != null && meaning.meaning() == Meaning.GARBAGE && point.time().isAfter(lookBefore)) {
            // There is no such series before the first collection; it would be lost.
            follow.track().bornAfter(lookBefore, point);
        }
        known.put(Identity.of(point), follow);
        knownFamilies.add(point.series().family());
        return follow;
    }

    private @Nullable Follow admitCustom(Point point) {
        if (names >= settings.maxNames()) {
            refuse(point.series());
            return null;
        }
        CustomGauges custom = CustomGauges.of(point);
        if (names + custom.count() > settings.maxNames()) {
            refuse(point.series());
            return null;
        }
        Follow follow = new Follow(point, Optional.empty(), custom, ledger);
        customs.put(Identity.of(point), follow);
        names += custom.count();
        return follow;
    }

    private void refuse(Series series) {
        if (refused.size() < EXAMPLES) {
            refused.add(series.toString());
        }
    }

    private void begin(Instant time) {
        if (look == null || time.isAfter(look.plus(ONE_LOOK))) {
            lookBefore = look;
            look = time;
        }
    }

    private void sweep(Instant now) {
        if (Duration.between(swept, now).abs().compareTo(settings.forgetAfter().dividedBy(2)) < 0) {
            return;
        }
        swept = now;
        refused.clear();
        Instant oldest = now.minus(settings.forgetAfter());
        if (heard.isBefore(oldest)) {
            look = null;
            lookBefore = null;
        }
        known.values().removeIf(follow -> follow.track().heard().isBefore(oldest));
        customs.values().removeIf(follow -> follow.track().heard().isBefore(oldest));
        names = customs.values().stream().mapToInt(follow -> follow.custom().count()).sum();
    }

    private static Point.Level largest(Point.Histogram histogram) {
        Series series = histogram.series();
        return new Point.Level(new Series(series.family() + "_max", series.labels(), series.factor()),
                histogram.time(), histogram.max());
    }

    /** A counter and a gauge may have the same name, when the end of the counter's is left out. */
    private record Identity(Series series, Class<? extends Point> kind) {

        static Identity of(Point point) {
            return new Identity(point.series(), point.getClass());
        }
    }
}
