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
        used = ReasonCounters.successes(registry, POINTS, "used", SOURCE, source);
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

    /** Reasons why a point was not used. */
    public enum PointDropReason {
        /** The value is not a finite number, or is a count below 0. */
        NOT_FINITE,
        /** The value is below 0, where that cannot be: a service marks an unknown value so, as for {@code process_cpu_usage}. */
        NOT_KNOWN,
        /** Its time is that of the last point of its series: nothing was measured since, or it was sent twice. */
        UNCHANGED,
        /** Its time is older than that of the last point of its series. */
        REPEATED,
        /** The point is a level of more than five minutes ago. */
        TOO_OLD,
        /** Its name and labels are longer than 500 characters together. */
        NAME_TOO_LONG,
        /** Its name would be that of a measurement of rules or diagnoses, such as {@code cpu}. */
        RESERVED_NAME,
        /** The settings do not include it. */
        NOT_INCLUDED,
        /** The instance has as many names as it may have. */
        TOO_MANY_NAMES,
        /** There are as many instances as there may be. */
        TOO_MANY_INSTANCES;

        /** Returns whether the point should have been measured, so that a person has to act. */
        boolean isReported() {
            return this != NOT_KNOWN && this != NOT_INCLUDED && this != UNCHANGED;
        }
    }
}
