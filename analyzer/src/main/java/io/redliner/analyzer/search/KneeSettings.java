// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;

/**
 * The model of a knee: p(load) = allowed (floor + (1 - floor) exp(steepness (ln load - ln capacity))), with counts that
 * are clumped (negative binomial).
 *
 * @param grid on which the model is evaluated
 * @param steepnessPrior of the steepness
 * @param nearness scale of the Laplace prior of ln(capacity / highest load tried)
 * @param outlier probability that a step is no evidence about its load
 * @param winsorised cap of a step's exceedances, in multiples of the allowed ones
 * @param saturationSpread relative error of the capacity that the throughput in saturation predicts
 * @param approachPart part of the highest load tried below which blocks of the ramp are used: nearer to the knee the ramp is
 *            faster than the queue grows
 */
public record KneeSettings(Grid grid, SteepnessPrior steepnessPrior, double nearness, double outlier,
        double winsorised, double saturationSpread, double approachPart) {

    /**
     * The points at which the model is evaluated.
     *
     * @param step over ln capacity, above 0 and at most 0.05
     * @param slopes over the steepness
     * @param floors parts of the allowed exceedances that occur at any load, 0 to 1
     * @param clumps over the clumping
     */
    public record Grid(double step, List<Slope> slopes, List<Double> floors, List<Clump> clumps) {

        /** Widest step of the grid. A coarser grid would miss a narrow posterior. */
        private static final double MAX_STEP = 0.05;

        public Grid {
            slopes = List.copyOf(slopes);
            floors = List.copyOf(floors);
            clumps = List.copyOf(clumps);
            if (!(step > 0 && step <= MAX_STEP) || slopes.isEmpty() || floors.isEmpty() || clumps.isEmpty()) {
                throw new IllegalArgumentException("a knee needs a grid, of steps of at most " + MAX_STEP);
            }
        }
    }

    /**
     * The log-normal prior of the steepness.
     *
     * @param median of the steepness
     * @param spread standard deviation of its logarithm
     */
    public record SteepnessPrior(double median, double spread) {

        public SteepnessPrior {
            if (!(median > 0) || !(spread > 0)) {
                throw new IllegalArgumentException("a knee needs positive spreads");
            }
        }

        /** Returns the logarithm of the density of this steepness, up to a constant. */
        double logDensity(double steepness) {
            double z = Math.log(steepness / median) / spread;
            return -0.5 * z * z;
        }
    }

    /**
     * The steepness of the growth of exceedances.
     *
     * @param steepness relative growth of their number per relative growth of the load
     * @param seen part of the exceedances of a sustained load that a search observes: its steps are too short for the longest
     *            queues, and the alarm cuts them off. Calibrated in the accuracy lab
     */
    public record Slope(double steepness, double seen) {

        public Slope {
            if (!(steepness > 0) || !(seen > 0) || seen > 1) {
                throw new IllegalArgumentException("a steepness of " + steepness + ", of which " + seen + " is seen");
            }
        }

        double lnSeen() {
            return Math.log(seen);
        }
    }

    /**
     * The clumping of the exceedances.
     *
     * @param size of the negative binomial of a block of five seconds: small is clumped, large is Poisson
     * @param logWeight of the prior
     */
    public record Clump(double size, double logWeight) {

        public Clump {
            if (!(size > 0)) {
                throw new IllegalArgumentException("a clump of size " + size);
            }
        }
    }

    /** The defaults. */
    public static final KneeSettings DEFAULT = new KneeSettings(new Grid(0.01,
            List.of(new Slope(5, 1), new Slope(8, 1), new Slope(12, 1), new Slope(18, 0.85), new Slope(27, 0.42),
                    new Slope(40, 0.7), new Slope(60, 0.85), new Slope(90, 0.9)),
            List.of(0.01, 0.06, 0.18, 0.36, 0.55, 0.75, 0.9),
            List.of(new Clump(0.15, 0.5), new Clump(0.3, Math.log(2)), new Clump(0.6, Math.log(2)),
                    new Clump(1.2, Math.log(1.5)), new Clump(4, 0), new Clump(30, Math.log(0.5)))),
            new SteepnessPrior(35, 1.2), 0.15, 6e-4, 20, 0.05, 0.8);

    public KneeSettings {
        if (!(nearness > 0) || !(outlier > 0) || !(winsorised > 0) || !(saturationSpread > 0)) {
            throw new IllegalArgumentException("a knee needs positive spreads");
        }
    }
}
