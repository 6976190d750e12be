// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

/**
 * A capacity with its 95 % interval, in requests/s.
 *
 * @param high of no meaning with {@code lowerBound}
 * @param lowerBound nothing limited it: the capacity is at least {@code low}
 */
public record MeasuredCapacity(double capacity, double low, double high, boolean lowerBound) {

    /** Returns true when both ends of the interval are known and the capacity lies between them. */
    boolean bounded() {
        return !lowerBound && Double.isFinite(low) && Double.isFinite(high) && low <= capacity && capacity <= high;
    }
}
