// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.stream.IntStream;

/** ln(exp(a) + exp(b)) from a table, to 1e-5: as exact as sums in single precision can use. */
final class LnSum {

    /** The logarithm of what a float does not notice. */
    private static final int NEGLIGIBLE = 25;

    private static final int PER_UNIT = 64;

    /** ln(1 + exp(-x)), at every 1/64 of x. */
    private static final double[] TABLE = IntStream.rangeClosed(0, NEGLIGIBLE * PER_UNIT)
            .mapToDouble(i -> Math.log1p(Math.exp(-(double) i / PER_UNIT))).toArray();

    private LnSum() {}

    static double of(double a, double b) {
        double at = Math.abs(a - b) * PER_UNIT;
        double larger = Math.max(a, b);
        if (!(at < NEGLIGIBLE * PER_UNIT)) {
            return larger;
        }
        int i = (int) at;
        return larger + TABLE[i] + (at - i) * (TABLE[i + 1] - TABLE[i]);
    }
}
