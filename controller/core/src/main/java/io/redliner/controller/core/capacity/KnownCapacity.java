// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import org.jspecify.annotations.Nullable;

/**
 * The capacity of a service that one of its runs found, or several runs together, in requests/s.
 *
 * @param low end of the 95 % interval, above 0
 * @param high end of the 95 % interval
 * @param runs the number of runs, at least 1
 */
public record KnownCapacity(double capacity, double low, double high, int runs) {

    private static final double ROUNDING = 1e-6;

    /** @throws IllegalArgumentException when it is not {@link #possible} */
    public KnownCapacity {
        if (!possible(capacity, low, high, runs)) {
            throw new IllegalArgumentException("no capacity: " + capacity + " between " + low + " and " + high + " of "
                    + runs + " runs");
        }
    }

    /** Returns the capacity of one run; null when it is not between the ends of a finite interval above 0. */
    public static @Nullable KnownCapacity ofRun(double capacity, double low, double high) {
        return of(capacity, low, high, 1);
    }

    /** Returns the capacity of so many runs; null when it is not between the ends of a finite interval above 0, or of no run. */
    public static @Nullable KnownCapacity of(double capacity, double low, double high, int runs) {
        return possible(capacity, low, high, runs) ? new KnownCapacity(capacity, low, high, runs) : null;
    }

    private static boolean possible(double capacity, double low, double high, int runs) {
        return low > 0 && low <= capacity && capacity <= high && Double.isFinite(high) && runs >= 1;
    }

    /**
     * Returns true when this can be made of a run's capacity and of what was known before: of the run alone, or between the two.
     *
     * @param capacity of the run, requests/s
     */
    public boolean canBeMadeOf(KnownCapacity before, double capacity) {
        double low = Math.min(before.capacity, capacity) * (1 - ROUNDING);
        double high = Math.max(before.capacity, capacity) * (1 + ROUNDING);
        return runs == 1
                ? Math.abs(this.capacity - capacity) <= ROUNDING * capacity
                : runs - 1L == before.runs && this.capacity >= low && this.capacity <= high;
    }
}
