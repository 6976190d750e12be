// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.series;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts where points went: received = used + dropped, all reasons together. */
public final class SeriesLedger {

    private final LongAdder used = new LongAdder();

    private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);

    private final LongAdder resets = new LongAdder();

    private final LongAdder rebuilt = new LongAdder();

    SeriesLedger() {
        for (DropReason reason : DropReason.values()) {
            dropped.put(reason, new LongAdder());
        }
    }

    void use() {
        used.increment();
    }

    void drop(DropReason reason, long points) {
        of(reason).add(points);
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
    public long dropped(DropReason reason) {
        return of(reason).sum();
    }

    /** The same by reasons' labels, such as {@code not_finite}; only those that there are. */
    public Map<String, Long> dropped() {
        Map<String, Long> counts = new TreeMap<>();
        dropped.forEach((reason, count) -> {
            if (count.sum() > 0) {
                counts.put(reason.label(), count.sum());
            }
        });
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

    private LongAdder of(DropReason reason) {
        LongAdder count = dropped.get(reason);
        if (count == null) {
            throw new IllegalStateException("all reasons are counted from the begin; not " + reason);
        }
        return count;
    }
}
