// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Arrays;

/** Puts points between those of a grid, so that few have to be computed and quantiles are exact all the same. */
final class LatticeRefinement {

    /** Points for each one of the grid. */
    private static final int FACTOR = 4;

    /** Of the largest weight: less is as good as none. */
    private static final double NEGLIGIBLE = 1e-12;

    private LatticeRefinement() {}

    /** The grid with points between. */
    static double[] grid(double[] grid) {
        var finer = new double[(grid.length - 1) * FACTOR + 1];
        Arrays.setAll(finer, i -> {
            int left = Math.min(i / FACTOR, grid.length - 2);
            return grid[left] + (grid[left + 1] - grid[left]) * (i - left * FACTOR) / FACTOR;
        });
        return finer;
    }

    /** A density over the finer grid: its logarithm is a cubic through four points of the grid. */
    static double[] weights(double[] weights) {
        double most = Arrays.stream(weights).max().orElseThrow();
        var logarithm = Arrays.stream(weights).map(weight -> Math.log(Math.max(weight / most, NEGLIGIBLE))).toArray();
        var finer = new double[(weights.length - 1) * FACTOR + 1];
        double total = 0;
        for (int i = 0; i < finer.length; i++) {
            int left = Math.min(i / FACTOR, weights.length - 2);
            finer[i] = Math.exp(between(logarithm, left, (double) (i - left * FACTOR) / FACTOR));
            total += finer[i];
        }
        for (int i = 0; i < finer.length; i++) {
            finer[i] /= total;
        }
        return finer;
    }

    private static double between(double[] values, int left, double t) {
        double first = values[Math.max(0, left - 1)];
        double last = values[Math.min(values.length - 1, left + 2)];
        return CubicWeights.at(t).of(first, values[left], values[left + 1], last);
    }
}
