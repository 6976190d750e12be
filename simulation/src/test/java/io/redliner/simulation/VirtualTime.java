// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that only passes from one event to the next. In ms since {@link #START}. */
final class VirtualTime implements InstantSource {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private record Due(long at, long order, Runnable what) {}

    private final PriorityQueue<Due> due = new PriorityQueue<>(
            Comparator.comparingLong(Due::at).thenComparingLong(Due::order));

    private long now;

    private long order;

    long now() {
        return now;
    }

    @Override
    public Instant instant() {
        return START.plusMillis(now);
    }

    static long since(Instant instant) {
        return instant.toEpochMilli() - START.toEpochMilli();
    }

    /** What is past happens next. */
    void at(long millis, Runnable what) {
        due.add(new Due(Math.max(now, millis), order++, what));
    }

    void after(long millis, Runnable what) {
        at(now + millis, what);
    }

    /** Again and again, for ever. */
    void every(long millis, Runnable what) {
        after(millis, () -> {
            what.run();
            every(millis, what);
        });
    }

    /** When the next event is due. */
    long next() {
        return due.isEmpty() ? Long.MAX_VALUE : due.peek().at();
    }

    /** Lets the next event happen. */
    void step() {
        Due next = due.remove();
        now = next.at();
        next.what().run();
    }
}
