// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Arrays;

/** Interpolates a grid, so that few points have to be computed and quantiles are exact nevertheless. */
final class LatticeRefinement {

    /** Points for each point of the grid. */
    private static final int FACTOR = 4;

    /** Smallest weight that is interpolated, relative to the largest. */
    private static final double NEGLIGIBLE = 1e-12;

    private LatticeRefinement() {}

    /** Returns the grid with interpolated points. */
    static double[] grid(double[] grid) {
        var finer = new double[(grid.length - 1) * FACTOR + 1];
        Arrays.setAll(finer, i -> {
            int left = Math.min(i / FACTOR, grid.length - 2);
            return grid[left] + (grid[left + 1] - grid[left]) * (i - left * FACTOR) / FACTOR;
        });
        return finer;
    }

    /** Interpolates a density: its logarithm is a cubic through four points of the grid. */
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
