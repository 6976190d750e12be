// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps the last reading of each counter, to compute how much it grew. For one thread. */
public final class CounterDeltas {

    private static final Duration KEPT = Duration.ofMinutes(1);

    private final Map<String, Reading> last = new HashMap<>();

    /** Returns the growth since the last reading. Empty for a new counter, for one that went back, and when the clock did. */
    public Optional<CounterDelta> read(String name, long value, Instant now) {
        Reading before = last.put(name, new Reading(value, now));
        return before == null || value < before.value || !before.at.isBefore(now)
                ? Optional.empty()
                : Optional.of(new CounterDelta(value - before.value, before.at, now));
    }

    /** Forgets counters that were not read for a minute. */
    public void removeOld(Instant now) {
        last.values().removeIf(reading -> reading.at.isBefore(now.minus(KEPT)));
    }

    private record Reading(long value, Instant at) {}

    /**
     * The growth of a counter between two readings.
     *
     * @param amount 0 or more
     * @param from when it was read before
     * @param to when it was read now; later
     */
    public record CounterDelta(long amount, Instant from, Instant to) {

        public CounterDelta {
            if (amount < 0 || !from.isBefore(to)) {
                throw new IllegalArgumentException("a change is forward: " + amount + " from " + from + " to " + to);
            }
        }

        public double seconds() {
            return Duration.between(from, to).toNanos() / 1e9;
        }

        /** Returns the mean growth per second. */
        public double perSecond() {
            return amount / seconds();
        }
    }
}
