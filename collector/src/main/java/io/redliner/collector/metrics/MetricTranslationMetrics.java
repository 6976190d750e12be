// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.ReasonCounters;
import java.util.Map;
import java.util.TreeMap;

/** Counters of points: received = used + dropped, all reasons together. */
public final class MetricTranslationMetrics {

    private static final String POINTS = "redliner.series.points";

    private static final String SOURCE = "source";

    private final Counter used;

    private final ReasonCounters<PointDropReason> droppedByReason;

    private final Counter resets;

    private final Counter rebuilt;

    /** @param source the way that points come in, such as {@code otlp} */
    MetricTranslationMetrics(MeterRegistry registry, String source) {
        used = ReasonCounters.good(registry, POINTS, "used", SOURCE, source);
        droppedByReason = new ReasonCounters<>(registry, POINTS, "dropped", PointDropReason.class, SOURCE, source);
        resets = registry.counter("redliner.series.resets", SOURCE, source);
        rebuilt = registry.counter("redliner.series.rebuilt", SOURCE, source);
    }

    void use() {
        used.increment();
    }

    void drop(PointDropReason reason, long points) {
        droppedByReason.add(reason, points);
    }

    void reset() {
        resets.increment();
    }

    void rebuild() {
        rebuilt.increment();
    }

    /** Points that went into measurements, or that later ones are compared with. */
    public long used() {
        return (long) used.count();
    }

    /** Points that were not used. */
    public long dropped(PointDropReason reason) {
        return droppedByReason.get(reason);
    }

    /** Points that were not used, by the labels of reasons, such as {@code not_finite}; only reasons that occurred. */
    public Map<String, Long> dropped() {
        Map<String, Long> counts = new TreeMap<>();
        for (PointDropReason reason : PointDropReason.values()) {
            if (dropped(reason) > 0) {
                counts.put(ReasonCounters.label(reason), dropped(reason));
            }
        }
        return counts;
    }

    /** Counters and histograms that went back to 0, and were continued from there. */
    public long resets() {
        return (long) resets.count();
    }

    /** Histograms that changed their buckets, and were begun anew. */
    public long rebuilt() {
        return (long) rebuilt.count();
    }
}
