// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** Exponentials from tables, exact to 1e-5. That is enough for sums in single precision, and several times as fast. */
final class Exponentials {

    /** Negative logarithm of a number that is negligible beside 1 in a float. */
    private static final int NEGLIGIBLE = 25;

    private static final int PER_UNIT = 128;

    private static final double[] EXP = table(Math::exp);

    private static final double[] LN_SUM = table(x -> Math.log1p(Math.exp(x)));

    private Exponentials() {}

    /** Returns e to the power of x, which is at most 0; returns 0 when the result is negligible beside 1. */
    static double exp(double x) {
        double at = -x * PER_UNIT;
        return at < NEGLIGIBLE * PER_UNIT ? interpolated(EXP, at) : 0;
    }

    /** Returns ln(exp(a) + exp(b)). */
    static double lnSum(double a, double b) {
        double at = Math.abs(a - b) * PER_UNIT;
        double larger = Math.max(a, b);
        return at < NEGLIGIBLE * PER_UNIT ? larger + interpolated(LN_SUM, at) : larger;
    }

    private static double interpolated(double[] table, double at) {
        int i = (int) at;
        return table[i] + (at - i) * (table[i + 1] - table[i]);
    }

    /** Tabulates a function at 0, -1/128, -2/128 and so on. */
    private static double[] table(DoubleUnaryOperator function) {
        return IntStream.rangeClosed(0, NEGLIGIBLE * PER_UNIT)
                .mapToDouble(i -> function.applyAsDouble(-(double) i / PER_UNIT)).toArray();
    }
}
