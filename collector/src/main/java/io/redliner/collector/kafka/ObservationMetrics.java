// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.collector.windowing.WindowCounts;
import io.redliner.collector.windowing.ReasonCounters;

/** Counters of all observations. At any quiet moment {@code made = published + dropped (over all reasons) + buffered}. */
public final class ObservationMetrics {

    private static final String METRIC = "redliner.observations";

    private final MeterRegistry registry;

    private final Counter made;

    private final Counter published;

    private final ReasonCounters<Loss> droppedByReason;

    ObservationMetrics(MeterRegistry registry) {
        this.registry = registry;
        made = ReasonCounters.successes(registry, METRIC, "made");
        published = ReasonCounters.successes(registry, METRIC, "published");
        droppedByReason = new ReasonCounters<>(registry, METRIC, "dropped", Loss.class);
    }

    /** Observations that were made of closed windows. */
    public long made() {
        return (long) made.count();
    }

    /** Observations that Kafka has acknowledged. */
    public long published() {
        return (long) published.count();
    }

    /** Observations that will never be published. */
    public long dropped(Loss loss) {
        return droppedByReason.get(loss);
    }

    /** Observations that will never be published, for whatever reason. */
    public long dropped() {
        return droppedByReason.sum();
    }

    /** Counts requests that no lease covers, by service; a service without any has no counter. */
    void countOutside(WindowCounts window) {
        if (window.outside() > 0) {
            registry.counter("redliner.outside.requests", "service", window.service())
                    .increment((double) window.outside());
        }
    }

    void make() {
        made.increment();
    }

    void publish() {
        published.increment();
    }

    void drop(Loss loss, long count) {
        droppedByReason.add(loss, count);
    }

    /** Reasons why an observation was not published. */
    public enum Loss {

        /** Newer ones needed its place while Kafka was away. */
        BUFFER_FULL,

        /** Kafka did not acknowledge it in time, or refused it. */
        UNDELIVERABLE,

        /** The collector stopped before it could be sent. */
        STOPPED
    }
}
