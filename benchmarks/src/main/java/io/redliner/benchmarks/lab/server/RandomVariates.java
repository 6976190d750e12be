// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

import java.util.SplittableRandom;

/**
 * Random numbers of several distributions. The JDK's own transformations changed between its versions; a figure that was
 * recorded must come out again.
 */
public final class RandomVariates {

    private final SplittableRandom random;

    private double spareGaussian = Double.NaN;

    /** The same numbers for the same seed. */
    public RandomVariates(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Uniform, from 0 to less than 1. */
    public double uniform() {
        return random.nextDouble();
    }

    /** Uniform between two bounds. */
    public double between(double low, double high) {
        return low + (high - low) * random.nextDouble();
    }

    /** Exponential. */
    public double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /** Standard normal, by Marsaglia's polar method. */
    public double gaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double spare = spareGaussian;
            spareGaussian = Double.NaN;
            return spare;
        }
        while (true) {
            double x = 2 * random.nextDouble() - 1;
            double y = 2 * random.nextDouble() - 1;
            double square = x * x + y * y;
            if (square < 1 && square > 0) {
                double factor = Math.sqrt(-2 * Math.log(square) / square);
                spareGaussian = y * factor;
                return x * factor;
            }
        }
    }

    /** Log-normal with the given mean of the values themselves. */
    public double logNormal(double mean, double sigma) {
        return mean * Math.exp(sigma * gaussian() - 0.5 * sigma * sigma);
    }

    /** Gamma with mean 1, by Marsaglia and Tsang's method. */
    public double gammaAroundOne(double variation) {
        double shape = 1 / (variation * variation);
        if (shape < 1) {
            throw new IllegalArgumentException("a coefficient of variation of at most 1, not " + variation);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = gaussian();
            double v = 1 + c * x;
            if (v > 0) {
                double cube = v * v * v;
                if (Math.log(1 - random.nextDouble()) < 0.5 * x * x + d * (1 - cube + Math.log(cube))) {
                    return d * cube / shape;
                }
            }
        }
    }

    /** Poisson; above a mean of 30 by the normal approximation. */
    public long poisson(double mean) {
        if (mean > 30) {
            return Math.max(0, Math.round(mean + Math.sqrt(mean) * gaussian()));
        }
        long count = 0;
        for (double left = mean - exponential(1); left > 0; left -= exponential(1)) {
            count++;
        }
        return count;
    }
}
