// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.kafka;

import io.redliner.collector.windowing.EnumCounters;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where every observation went. At any quiet moment {@code made = published + dropped (over all reasons) + buffered}.
 * Counters only grow and may be read from any thread.
 */
public final class ObservationLedger {

    private final AtomicLong made = new AtomicLong();

    private final AtomicLong published = new AtomicLong();

    private final EnumCounters<Loss> dropped = new EnumCounters<>(Loss.class);

    ObservationLedger() {}

    /** Observations that were made of sealed windows. */
    public long made() {
        return made.get();
    }

    /** Observations that Kafka has acknowledged. */
    public long published() {
        return published.get();
    }

    /** Observations that will never be published. */
    public long dropped(Loss loss) {
        return dropped.get(loss);
    }

    /** Observations that will never be published, for whatever reason. */
    public long dropped() {
        return dropped.sum();
    }

    void make() {
        made.incrementAndGet();
    }

    void publish() {
        published.incrementAndGet();
    }

    void drop(Loss loss, long count) {
        dropped.add(loss, count);
    }

    /** Why an observation was not published. */
    public enum Loss {

        /** Newer ones needed its place while Kafka was away. */
        BUFFER_FULL,

        /** Kafka did not acknowledge it in time, or refused it. */
        UNDELIVERABLE,

        /** The collector stopped before it could be sent. */
        STOPPED
    }
}
