// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Where every measurement went: {@code received = kept + dropped (over all reasons)}. Counters only grow and may be read
 * from any thread.
 */
public final class MeasurementLedger {

    private final AtomicLong received = new AtomicLong();

    private final AtomicLong kept = new AtomicLong();

    private final EnumCounters<MeasurementDropReason> dropped = new EnumCounters<>(MeasurementDropReason.class);

    MeasurementLedger() {}

    /** Measurements that came in. */
    public long received() {
        return received.get();
    }

    /** Measurements that are in a window, or wait for it. */
    public long kept() {
        return kept.get();
    }

    /** Measurements that are in no window. */
    public long dropped(MeasurementDropReason reason) {
        return dropped.get(reason);
    }

    void receive() {
        received.incrementAndGet();
    }

    void keep() {
        kept.incrementAndGet();
    }

    void drop(MeasurementDropReason reason) {
        dropped.add(reason, 1);
    }
}
