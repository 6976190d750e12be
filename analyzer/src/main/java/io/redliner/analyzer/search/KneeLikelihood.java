// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The likelihood of a limit's steps on a grid over the capacity, the steepness of the knee, its floor and the clumping of the
 * exceedances. A step that was cut off counts as "at least so many" (censored). For one thread; a step is added once and never
 * removed.
 */
final class KneeLikelihood {

    /** Bound of the logarithm of a rise: farther above the knee the likelihood does not change. */
    static final double MAX_LN_RISE = 6;

    /** Logarithm of a weight that is left out. */
    private static final double NEGLIGIBLE = -25;

    private final AllowedRatio allowedRatio;

    private final KneeSettings settings;

    private final KneeSettings.Slope[] slopes;

    private final KneeSettings.Clump[] clumps;

    private final int floors;

    private final List<ExceedancePoint> blocks = new ArrayList<>();

    /** Largest term of each block. */
    private final List<Double> largest = new ArrayList<>();

    private double[] lnCapacity;

    private float[] logLikelihood;

    /**
     * Creates a likelihood without steps.
     *
     * @param allowedRatio of the requests that may exceed
     * @param lnCapacity the grid's logarithms of capacities, ascending
     */
    KneeLikelihood(AllowedRatio allowedRatio, double[] lnCapacity, KneeSettings settings) {
        this.allowedRatio = allowedRatio;
        this.settings = settings;
        this.slopes = settings.grid().slopes().toArray(KneeSettings.Slope[]::new);
        this.clumps = settings.grid().clumps().toArray(KneeSettings.Clump[]::new);
        this.floors = settings.grid().floors().size();
        this.lnCapacity = lnCapacity;
        this.logLikelihood = new float[lnCapacity.length * perCapacity()];
    }

    /**
     * Returns a grid of logarithms of capacities. All grids are parts of one lattice, so that overlapping grids share points.
     *
     * @param low requests/s; the first point is at or just below
     * @param high requests/s; the last point is at or just above
     */
    static double[] grid(double low, double high, KneeSettings settings) {
        double step = settings.grid().step();
        long first = (long) Math.floor(Math.log(low) / step);
        return LongStream.rangeClosed(first, (long) Math.ceil(Math.log(high) / step)).mapToDouble(i -> i * step)
                .toArray();
    }

    /** Returns true when the other grid contains this grid. */
    boolean isWithin(double[] other) {
        return lnCapacity[0] >= other[0] && lnCapacity[lnCapacity.length - 1] <= other[other.length - 1];
    }

    double[] lnCapacity() {
        return lnCapacity;
    }

    List<ExceedancePoint> blocks() {
        return List.copyOf(blocks);
    }

    void add(ExceedancePoint point) {
        blocks.add(point);
        var table = new RiseTable(point, allowedRatio, settings);
        largest.add(table.largest());
        addTo(logLikelihood, lnCapacity, table, largest.getLast());
    }

    /** Extends the likelihood to a wider grid that contains this one. Only the new points are computed. */
    void grow(double[] wider) {
        int below = Arrays.binarySearch(wider, lnCapacity[0]);
        int end = below + lnCapacity.length;
        var lower = Arrays.copyOf(wider, below);
        var higher = Arrays.copyOfRange(wider, end, wider.length);
        var atLower = new float[lower.length * perCapacity()];
        var atHigher = new float[higher.length * perCapacity()];
        for (int i = 0; i < blocks.size(); i++) {
            var table = new RiseTable(blocks.get(i), allowedRatio, settings);
            addTo(atLower, lower, table, largest.get(i));
            addTo(atHigher, higher, table, largest.get(i));
        }
        var all = Arrays.copyOf(atLower, wider.length * perCapacity());
        System.arraycopy(logLikelihood, 0, all, atLower.length, logLikelihood.length);
        System.arraycopy(atHigher, 0, all, end * perCapacity(), atHigher.length);
        logLikelihood = all;
        lnCapacity = wider;
    }

    private int perCapacity() {
        return slopes.length * floors * clumps.length;
    }

    private void addTo(float[] sums, double[] capacities, RiseTable table, double largestTerm) {
        double outlier = Math.log(settings.outlier()) + largestTerm - 1;
        double regular = Math.log1p(-settings.outlier());
        var quiet = mixed(table, Double.NEGATIVE_INFINITY, regular, outlier);
        var full = mixed(table, Double.POSITIVE_INFINITY, regular, outlier);
        var row = new double[quiet.length];
        int i = 0;
        for (double x : capacities) {
            for (var slope : slopes) {
                double lnRise = (allowedRatio.latency() ? slope.lnSeen() : 0)
                        + Math.min(slope.steepness() * (table.lnLoad() - x), MAX_LN_RISE);
                if (RiseTable.isUnfelt(lnRise) || table.isFull(lnRise)) {
                    for (float term : RiseTable.isUnfelt(lnRise) ? quiet : full) {
                        sums[i++] += term;
                    }
                } else {
                    table.read(lnRise, row);
                    for (double term : row) {
                        sums[i++] += (float) Exponentials.lnSum(regular + term, outlier);
                    }
                }
            }
        }
    }

    private static float[] mixed(RiseTable table, double lnRise, double regular, double outlier) {
        var row = new double[table.width()];
        table.read(lnRise, row);
        var mixed = new float[row.length];
        for (int i = 0; i < row.length; i++) {
            mixed[i] = (float) Exponentials.lnSum(regular + row[i], outlier);
        }
        return mixed;
    }

    /**
     * Returns the posterior distribution over the grid, without the prior of {@link Nearness}.
     *
     * @param tempering exponent of the likelihood, 0 to 1: less than 1 when steps are not independent
     */
    double[] posterior(double tempering, Optional<Saturation> saturation) {
        int width = floors * clumps.length;
        var priors = new double[lnCapacity.length * slopes.length];
        var most = new double[priors.length];
        double heaviest = Arrays.stream(clumps).mapToDouble(KneeSettings.Clump::logWeight).max().orElseThrow();
        double largest = Double.NEGATIVE_INFINITY;
        for (int row = 0; row < priors.length; row++) {
            double x = lnCapacity[row / slopes.length];
            double steepness = slopes[row % slopes.length].steepness();
            priors[row] = settings.steepnessPrior().logDensity(steepness) + saturation
                    .map(it -> it.logPrior(x, steepness, allowedRatio.ratio(), settings.saturationSpread()))
                    .orElse(0.0);
            most[row] = priors[row] + heaviest + tempering * largest(row * width, width);
            largest = Math.max(largest, most[row]);
        }
        var marginal = new double[lnCapacity.length];
        for (int row = 0; row < priors.length; row++) {
            if (most[row] - largest > NEGLIGIBLE) {
                marginal[row / slopes.length] += weight(row * width, priors[row] - largest, tempering);
            }
        }
        double total = Arrays.stream(marginal).sum();
        Arrays.setAll(marginal, i -> marginal[i] / total);
        return marginal;
    }

    /**
     * Returns for each capacity of the grid the posterior of the steepness and the floor if that were the true capacity: a weight for
     * each steepness and each floor of it, with the sum 1.
     *
     * @param tempering as for {@link #posterior}
     */
    double[][] shapes(double tempering, Optional<Saturation> saturation) {
        var shapes = new double[lnCapacity.length][slopes.length * floors];
        for (int i = 0, cell = 0; i < shapes.length; i++) {
            double x = lnCapacity[i];
            var exponents = new double[perCapacity()];
            for (int shape = 0; shape < shapes[i].length; shape++) {
                double steepness = slopes[shape / floors].steepness();
                double prior = settings.steepnessPrior().logDensity(steepness) + saturation
                        .map(it -> it.logPrior(x, steepness, allowedRatio.ratio(), settings.saturationSpread()))
                        .orElse(0.0);
                for (int clump = 0; clump < clumps.length; clump++) {
                    exponents[shape * clumps.length + clump] = prior + clumps[clump].logWeight()
                            + tempering * logLikelihood[cell++];
                }
            }
            double largest = Arrays.stream(exponents).max().orElseThrow();
            for (int j = 0; j < exponents.length; j++) {
                shapes[i][j / clumps.length] += Math.exp(exponents[j] - largest);
            }
            double total = Arrays.stream(shapes[i]).sum();
            shapes[i] = Arrays.stream(shapes[i]).map(weight -> weight / total).toArray();
        }
        return shapes;
    }

    private float largest(int from, int count) {
        float largest = Float.NEGATIVE_INFINITY;
        for (int i = from; i < from + count; i++) {
            largest = Math.max(largest, logLikelihood[i]);
        }
        return largest;
    }

    private double weight(int from, double prior, double tempering) {
        double weight = 0;
        for (int floor = 0, i = from; floor < floors; floor++) {
            for (var clump : clumps) {
                double logarithm = prior + clump.logWeight() + tempering * logLikelihood[i++];
                if (logarithm > NEGLIGIBLE) {
                    weight += Exponentials.exp(logarithm);
                }
            }
        }
        return weight;
    }

    /**
     * A prior: the capacity is near the loads at which the knee showed.
     *
     * @param load mean of the last loads that raised an alarm, or the highest load tried; requests/s, 0 for none
     * @param widening of the scale, at least 1
     */
    record Nearness(double load, double widening) {

        private static final double BELOW = 0.985;

        /**
         * Multiplies a distribution by this prior.
         *
         * @param scale of the prior's Laplace distribution
         */
        double[] applied(double[] lnCapacity, double[] weights, double scale) {
            if (!(load > 0)) {
                return weights;
            }
            var weighted = new double[weights.length];
            double total = 0;
            for (int i = 0; i < weights.length; i++) {
                double distance = Math.abs(lnCapacity[i] - Math.log(BELOW * load));
                weighted[i] = weights[i] * Math.exp(-distance / (scale * widening));
                total += weighted[i];
            }
            for (int i = 0; i < weights.length; i++) {
                weighted[i] /= total;
            }
            return weighted;
        }
    }

    /**
     * The throughput of a saturated server. It is a little above the capacity, and nearer to it for a steeper knee.
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

    /** Exponentials from tables, exact to 1e-5. That is enough for sums in single precision, and several times as fast. */
    static final class Exponentials {

        /** Negative logarithm of a number that is negligible beside 1 in a float. */
        private static final int NEGLIGIBLE = 25;

        private static final int PER_UNIT = 128;

        private static final double[] EXP = table(Math::exp);

        private static final double[] LN_SUM = table(x -> Math.log1p(Math.exp(x)));

        private Exponentials() {}

        /** Returns e to the power of x, which is at most 0; returns 0 when the result is negligible beside 1. */
        static double exp(double x) {
            double at = -x * PER_UNIT;
            return at < NEGLIGIBLE * PER_UNIT ? interpolated(EXP, at) : 0;
        }

        /** Returns ln(exp(a) + exp(b)). */
        static double lnSum(double a, double b) {
            double at = Math.abs(a - b) * PER_UNIT;
            double larger = Math.max(a, b);
            return at < NEGLIGIBLE * PER_UNIT ? larger + interpolated(LN_SUM, at) : larger;
        }

        private static double interpolated(double[] table, double at) {
            int i = (int) at;
            return table[i] + (at - i) * (table[i + 1] - table[i]);
        }

        /** Tabulates a function at 0, -1/128, -2/128 and so on. */
        private static double[] table(DoubleUnaryOperator function) {
            return IntStream.rangeClosed(0, NEGLIGIBLE * PER_UNIT)
                    .mapToDouble(i -> function.applyAsDouble(-(double) i / PER_UNIT)).toArray();
        }
    }
}
