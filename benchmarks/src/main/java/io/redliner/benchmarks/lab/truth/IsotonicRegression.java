// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import java.util.Arrays;

/**
 * The curve that never falls and is nearest to noisy points, in the logarithm of their ratios (isotonic regression by
 * pooling adjacent violators). At least two points.
 */
final class IsotonicRegression {

    /** Stands for none. */
    private static final double LEAST = 1e-7;

    /** The slope is taken from the points that are so near. */
    private static final double NEAR = 0.025;

    private final double[] loads;

    private final double[] logRatios;

    private final double[] fitted;

    IsotonicRegression(double[] loads, double[] ratios) {
        this.loads = loads.clone();
        logRatios = Arrays.stream(ratios).map(ratio -> Math.log(Math.max(LEAST, ratio))).toArray();
        fitted = pooled(logRatios);
    }

    /** The load at which the ratio is passed; infinite when it never is, the first load when it always was. */
    double crosses(double ratio) {
        double level = Math.log(ratio);
        for (int i = 0; i < fitted.length; i++) {
            if (fitted[i] >= level) {
                return i == 0
                        ? loads[0]
                        : loads[i - 1] + (loads[i] - loads[i - 1]) * (level - fitted[i - 1])
                                / (fitted[i] - fitted[i - 1]);
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Slope in logarithms around a load: a line by least squares. */
    double elasticity(double load) {
        double n = 0;
        double sumX = 0;
        double sumY = 0;
        double sumXx = 0;
        double sumXy = 0;
        for (int i = 0; i < loads.length; i++) {
            if (Math.abs(loads[i] / load - 1) < NEAR) {
                double x = Math.log(loads[i] / load);
                n++;
                sumX += x;
                sumY += logRatios[i];
                sumXx += x * x;
                sumXy += x * logRatios[i];
            }
        }
        return (n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
    }

    private static double[] pooled(double[] values) {
        var means = new double[values.length];
        var sizes = new int[values.length];
        int blocks = 0;
        for (double value : values) {
            means[blocks] = value;
            sizes[blocks] = 1;
            blocks++;
            while (blocks > 1 && means[blocks - 2] > means[blocks - 1]) {
                int size = sizes[blocks - 2] + sizes[blocks - 1];
                means[blocks - 2] = (means[blocks - 2] * sizes[blocks - 2] + means[blocks - 1] * sizes[blocks - 1])
                        / size;
                sizes[blocks - 2] = size;
                blocks--;
            }
        }
        var fitted = new double[values.length];
        int at = 0;
        for (int block = 0; block < blocks; block++) {
            Arrays.fill(fitted, at, at + sizes[block], means[block]);
            at += sizes[block];
        }
        return fitted;
    }
}
