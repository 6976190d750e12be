// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.metrics.MetricTranslationMetrics.PointDropReason;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the points of instances' series into measurements: known ones into RedLiner's own names, such as {@code gc.pause}, all
 * others into custom gauges. A counter becomes a rate per second since the last poll; a histogram becomes a rate, a mean and
 * quantiles. For that it keeps the last point of each series, up to a maximum. For any number of threads. Each transport needs a
 * translator of its own, for transports do not share their polls.
 */
public final class MetricTranslator {

    /** Measurements that are further ahead of the clock fit no window. */
    public static final Duration TOLERANCE = Duration.ofSeconds(10);

    private static final String OFFSET = "metrics.offset";

    private static final int MAX_SHOWN = 10;

    private static final Duration LATELY = Duration.ofMinutes(5);

    private final CustomGaugeSettings settings;

    private final MetricTranslationMetrics metrics;

    private final Map<InstanceId, InstanceSeries> instances = new ConcurrentHashMap<>();

    private volatile @Nullable RefusedInstance refusedInstance;

    /**
     * Creates a translator without any series.
     *
     * @param name the transport by which points come in, such as {@code otlp}: the label of its counters
     */
    public MetricTranslator(String name, CustomGaugeSettings settings, MeterRegistry registry) {
        this.settings = settings;
        metrics = new MetricTranslationMetrics(registry, name);
        Gauge.builder("redliner.series", this, MetricTranslator::series).tag("source", name)
                .description("Series that something is kept of").register(registry);
    }

    /** Returns true for a name with a meaning for rules and diagnoses. A finer name, {@code cpu[3]}, is as reserved as the plain one. */
    public static boolean isReserved(String gauge) {
        return CustomGauges.ReservedGaugeNames.contains(gauge);
    }

    /**
     * Measures how far the newest point is ahead of the clock, in seconds, below 0 behind; empty while points fit windows. A
     * rule on such a metric then has that reason, and not that no source reports the metric.
     *
     * @param now by this machine's clock
     * @param hold see {@link #translate}
     */
    public static List<GaugeMeasurement> offset(InstanceId instanceId, List<MetricPoint> points, Instant now,
            Duration hold) {
        Optional<Duration> ahead = points.stream().map(MetricPoint::time).max(Comparator.naturalOrder())
                .map(newest -> Duration.between(now, newest))
                .filter(off -> off.compareTo(TOLERANCE) > 0 || off.negated().compareTo(InstanceSeries.MAX_AGE) > 0);
        return ahead.map(off -> new GaugeMeasurement(instanceId, OFFSET, off.toSeconds(), now, now, hold)).stream()
                .toList();
    }

    /**
     * Translates one poll of an instance.
     *
     * @param points the points of its series, best all of them in one call, for some measurements need several series. Several
     * points of one series are in the order of their times.
     * @param now by this machine's clock; only to forget series that got no point for long
     * @param hold how long the values stay valid when nothing newer comes: a little more than the time to the next poll
     */
    public List<GaugeMeasurement> translate(InstanceId instanceId, List<MetricPoint> points, Instant now,
            Duration hold) {
        InstanceSeries instance = instance(instanceId, now);
        if (instance == null) {
            metrics.drop(PointDropReason.TOO_MANY_INSTANCES, points.size());
            refusedInstance = new RefusedInstance(instanceId, now);
            return List.of();
        }
        return instance.translate(points, now, hold);
    }

    public MetricTranslationMetrics metrics() {
        return metrics;
    }

    /** Returns examples of names that are not measured, because they are too many or reserved, for at most ten instances. */
    public Map<InstanceId, List<String>> refused() {
        Map<InstanceId, List<String>> refused = new ConcurrentHashMap<>();
        for (Map.Entry<InstanceId, InstanceSeries> instance : instances.entrySet()) {
            List<String> names = instance.getValue().refused();
            if (!names.isEmpty() && refused.size() < MAX_SHOWN) {
                refused.put(instance.getKey(), names);
            }
        }
        return refused;
    }

    /** Describes what has not been measured in the last five minutes and should be, with some names, for at most ten instances. */
    public Map<String, String> problems(Instant now) {
        Instant since = now.minus(LATELY);
        Map<String, String> problems = new TreeMap<>();
        RefusedInstance last = refusedInstance;
        if (last != null && last.at().isAfter(since)) {
            problems.put(last.instanceId().toString(),
                    "is not measured, nor maybe others: there are as many instances as"
                            + " may be, see redliner.collector.custom.max-instances");
        }
        for (Map.Entry<InstanceId, InstanceSeries> instance : instances.entrySet()) {
            if (problems.size() >= MAX_SHOWN) {
                break;
            }
            instance.getValue().problem(since)
                    .ifPresent(problem -> problems.put(instance.getKey().toString(), problem));
        }
        return problems;
    }

    /** Returns the number of series of which a point is kept. */
    public long series() {
        return instances.values().stream().mapToLong(InstanceSeries::size).sum();
    }

    private @Nullable InstanceSeries instance(InstanceId instanceId, Instant now) {
        InstanceSeries known = instances.get(instanceId);
        if (known != null) {
            return known;
        }
        synchronized (instances) {
            if (instances.size() >= settings.maxInstances()) {
                Instant oldest = now.minus(settings.forgetAfter());
                instances.values().removeIf(instance -> instance.lastReceived().isBefore(oldest));
            }
            return instances.size() >= settings.maxInstances()
                    ? null
                    : instances.computeIfAbsent(instanceId,
                            unused -> new InstanceSeries(instanceId, settings, metrics, now));
        }
    }

    /** The last instance that there was no room for. */
    private record RefusedInstance(InstanceId instanceId, Instant at) {}
}
