// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/**
 * Where every record went. At any moment, for each kind:
 * {@code received = published + dropped (over all reasons) + pending}, where pending are those in windows that are not
 * sealed yet. Counters only grow and may be read from any thread.
 */
public final class WindowMetrics {

    private final EnumCounters<RecordKind> received = new EnumCounters<>(RecordKind.class);

    private final EnumCounters<RecordKind> published = new EnumCounters<>(RecordKind.class);

    private final EnumCounters<RecordDropReason> droppedStarts = new EnumCounters<>(RecordDropReason.class);

    private final EnumCounters<RecordDropReason> droppedEnds = new EnumCounters<>(RecordDropReason.class);

    private final EnumCounters<InFlightEvictionReason> forgotten = new EnumCounters<>(InFlightEvictionReason.class);

    WindowMetrics() {}

    /** Records that came in. */
    public long received(RecordKind kind) {
        return received.get(kind);
    }

    /** Records that are counted in a sealed window. */
    public long published(RecordKind kind) {
        return published.get(kind);
    }

    /** Records that are in no window. */
    public long dropped(RecordKind kind, RecordDropReason reason) {
        return reasons(kind).get(reason);
    }

    /** Records that are in no window, for whatever reason. */
    public long dropped(RecordKind kind) {
        return reasons(kind).sum();
    }

    /** Requests that were in flight and are no longer followed; their starts are counted all the same. */
    public long forgotten(InFlightEvictionReason reason) {
        return forgotten.get(reason);
    }

    void receive(RecordKind kind) {
        received.add(kind, 1);
    }

    void publish(RecordKind kind, long count) {
        published.add(kind, count);
    }

    void drop(RecordKind kind, RecordDropReason reason, long count) {
        reasons(kind).add(reason, count);
    }

    void forget(InFlightEvictionReason reason) {
        forgotten.add(reason, 1);
    }

    private EnumCounters<RecordDropReason> reasons(RecordKind kind) {
        return switch (kind) {
            case START -> droppedStarts;
            case END -> droppedEnds;
        };
    }
}
