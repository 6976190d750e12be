// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.linux;

import java.time.Duration;
import java.time.Instant;

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
