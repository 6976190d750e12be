// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import java.util.List;

/**
 * Kendall's score S: of all pairs, those that rise less those that fall. Without a trend every order of n values is equally
 * likely. The number of falling pairs then has the generating function of inversions: the product of (1 + q + ... + q^(i-1)) /
 * i for i from 1 to n. The functions of independent groups multiply. See M. G. Kendall, A new measure of rank correlation,
 * Biometrika 30 (1938), p. 81-93.
 */
final class MannKendallTest {

    /** Above this, the normal approximation is as good and costs nothing. */
    private static final int MAX_EXACT_PAIRS = 2_000;

    private static final double TAIL = 0.025;

    private static final double Z = 1.959963984540054;

    private MannKendallTest() {}

    /**
     * Returns the smallest score that is exceeded with a probability of at most 2.5 % on each side. When there are too few values
     * for that, the number of pairs.
     *
     * @param groups how many values each has
     */
    static int critical(List<Integer> groups) {
        int pairs = groups.stream().mapToInt(size -> size * (size - 1) / 2).sum();
        return pairs > MAX_EXACT_PAIRS ? approximate(groups) : exact(groups, pairs);
    }

    private static int approximate(List<Integer> groups) {
        double variance = groups.stream().mapToDouble(n -> n * (n - 1.0) * (2.0 * n + 5) / 18).sum();
        return (int) Math.ceil(Z * Math.sqrt(variance));
    }

    private static int exact(List<Integer> groups, int pairs) {
        double[] probability = {1};
        for (int size : groups) {
            for (int factor = 2; factor <= size; factor++) {
                probability = times(probability, factor);
            }
        }
        double tail = 0;
        int falling = 0;
        while (falling < probability.length && tail + probability[falling] <= TAIL) {
            tail += probability[falling++];
        }
        // Scores above pairs - 2 x falling have fewer falling pairs than that.
        return Math.max(0, pairs - 2 * falling);
    }

    private static double[] times(double[] series, int factor) {
        double[] product = new double[series.length + factor - 1];
        for (int power = 0; power < series.length; power++) {
            for (int more = 0; more < factor; more++) {
                product[power + more] += series[power] / factor;
            }
        }
        return product;
    }
}
