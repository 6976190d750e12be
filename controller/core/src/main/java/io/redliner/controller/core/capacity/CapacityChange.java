// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import org.jspecify.annotations.Nullable;

/**
 * The difference of a capacity from an earlier one of the same instance. The interval of the difference is the one of G. Y.
 * Zou and A. Donner, Construction of confidence limits about effect measures: a general approach, Statistics in Medicine 27
 * (2008), p. 1693-1702: with the values a and b and their intervals la to ua and lb to ub,
 *
 * <pre>
 * low  = a - b - sqrt((a - la)^2 + (ub - b)^2)
 * high = a - b + sqrt((ua - a)^2 + (b - lb)^2)
 * </pre>
 *
 * It needs no symmetric intervals, and is narrower than "the intervals do not overlap".
 *
 * @param percent of the earlier value
 * @param lowPercent lower end of the 95 % interval of the change; absent when either capacity is only a bound
 * @param highPercent upper end
 */
public record CapacityChange(double percent, @Nullable Double lowPercent, @Nullable Double highPercent,
        Significance significance) {

    /** The direction of a change that is there with 95 % confidence. */
    public enum Significance {

        RISE, FALL,
        /** The interval of the change holds 0. */
        NOT_SIGNIFICANT,
        /** One of the capacities is only a bound, and the bound does not show a change. */
        UNKNOWN
    }

    /** Computes the change from an earlier capacity, above 0, to a later one. */
    public static CapacityChange between(MeasuredCapacity before, MeasuredCapacity now) {
        double percent = 100 * (now.capacity() - before.capacity()) / before.capacity();
        if (!before.bounded() || !now.bounded()) {
            return new CapacityChange(percent, null, null, ofBounds(before, now));
        }
        double difference = now.capacity() - before.capacity();
        double low = difference - Math.hypot(now.capacity() - now.low(), before.high() - before.capacity());
        double high = difference + Math.hypot(now.high() - now.capacity(), before.capacity() - before.low());
        Significance significance = low > 0
                ? Significance.RISE
                : high < 0 ? Significance.FALL : Significance.NOT_SIGNIFICANT;
        return new CapacityChange(percent, 100 * low / before.capacity(), 100 * high / before.capacity(), significance);
    }

    private static Significance ofBounds(MeasuredCapacity before, MeasuredCapacity now) {
        if (before.bounded() && now.low() > before.high()) {
            return Significance.RISE;
        }
        return now.bounded() && now.high() < before.low() ? Significance.FALL : Significance.UNKNOWN;
    }

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
}
