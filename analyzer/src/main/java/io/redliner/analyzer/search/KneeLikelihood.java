// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * The likelihood of a limit's dwells on a grid over the capacity, the steepness of the knee, its floor and how clumped
 * the exceedances are. A dwell that was cut off counts as "at least so many" (censored). For one thread; a dwell is
 * added once and never taken back.
 */
final class KneeLikelihood {

    private static final double BLOCK_SECONDS = 5;

    private static final double LARGEST_SIZE = 1e4;

    private static final double LARGEST_RATIO = 0.95;

    /** A rise that no floor notices. */
    private static final double UNFELT = 1e-9;

    /** Of a product that neither overflows nor vanishes: each is from 1e-8 to 2e4. */
    private static final int MOST_FACTORS = 32;

    /** The logarithm of what a float does not notice. */
    private static final double NEGLIGIBLE = -25;

    private final AllowedRatio allowance;

    private final KneeSettings settings;

    private final double[] lnCapacity;

    private final KneeSettings.Slope[] slopes;

    private final double[] floors;

    private final KneeSettings.Clump[] clumps;

    private final float[] logLikelihood;

    private final List<ExceedancePoint> blocks = new ArrayList<>();

    /**
     * Nothing is known.
     *
     * @param allowance of the requests that may exceed
     * @param low the least capacity of the grid, requests/s
     * @param high the largest
     */
    KneeLikelihood(AllowedRatio allowance, double low, double high, KneeSettings settings) {
        this.allowance = allowance;
        this.settings = settings;
        this.lnCapacity = grid(low, high, settings);
        this.slopes = settings.slopes().toArray(KneeSettings.Slope[]::new);
        this.floors = settings.floors().stream().mapToDouble(Double::doubleValue).toArray();
        this.clumps = settings.clumps().toArray(KneeSettings.Clump[]::new);
        this.logLikelihood = new float[lnCapacity.length * slopes.length * floors.length * clumps.length];
    }

    /** The logarithms of the capacities between two, evenly. */
    static double[] grid(double low, double high, KneeSettings settings) {
        var grid = new double[settings.loads()];
        for (int i = 0; i < grid.length; i++) {
            grid[i] = Math.log(low) + Math.log(high / low) * i / (grid.length - 1);
        }
        return grid;
    }

    List<ExceedancePoint> blocks() {
        return List.copyOf(blocks);
    }

    void add(ExceedancePoint block) {
        blocks.add(block);
        var term = terms(block);
        double largest = Arrays.stream(term).max().orElseThrow();
        double outlier = Math.log(settings.outlier()) + largest - 1;
        double regular = Math.log1p(-settings.outlier());
        for (int j = 0; j < term.length; j++) {
            logLikelihood[j] += (float) logSum(regular + term[j], outlier);
        }
    }

    private double[] terms(ExceedancePoint block) {
        var term = new double[logLikelihood.length];
        double lnLoad = Math.log(block.requestsPerSecond());
        int row = floors.length * clumps.length;
        // Far from the knee, below and above, it does not matter how far.
        double[] quiet = row(block, 0);
        double most = ratioCap() / allowance.ratio() / (1 - floors[floors.length - 1]);
        double[] full = row(block, most);
        int i = 0;
        for (double x : lnCapacity) {
            for (var slope : slopes) {
                double seen = allowance.latency() ? slope.seen() : 1;
                double rise = seen * Math.exp(Math.clamp(slope.steepness() * (lnLoad - x), -50, 6));
                double[] values = rise < UNFELT ? quiet : rise >= most ? full : row(block, rise);
                System.arraycopy(values, 0, term, i, row);
                i += row;
            }
        }
        return term;
    }

    /**
     * The terms of all floors and clumps.
     *
     * @param rise of the exceedances above the floor, 1 at the capacity
     */
    private double[] row(ExceedancePoint block, double rise) {
        double allowed = allowance.ratio();
        double cap = ratioCap();
        double exceeding = block.censored()
                ? block.exceeding()
                : Math.min(block.exceeding(), Math.ceil(settings.winsorised() * allowed * block.requests()));
        var values = new double[floors.length * clumps.length];
        int i = 0;
        for (double floor : floors) {
            double ratio = Math.min(allowed * (floor + (1 - floor) * rise), cap);
            double mean = ratio * block.requests();
            // The floor's requests come one by one; those of the knee in clumps.
            double part = ratio / Math.max(ratio - allowed * floor, 1e-9);
            double thinning = Math.min(part * part, 1e5);
            for (var clump : clumps) {
                double size = Math.min(clump.size() * block.seconds() / BLOCK_SECONDS * thinning, LARGEST_SIZE);
                values[i++] = block.censored() ? atLeast(exceeding, mean, size) : exactly(exceeding, mean, size);
            }
        }
        return values;
    }

    private double ratioCap() {
        return Math.min(LARGEST_RATIO, settings.winsorised() * allowance.ratio() * 1.5);
    }

    /**
     * The distribution over the grid.
     *
     * @param tempering exponent of the likelihood, 0 to 1: less than 1 when dwells are not independent
     */
    double[] posterior(double tempering, Nearness near, Optional<Saturation> saturation) {
        var logarithm = new double[logLikelihood.length];
        double largest = Double.NEGATIVE_INFINITY;
        int i = 0;
        for (double x : lnCapacity) {
            double prior = near.logPrior(x, settings.nearness());
            for (var slope : slopes) {
                double steepness = slope.steepness();
                double steep = prior + steepnessPrior(steepness)
                        + saturation
                                .map(it -> it.logPrior(x, steepness, allowance.ratio(), settings.saturationSpread()))
                                .orElse(0.0);
                for (int floor = 0; floor < floors.length; floor++) {
                    for (var clump : clumps) {
                        logarithm[i] = steep + clump.logWeight() + tempering * logLikelihood[i];
                        largest = Math.max(largest, logarithm[i]);
                        i++;
                    }
                }
            }
        }
        var marginal = new double[lnCapacity.length];
        int perLoad = logarithm.length / marginal.length;
        double total = 0;
        for (int j = 0; j < logarithm.length; j++) {
            double weight = Math.exp(logarithm[j] - largest);
            marginal[j / perLoad] += weight;
            total += weight;
        }
        for (int j = 0; j < marginal.length; j++) {
            marginal[j] /= total;
        }
        return marginal;
    }

    private double steepnessPrior(double steepness) {
        double z = Math.log(steepness / settings.steepnessMedian()) / settings.steepnessSpread();
        return -0.5 * z * z;
    }

    /** The negative binomial distribution, without what does not depend on the mean or the size. */
    private static double exactly(double count, double mean, double size) {
        double value = size * Math.log(size / (mean + size));
        return count == 0 ? value : value + lnRising(count, size, mean / (mean + size));
    }

    /** The logarithm of {@code factor^count * gamma(size + count) / gamma(size)}. */
    private static double lnRising(double count, double size, double factor) {
        if (count > MOST_FACTORS || count != Math.rint(count)) {
            return count * Math.log(factor) + LogGamma.value(count + size) - LogGamma.value(size);
        }
        double product = 1;
        for (int i = 0; i < count; i++) {
            product *= factor * (size + i);
        }
        return Math.log(product);
    }

    private static double atLeast(double count, double mean, double size) {
        double tail = RegularizedBeta.value(mean / (mean + size), Math.max(count, 1), size);
        return Math.log(Math.max(tail, 1e-12));
    }

    private static double logSum(double a, double b) {
        double high = Math.max(a, b);
        double below = Math.min(a, b) - high;
        return below < NEGLIGIBLE ? high : high + Math.log(1 + Math.exp(below));
    }

    /**
     * The capacity is believed to be near the loads at which the knee was felt.
     *
     * @param load the mean of those that raised an alarm, or the highest tried; requests/s, 0 for none
     * @param widening of the belief's scale, at least 1
     */
    record Nearness(double load, double widening) {

        private static final double BELOW = 0.985;

        static final Nearness NOWHERE = new Nearness(0, 1);

        double logPrior(double lnCapacity, double scale) {
            return load > 0 ? -Math.abs(lnCapacity - Math.log(BELOW * load)) / (scale * widening) : 0;
        }
    }

    /**
     * A server in saturation completes as much as it can; that is a little above its capacity, the less the steeper
     * the knee.
     *
     * @param throughput requests/s completed in saturation
     * @param error relative
     */
    record Saturation(double throughput, double error) {

        double logPrior(double lnCapacity, double steepness, double allowed, double spread) {
            double expected = Math.log(throughput) - lnCapacity
                    - Math.log1p((Math.log(1 / allowed) - 0.4) / steepness);
            double z = expected / Math.hypot(spread, error);
            return -0.5 * z * z;
        }
    }
}
