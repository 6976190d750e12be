// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.api;

/**
 * What a method says of a capacity, in requests/s.
 *
 * @param estimate 0 when there is none
 * @param low end of the 95 % interval; NaN when the method has none
 * @param high end of the 95 % interval, infinite when nothing broke; NaN when the method has none
 * @param warned whether it says that the number may be wrong
 * @param beside whether it is the capacity beside noise, and not that of a quiet machine
 */
public record MethodResult(Status status, double estimate, double low, double high, boolean warned,
        boolean beside) {

    /** How a search ended. */
    public enum Status {
        /** The capacity is known. */
        FOUND,
        /** There was no more traffic. */
        EXHAUSTED,
        /** It gave up. */
        GAVE_UP,
        /** Several windows in a row said nothing, and the controller ended it. */
        TELEMETRY_LOST,
        /** It never ended. */
        OUT_OF_TIME
    }

    /** The capacity is between two loads. */
    public static MethodResult found(double estimate, double low, double high) {
        return new MethodResult(Status.FOUND, estimate, low, high, false, false);
    }

    /** The capacity is a load that held, or more. */
    public static MethodResult exhausted(double estimate, double low) {
        return new MethodResult(Status.EXHAUSTED, estimate, low, Double.POSITIVE_INFINITY, false, false);
    }

    /** The same, with a warning or without. */
    public MethodResult warning(boolean now) {
        return new MethodResult(status, estimate, low, high, now, beside);
    }

    /** The same, as the capacity beside noise or on a quiet machine. */
    public MethodResult beside(boolean noise) {
        return new MethodResult(status, estimate, low, high, warned, noise);
    }

    /** There is no answer. */
    public static MethodResult none(Status status) {
        return new MethodResult(status, 0, Double.NaN, Double.NaN, false, false);
    }
}
