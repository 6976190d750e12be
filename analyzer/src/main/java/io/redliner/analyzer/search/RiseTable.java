// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.jspecify.annotations.Nullable;

/**
 * A table of one block's log likelihood over the rise of its exceedances, for each floor and clump of a grid. Capacity and
 * steepness have an effect only through the rise, so a few dozen knots over its logarithm, joined by cubics, replace all cells of
 * the grid.
 */
final class RiseTable {

    private static final double BLOCK_SECONDS = 5;

    private static final double MAX_SIZE = 1e4;

    private static final double MAX_RATIO = 0.95;

    /** Factors of a product that neither overflows nor underflows: each is from 1e-8 to 2e4. */
    private static final int MAX_FACTORS = 32;

    /** Logarithm of the rise at the second knot. Below it, the terms are a straight line over the rise. */
    private static final double MIN_LN_RISE = Math.log(1e-4);

    /** Distance of two knots. */
    private static final double STEP = 0.2;

    private static final double NEGLIGIBLE_RISE = Math.log(1e-9);

    /** Points between two knots at which the largest term is searched. */
    private static final int FINER = 16;

    private final int clumps;

    /** Logarithm of the rise from which on the ratio has its largest value, by floor. */
    private final double[] lnFull;

    private final double lnFirstFull;

    private final double lnAllFull;

    /** Terms without a rise, by floor and clump. */
    private final double[] quiet;

    /** Terms at the largest ratio, by floor and clump. */
    private final double[] full;

    private final Terms terms;

    private final double[] floors;

    /** Terms by knot, floor and clump; null until they are needed. */
    private final double[] @Nullable [] knots;

    private final double lnLoad;

    /** @param allowedRatio of the requests that may exceed */
    RiseTable(ExceedancePoint point, AllowedRatio allowedRatio, KneeSettings settings) {
        this.lnLoad = Math.log(point.requestsPerSecond());
        this.clumps = settings.grid().clumps().size();
        this.floors = settings.grid().floors().stream().mapToDouble(Double::doubleValue).toArray();
        double largest = Math.min(MAX_RATIO, settings.winsorised() * allowedRatio.ratio() * 1.5) / allowedRatio.ratio();
        this.lnFull = Arrays.stream(floors).map(floor -> Math.log((largest - floor) / (1 - floor))).toArray();
        this.lnFirstFull = Arrays.stream(lnFull).min().orElseThrow();
        this.lnAllFull = Arrays.stream(lnFull).max().orElseThrow();
        this.terms = new Terms(point, allowedRatio.ratio(), settings);
        int width = floors.length * clumps;
        this.quiet = new double[width];
        this.full = new double[width];
        for (int i = 0; i < floors.length; i++) {
            terms.at(floors[i], 0, quiet, i * clumps);
            terms.at(floors[i], Math.exp(lnFull[i]), full, i * clumps);
        }
        // The cubics need one more knot on each side.
        this.knots = new double[(int) Math.ceil((lnAllFull - MIN_LN_RISE) / STEP) + 3][];
    }

    /** Returns the logarithm of the block's load in requests/s. */
    double lnLoad() {
        return lnLoad;
    }

    /** Returns the number of terms for one rise. */
    int width() {
        return quiet.length;
    }

    /** Returns the largest term over all rises. */
    double largest() {
        int best = IntStream.range(0, knots.length).boxed()
                .max(Comparator.comparingDouble(knot -> largest(lnRise(knot)))).orElseThrow();
        return IntStream.rangeClosed(-FINER, FINER)
                .mapToDouble(i -> largest(lnRise(best) + i * STEP / FINER)).max().orElseThrow();
    }

    private double largest(double lnRise) {
        var row = new double[quiet.length];
        read(lnRise, row);
        return Arrays.stream(row).max().orElseThrow();
    }

    private static double lnRise(int knot) {
        return MIN_LN_RISE + (knot - 1) * STEP;
    }

    private double[] knot(int index) {
        var known = knots[index];
        if (known == null) {
            double lnRise = lnRise(index);
            known = new double[quiet.length];
            for (int i = 0; i < floors.length; i++) {
                // Knots beyond the full rise of a floor are not read.
                if (lnRise < lnFull[i] + 2 * STEP) {
                    terms.at(floors[i], Math.exp(lnRise), known, i * clumps);
                }
            }
            knots[index] = known;
        }
        return known;
    }

    /** Returns true when the rise is so large that all ratios have their largest value. */
    boolean isFull(double lnRise) {
        return lnRise >= lnAllFull;
    }

    /** Returns true when the rise is negligible. */
    static boolean isUnfelt(double lnRise) {
        return lnRise < NEGLIGIBLE_RISE;
    }

    /**
     * Reads the terms of all floors and clumps into a row.
     *
     * @param lnRise of the exceedances above the floor, 0 at the capacity
     */
    void read(double lnRise, double[] row) {
        if (lnRise >= lnAllFull) {
            System.arraycopy(full, 0, row, 0, row.length);
        } else if (lnRise >= lnFirstFull) {
            for (int i = 0; i < lnFull.length; i++) {
                interpolate(Math.min(lnRise, lnFull[i]), row, i * clumps, (i + 1) * clumps);
            }
        } else if (lnRise >= MIN_LN_RISE) {
            interpolate(lnRise, row, 0, row.length);
        } else {
            double part = Math.exp(lnRise - MIN_LN_RISE);
            var lowest = knot(1);
            for (int i = 0; i < row.length; i++) {
                row[i] = quiet[i] + part * (lowest[i] - quiet[i]);
            }
        }
    }

    /** Interpolates some terms by the cubic through four knots. */
    private void interpolate(double lnRise, double[] row, int from, int to) {
        double at = (lnRise - MIN_LN_RISE) / STEP;
        int interval = (int) at;
        var weights = CubicWeights.at(at - interval);
        var first = knot(interval);
        var second = knot(interval + 1);
        var third = knot(interval + 2);
        var fourth = knot(interval + 3);
        for (int i = from; i < to; i++) {
            row[i] = weights.of(first[i], second[i], third[i], fourth[i]);
        }
    }

    /**
     * The log likelihood of a block's exceedances by the negative binomial distribution, without terms that depend neither on the
     * mean nor on the size.
     */
    private static final class Terms {

        private final ExceedancePoint point;

        private final double allowed;

        private final double exceeding;

        private final double[] sizes;

        Terms(ExceedancePoint point, double allowed, KneeSettings settings) {
            this.point = point;
            this.allowed = allowed;
            this.sizes = settings.grid().clumps().stream()
                    .mapToDouble(clump -> clump.size() * point.seconds() / BLOCK_SECONDS).toArray();
            this.exceeding = point.censored()
                    ? point.exceeding()
                    : Math.min(point.exceeding(), Math.ceil(settings.winsorised() * allowed * point.requests()));
        }

        /** Writes the terms of all clumps into an array, from a place on. */
        void at(double floor, double rise, double[] values, int place) {
            double ratio = allowed * (floor + (1 - floor) * rise);
            double mean = ratio * point.requests();
            // Exceedances of the floor are independent; those of the knee come in clumps.
            double part = ratio / Math.max(ratio - allowed * floor, 1e-9);
            double thinning = Math.min(part * part, 1e5);
            for (int i = 0; i < sizes.length; i++) {
                double size = Math.min(sizes[i] * thinning, MAX_SIZE);
                values[place + i] = point.censored() ? atLeast(mean, size) : exactly(mean, size);
            }
        }

        private double exactly(double mean, double size) {
            double value = size * Math.log(size / (mean + size));
            return exceeding == 0 ? value : value + lnRising(size, mean / (mean + size));
        }

        /** Returns the logarithm of {@code factor^exceeding * gamma(size + exceeding) / gamma(size)}. */
        private double lnRising(double size, double factor) {
            if (exceeding > MAX_FACTORS || exceeding != Math.rint(exceeding)) {
                return exceeding * Math.log(factor) + LogGamma.value(exceeding + size) - LogGamma.value(size);
            }
            double product = 1;
            for (int i = 0; i < exceeding; i++) {
                product *= factor * (size + i);
            }
            return Math.log(product);
        }

        private double atLeast(double mean, double size) {
            double tail = RegularizedBeta.value(mean / (mean + size), Math.max(exceeding, 1), size);
            return Math.log(Math.max(tail, 1e-12));
        }
    }
}
