// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter for each constant of an enum, such as the reasons for which something was dropped; all begin at 0. For any
 * thread.
 */
public final class EnumCounters<E extends Enum<E>> {

    private final Map<E, AtomicLong> counters;

    /** One for each constant. */
    public EnumCounters(Class<E> constants) {
        counters = new EnumMap<>(constants);
        for (E constant : constants.getEnumConstants()) {
            counters.put(constant, new AtomicLong());
        }
    }

    /** Counts so many more. */
    public void add(E constant, long count) {
        of(constant).addAndGet(count);
    }

    /** As many as were counted. */
    public long get(E constant) {
        return of(constant).get();
    }

    /** All together. */
    public long sum() {
        return counters.values().stream().mapToLong(AtomicLong::get).sum();
    }

    private AtomicLong of(E constant) {
        AtomicLong counter = counters.get(constant);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + constant);
        }
        return counter;
    }
}
