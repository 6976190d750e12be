// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

/**
 * The capacity of a service that one of its runs found, or several runs together, in requests/s.
 *
 * @param low end of the 95 % interval, above 0
 * @param high end of the 95 % interval
 * @param runs the number of runs, at least 1
 */
public record KnownCapacity(double capacity, double low, double high, int runs) {

    /** @throws IllegalArgumentException when the capacity is not between the ends of a finite interval above 0 */
    public KnownCapacity {
        if (!(low > 0) || !(low <= capacity) || !(capacity <= high) || !Double.isFinite(high) || runs < 1) {
            throw new IllegalArgumentException("no capacity: " + capacity + " between " + low + " and " + high + " of "
                    + runs + " runs");
        }
    }
}
