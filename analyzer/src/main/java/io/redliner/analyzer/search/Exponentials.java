// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** Exponentials from tables, to 1e-5: as exact as sums in single precision can use, and several times as fast. */
final class Exponentials {

    /** The logarithm of what a float does not notice beside 1. */
    private static final int NEGLIGIBLE = 25;

    private static final int PER_UNIT = 128;

    private static final double[] EXP = table(Math::exp);

    private static final double[] LN_SUM = table(x -> Math.log1p(Math.exp(x)));

    private Exponentials() {}

    /** e to the power of x, at most 0; 0 when that is negligible beside 1. */
    static double exp(double x) {
        double at = -x * PER_UNIT;
        return at < NEGLIGIBLE * PER_UNIT ? interpolated(EXP, at) : 0;
    }

    /** ln(exp(a) + exp(b)). */
    static double lnSum(double a, double b) {
        double at = Math.abs(a - b) * PER_UNIT;
        double larger = Math.max(a, b);
        return at < NEGLIGIBLE * PER_UNIT ? larger + interpolated(LN_SUM, at) : larger;
    }

    private static double interpolated(double[] table, double at) {
        int i = (int) at;
        return table[i] + (at - i) * (table[i + 1] - table[i]);
    }

    /** At 0, -1/128, -2/128 and so on. */
    private static double[] table(DoubleUnaryOperator function) {
        return IntStream.rangeClosed(0, NEGLIGIBLE * PER_UNIT)
                .mapToDouble(i -> function.applyAsDouble(-(double) i / PER_UNIT)).toArray();
    }
}
