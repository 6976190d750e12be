// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.window;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where every record went. At any moment, for each kind:
 * {@code received = published + dropped (over all reasons) + pending}, where pending are those in windows that are not
 * sealed yet. Counters only grow and may be read from any thread.
 */
public final class RecordLedger {

    private final Map<RecordKind, AtomicLong> received = new EnumMap<>(RecordKind.class);

    private final Map<RecordKind, AtomicLong> published = new EnumMap<>(RecordKind.class);

    private final Map<RecordKind, Map<DropReason, AtomicLong>> dropped = new EnumMap<>(RecordKind.class);

    private final Map<ForgetReason, AtomicLong> forgotten = new EnumMap<>(ForgetReason.class);

    RecordLedger() {
        for (RecordKind kind : RecordKind.values()) {
            received.put(kind, new AtomicLong());
            published.put(kind, new AtomicLong());
            Map<DropReason, AtomicLong> reasons = new EnumMap<>(DropReason.class);
            for (DropReason reason : DropReason.values()) {
                reasons.put(reason, new AtomicLong());
            }
            dropped.put(kind, reasons);
        }
        for (ForgetReason reason : ForgetReason.values()) {
            forgotten.put(reason, new AtomicLong());
        }
    }

    /** Records that came in. */
    public long received(RecordKind kind) {
        return counter(received, kind).get();
    }

    /** Records that are counted in a sealed window. */
    public long published(RecordKind kind) {
        return counter(published, kind).get();
    }

    /** Records that are in no window. */
    public long dropped(RecordKind kind, DropReason reason) {
        return counter(reasons(kind), reason).get();
    }

    /** Records that are in no window, for whatever reason. */
    public long dropped(RecordKind kind) {
        return reasons(kind).values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Requests that were in flight and are no longer followed; their starts are counted all the same. */
    public long forgotten(ForgetReason reason) {
        return counter(forgotten, reason).get();
    }

    void receive(RecordKind kind) {
        counter(received, kind).incrementAndGet();
    }

    void publish(RecordKind kind, long count) {
        counter(published, kind).addAndGet(count);
    }

    void drop(RecordKind kind, DropReason reason, long count) {
        counter(reasons(kind), reason).addAndGet(count);
    }

    void forget(ForgetReason reason) {
        counter(forgotten, reason).incrementAndGet();
    }

    private Map<DropReason, AtomicLong> reasons(RecordKind kind) {
        Map<DropReason, AtomicLong> reasons = dropped.get(kind);
        if (reasons == null) {
            throw new IllegalStateException("no counters for " + kind);
        }
        return reasons;
    }

    private static <K> AtomicLong counter(Map<K, AtomicLong> counters, K key) {
        AtomicLong counter = counters.get(key);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + key);
        }
        return counter;
    }
}
