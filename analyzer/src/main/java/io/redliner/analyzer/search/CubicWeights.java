// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/** Weights of four evenly spaced points for the cubic through them, between the second and the third (Lagrange). */
record CubicWeights(double first, double second, double third, double fourth) {

    /** @param t 0 at the second point, 1 at the third */
    static CubicWeights at(double t) {
        return new CubicWeights(-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2,
                -(t + 1) * t * (t - 2) / 2, (t + 1) * t * (t - 1) / 6);
    }

    double of(double atFirst, double atSecond, double atThird, double atFourth) {
        return first * atFirst + second * atSecond + third * atThird + fourth * atFourth;
    }
}
