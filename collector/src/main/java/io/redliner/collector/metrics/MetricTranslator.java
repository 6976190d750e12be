// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.GaugeMeasurement;
import io.redliner.collector.windowing.InstanceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the points of instances' series into measurements: known ones into RedLiner's own names, such as {@code gc.pause},
 * all others into custom gauges. What only grows becomes what came on top since the last look: a rate per second; of a
 * histogram the rate, the mean and quantiles. Keeps what it needs for that of each series, within bounds. For any number of
 * threads; one for each way that points come in, for the ways do not know of each other's last look.
 */
public final class MetricTranslator {

    private static final int MAX_SHOWN = 10;

    private static final Duration LATELY = Duration.ofMinutes(5);

    private final CustomGaugeSettings settings;

    private final MetricTranslationMetrics metrics;

    private final Map<InstanceId, InstanceSeries> instances = new ConcurrentHashMap<>();

    private volatile @Nullable RefusedInstance refusedInstance;

    /**
     * Knows nothing yet.
     *
     * @param name of the way that points come in, such as {@code otlp}: the label of its counters
     */
    public MetricTranslator(String name, CustomGaugeSettings settings, MeterRegistry registry) {
        this.settings = settings;
        metrics = new MetricTranslationMetrics(registry, name);
        Gauge.builder("redliner.series", this, MetricTranslator::series).tag("source", name)
                .description("Series that something is kept of").register(registry);
    }

    /**
     * One look at an instance.
     *
     * @param points what its series said; best all of it in one call, for some measurements need several series. Several
     *        points of one series are in the order of their times.
     * @param now what this machine's clock says; only to forget series that got no point for long
     * @param hold how long the values are taken for true when nothing newer comes: a little more than the time to the next
     *        look
     */
    public List<GaugeMeasurement> translate(InstanceId subject, List<MetricPoint> points, Instant now, Duration hold) {
        InstanceSeries instance = instance(subject, now);
        if (instance == null) {
            metrics.drop(PointDropReason.TOO_MANY_INSTANCES, points.size());
            refusedInstance = new RefusedInstance(subject, now);
            return List.of();
        }
        return instance.translate(points, now, hold);
    }

    /** Where the points went. */
    public MetricTranslationMetrics metrics() {
        return metrics;
    }

    /** Of each instance with names that are not measured, too many or reserved ones: some of them; of ten instances at most. */
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

    /** What is not measured of late that should be, by instance: the reasons and some names; of ten instances at most. */
    public Map<String, String> complaints(Instant now) {
        Instant since = now.minus(LATELY);
        Map<String, String> complaints = new TreeMap<>();
        RefusedInstance last = refusedInstance;
        if (last != null && last.at().isAfter(since)) {
            complaints.put(last.subject().toString(),
                    "is not measured, nor maybe others: there are as many instances as"
                            + " may be, see redliner.collector.custom.max-instances");
        }
        for (Map.Entry<InstanceId, InstanceSeries> instance : instances.entrySet()) {
            if (complaints.size() >= MAX_SHOWN) {
                break;
            }
            instance.getValue().complaint(since)
                    .ifPresent(words -> complaints.put(instance.getKey().toString(), words));
        }
        return complaints;
    }

    /** Series that something is kept of. */
    public long series() {
        return instances.values().stream().mapToLong(InstanceSeries::size).sum();
    }

    private @Nullable InstanceSeries instance(InstanceId subject, Instant now) {
        InstanceSeries known = instances.get(subject);
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
                    : instances.computeIfAbsent(subject,
                            unused -> new InstanceSeries(subject, settings, metrics, now));
        }
    }

    /** The last one that there was no room for. */
    private record RefusedInstance(InstanceId subject, Instant at) {}
}
