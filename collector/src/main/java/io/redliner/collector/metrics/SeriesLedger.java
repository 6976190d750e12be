// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import io.redliner.collector.windowing.EnumCounters;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts where points went: received = used + dropped, all reasons together. */
public final class SeriesLedger {

    private final LongAdder used = new LongAdder();

    private final EnumCounters<PointDropReason> dropped = new EnumCounters<>(PointDropReason.class);

    private final LongAdder resets = new LongAdder();

    private final LongAdder rebuilt = new LongAdder();

    SeriesLedger() {}

    void use() {
        used.increment();
    }

    void drop(PointDropReason reason, long points) {
        dropped.add(reason, points);
    }

    void reset() {
        resets.increment();
    }

    void rebuild() {
        rebuilt.increment();
    }

    /** Points that went into measurements, or that later ones are compared with. */
    public long used() {
        return used.sum();
    }

    /** Points that were not used. */
    public long dropped(PointDropReason reason) {
        return dropped.get(reason);
    }

    /** The same by reasons' labels, such as {@code not_finite}; only those that there are. */
    public Map<String, Long> dropped() {
        Map<String, Long> counts = new TreeMap<>();
        for (PointDropReason reason : PointDropReason.values()) {
            if (dropped(reason) > 0) {
                counts.put(reason.label(), dropped(reason));
            }
        }
        return counts;
    }

    /** Counters and histograms that went back to 0, and were read on from there. */
    public long resets() {
        return resets.sum();
    }

    /** Histograms that changed their buckets, and were begun anew. */
    public long rebuilt() {
        return rebuilt.sum();
    }
}
