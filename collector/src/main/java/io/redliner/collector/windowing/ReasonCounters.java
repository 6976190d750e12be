// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts failures by reason: one Micrometer counter for each reason, with the tag {@code reason}. Thread-safe. */
public final class ReasonCounters<E extends Enum<E>> {

    private static final String RESULT = "result";

    private static final String REASON = "reason";

    private final Map<E, Counter> counters;

    /**
     * Registers one counter for each reason, at 0.
     *
     * @param result value of the tag {@code result}, such as {@code dropped}
     * @param tags further tags, keys and values alternating
     */
    public ReasonCounters(MeterRegistry registry, String name, String result, Class<E> reasons, String... tags) {
        counters = new EnumMap<>(reasons);
        for (E reason : reasons.getEnumConstants()) {
            counters.put(reason, registry.counter(name, Tags.of(tags).and(RESULT, result, REASON, label(reason))));
        }
    }

    /** Registers the counter of successes. Its reason is {@code none}, because all series of one name need the same tags. */
    public static Counter successes(MeterRegistry registry, String name, String result, String... tags) {
        return registry.counter(name, Tags.of(tags).and(RESULT, result, REASON, "none"));
    }

    /** Returns the value of the tag for a reason, such as {@code buffer_full}. */
    public static String label(Enum<?> reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** Adds to the counter of a reason. */
    public void add(E reason, long count) {
        of(reason).increment((double) count);
    }

    /** Returns the count of a reason. */
    public long get(E reason) {
        return (long) of(reason).count();
    }

    /** Returns the sum over all reasons. */
    public long sum() {
        return counters.values().stream().mapToLong(counter -> (long) counter.count()).sum();
    }

    private Counter of(E reason) {
        Counter counter = counters.get(reason);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + reason);
        }
        return counter;
    }
}
