// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import io.redliner.collector.windowing.ReasonCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The series of one instance. */
final class InstanceSeries {

    /** The number of refused names that are shown. */
    private static final int EXAMPLES = 5;

    /** The largest age of points with times of their own, as exporters send them that collect in the background. */
    static final Duration MAX_AGE = Duration.ofMinutes(5);

    /** Points whose times are nearer than this belong to the same poll, which arrived in several messages. */
    private static final Duration SAME_COLLECTION = Duration.ofMillis(100);

    private final InstanceId instanceId;

    private final CustomGaugeSettings settings;

    private final MetricNameFilter nameFilter;

    private final MetricTranslationMetrics metrics;

    private final Map<Identity, SeriesBinding> customs = new HashMap<>();

    private final Map<Identity, SeriesBinding> known = new HashMap<>();

    /** The last time of a usable value, by family. */
    private final Map<String, Instant> usedFamilies = new HashMap<>();

    private final Set<String> refused = new HashSet<>();

    /** The last time at which a point was dropped, by reason. */
    private final Map<PointDropReason, Instant> drops = new EnumMap<>(PointDropReason.class);

    /** The age of the oldest point in the last poll. */
    private Duration ageOfOldest = Duration.ZERO;

    private int names;

    private Instant lastReceived;

    private Instant swept;

    private @Nullable Instant collectedAt;

    private @Nullable Instant collectedBefore;

    InstanceSeries(InstanceId instanceId, CustomGaugeSettings settings, MetricTranslationMetrics metrics, Instant now) {
        this.instanceId = instanceId;
        this.settings = settings;
        this.nameFilter = new MetricNameFilter(settings.include());
        this.metrics = metrics;
        this.lastReceived = now;
        this.swept = now;
    }

    synchronized List<GaugeMeasurement> translate(List<MetricPoint> points, Instant now, Duration hold) {
        sweep(now);
        lastReceived = now;
        List<GaugeMeasurement> measured = new ArrayList<>();
        List<SeriesReading> readings = new ArrayList<>();
        Duration oldest = Duration.ZERO;
        boolean good = true;
        for (MetricPoint point : points) {
            begin(point.time(), now);
            // What a service collects in the background is as good until the next look as what it collects when asked.
            Duration age = age(point, now);
            Duration held = hold.plus(age.compareTo(MAX_AGE) > 0 ? MAX_AGE : age);
            oldest = age.compareTo(oldest) > 0 ? age : oldest;
            // What only grows is compared with the next point, however old it is.
            Optional<PointDropReason> against = point instanceof MetricPoint.Level && age.compareTo(MAX_AGE) > 0
                    ? Optional.of(PointDropReason.TOO_OLD)
                    : take(point, now, held, readings, measured);
            against.ifPresentOrElse(reason -> drop(reason, now), metrics::use);
            good &= against.filter(PointDropReason::isReported).isEmpty();
            if (against.isEmpty() && point instanceof MetricPoint.Histogram histogram
                    && !Double.isNaN(histogram.max())) {
                // Prometheus has a gauge of its own for it. It is no point more than came.
                take(largest(histogram), now, held, readings, measured);
            }
        }
        if (good) {
            drops.values().removeIf(at -> at.isBefore(now.minus(SAME_COLLECTION)));
        }
        ageOfOldest = oldest;
        measured.addAll(measurements(readings, now, hold.plus(oldest.compareTo(MAX_AGE) > 0 ? MAX_AGE : oldest)));
        return measured;
    }

    private static Duration age(MetricPoint point, Instant now) {
        Duration age = Duration.between(point.time(), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Returns the known measurements. The best of several series with the same meaning is known only when all points were read. */
    private List<GaugeMeasurement> measurements(List<SeriesReading> readings, Instant now, Duration hold) {
        for (SeriesReading one : readings) {
            if (one.delta() instanceof PointDelta.At || one.delta() instanceof PointDelta.Grown) {
                usedFamilies.put(one.binding().series().family(), now);
            }
        }
        MappedSeriesAggregator aggregator = new MappedSeriesAggregator();
        for (SeriesReading one : readings) {
            if (isBest(one.mapping(), now)) {
                aggregator.add(one.binding(), one.mapping(), one.delta());
            }
        }
        return aggregator.measurements(known.values().stream()
                .filter(binding -> binding.known().stream().allMatch(it -> isBest(it, now))).toList(), instanceId,
                hold);
    }

    /**
     * Returns whether no better family has the same meaning. One without a usable value for long does not count: another version
     * may run now.
     */
    private boolean isBest(MetricMapping it, Instant now) {
        Instant oldest = now.minus(settings.forgetAfter());
        for (String better : it.unless()) {
            Instant used = usedFamilies.get(better);
            if (used != null && used.isAfter(oldest)) {
                return false;
            }
        }
        return true;
    }

    synchronized int size() {
        return known.size() + customs.size();
    }

    synchronized Instant lastReceived() {
        return lastReceived;
    }

    synchronized List<String> refused() {
        return refused.stream().sorted().toList();
    }

    /**
     * Describes why points were dropped since then that should have been measured, with examples of names; empty when none were.
     */
    synchronized Optional<String> problem(Instant since) {
        List<String> reasons = drops.entrySet().stream()
                .filter(drop -> drop.getKey().isReported() && drop.getValue().isAfter(since))
                .map(drop -> drop.getKey() == PointDropReason.TOO_OLD
                        ? "values of " + ageOfOldest.toSeconds()
                                + " s ago are not used, the oldest that are used are of "
                                + MAX_AGE.toSeconds() + " s ago"
                        : ReasonCounters.label(drop.getKey()))
                .toList();
        if (reasons.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("not all of it is measured: " + String.join(", ", reasons)
                + (refused.isEmpty() ? "" : ", such as " + refused()));
    }

    private void drop(PointDropReason reason, Instant now) {
        metrics.drop(reason, 1);
        drops.put(reason, now);
    }

    /** Uses a point, or returns why not. */
    private Optional<PointDropReason> take(MetricPoint point, Instant now, Duration hold, List<SeriesReading> readings,
            List<GaugeMeasurement> measured) {
        MetricSeries series = point.series();
        Identity identity = Identity.of(point);
        SeriesBinding binding = customs.getOrDefault(identity, known.get(identity));
        if (binding == null) {
            if (series.tooLong()) {
                return Optional.of(PointDropReason.NAME_TOO_LONG);
            }
            Optional<MetricMapping> meaning = MetricMapping.of(series);
            CustomGauges custom = meaning.isPresent() ? CustomGauges.NONE : CustomGauges.of(point);
            Optional<PointDropReason> against = against(series, meaning.isPresent(), custom);
            if (against.isPresent()) {
                return against;
            }
            binding = meaning.isPresent() ? admitKnown(point, meaning.get()) : admitCustom(point, custom);
        }
        PointDelta delta = binding.read(point, now);
        if (delta instanceof PointDelta.Refused it) {
            return Optional.of(it.reason());
        }
        if (binding.known().isEmpty()) {
            measured.addAll(binding.custom().measure(delta, instanceId, series.factor(), hold));
        } else if (delta instanceof PointDelta.At at && at.value() < 0) {
            return Optional.of(PointDropReason.NOT_KNOWN);
        } else {
            readings.add(new SeriesReading(binding, binding.known().get(), delta));
        }
        return Optional.empty();
    }

    /** Returns why a new series is not admitted; empty when it is. */
    private Optional<PointDropReason> against(MetricSeries series, boolean hasMeaning, CustomGauges custom) {
        if (!hasMeaning && !nameFilter.includes(series.family())) {
            return Optional.of(PointDropReason.NOT_INCLUDED);
        }
        if (custom.reserved()) {
            refuse(series);
            return Optional.of(PointDropReason.RESERVED_NAME);
        }
        if (hasMeaning ? known.size() >= settings.maxNames() : names + custom.count() > settings.maxNames()) {
            refuse(series);
            return Optional.of(PointDropReason.TOO_MANY_NAMES);
        }
        return Optional.empty();
    }

    private SeriesBinding admitKnown(MetricPoint point, MetricMapping mapping) {
        SeriesBinding binding = new SeriesBinding(point, Optional.of(mapping), CustomGauges.NONE, metrics);
        if (collectedBefore != null && mapping.meaning() == MappedGauge.GARBAGE
                && point.time().isAfter(collectedBefore)) {
            // There is no such series before the first collection; it would be lost.
            binding.previousPoint().startedAfter(collectedBefore, point);
        }
        known.put(Identity.of(point), binding);
        return binding;
    }

    private SeriesBinding admitCustom(MetricPoint point, CustomGauges custom) {
        SeriesBinding binding = new SeriesBinding(point, Optional.empty(), custom, metrics);
        customs.put(Identity.of(point), binding);
        names += custom.count();
        return binding;
    }

    private void refuse(MetricSeries series) {
        if (refused.size() < EXAMPLES) {
            refused.add(series.toString());
        }
    }

    private void begin(Instant time, Instant now) {
        if (collectedAt != null && time.isBefore(collectedAt) && PreviousPoint.isAhead(collectedAt, now)) {
            collectedAt = null;
            collectedBefore = null;
        }
        if (collectedAt == null || time.isAfter(collectedAt.plus(SAME_COLLECTION))) {
            collectedBefore = collectedAt;
            collectedAt = time;
        }
    }

    private void sweep(Instant now) {
        if (Duration.between(swept, now).abs().compareTo(settings.forgetAfter().dividedBy(2)) < 0) {
            return;
        }
        swept = now;
        refused.clear();
        Instant oldest = now.minus(settings.forgetAfter());
        if (lastReceived.isBefore(oldest)) {
            collectedAt = null;
            collectedBefore = null;
        }
        usedFamilies.values().removeIf(used -> used.isBefore(oldest));
        known.values().removeIf(binding -> binding.previousPoint().lastReceived().isBefore(oldest));
        customs.values().removeIf(binding -> binding.previousPoint().lastReceived().isBefore(oldest));
        names = customs.values().stream().mapToInt(binding -> binding.custom().count()).sum();
    }

    private static MetricPoint.Level largest(MetricPoint.Histogram histogram) {
        MetricSeries series = histogram.series();
        return new MetricPoint.Level(new MetricSeries(series.family() + "_max", series.labels(), series.factor()),
                histogram.time(), histogram.max());
    }

    /** The reading of a known series in a poll. */
    private record SeriesReading(SeriesBinding binding, MetricMapping mapping, PointDelta delta) {}

    /** Identifies a series. A counter and a gauge may have the same name, because the end of the counter's is left out. */
    private record Identity(MetricSeries series, Class<? extends MetricPoint> kind) {

        static Identity of(MetricPoint point) {
            return new Identity(point.series(), point.getClass());
        }
    }
}
