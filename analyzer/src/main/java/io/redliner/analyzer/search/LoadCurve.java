// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * Estimates a capacity from pieces of time: the load at which the part of the requests beyond a limit is the allowed one. The part p
 * follows ln(-ln p) = a + v + c v^2 with v = -m z and z = ln(load / reference), a falling parabola that is flat where it would rise.
 * These are estimating equations with a variance (Liang and Zeger 1986), and no likelihood: late requests come in excursions of the
 * queue, and their dispersion is estimated from the residuals. A likelihood that is wrong in its tail would move the capacity.
 *
 * @param lnCapacity logarithm of the capacity in requests/s
 * @param spread its standard error, by the delta method
 * @param elasticity relative growth of the part of slow requests with the relative growth of the load, at the capacity
 */
record LoadCurve(double lnCapacity, double spread, double elasticity) {

    /** Returns true when the capacity lies among the loads that were held, or not far beyond. */
    boolean within() {
        return spread < BEYOND;
    }

    /** Fewest pieces, and fewest requests beyond the limit, that a curve is fitted to. */
    private static final int MIN_PIECES = 4;

    private static final double MIN_EXCEEDING = 3;

    /** Part of the allowed requests beyond the limit below which the limit does not bind. */
    private static final double SIGNIFICANT_PART_OF_ALLOWANCE = 0.05;

    /** Percentile of the loads that is the reference, and the logarithms of loads relative to it that are used. */
    private static final double REFERENCE_PERCENTILE = 90;

    private static final double MIN_LN_LOAD = -0.25;

    private static final double MAX_LN_LOAD = 0.2;

    private static final double NEAR_REFERENCE = -0.08;

    /** Logarithms of capacities relative to the reference beyond which the curve is not extrapolated. */
    private static final double MIN_LN_CAPACITY = -0.6;

    private static final double MAX_LN_CAPACITY = 0.5;

    /** Standard error and elasticity of a capacity beyond them. */
    private static final double BEYOND = 0.3;

    private static final double MIN_ELASTICITY = 2;

    /** Least slope of the parabola, relative to that of its linear term, by which the standard error is computed. */
    private static final double MIN_SLOPE = 0.05;

    private static final int STEPS = 16;

    private static final int STEPS_PER_DISPERSION = 4;

    private static final double MAX_STEP = 0.5;

    /** Normal priors of ln m and c, fitted to steady runs of the lab's tuning servers. */
    private static final double[] PRIOR_MEAN = {0, Math.log(4), -0.25};

    private static final double[] PRIOR_DEVIATION = {Double.POSITIVE_INFINITY, 1.2, 0.3};

    private static final double MIN_LN_SLOPE = Math.log(0.05);

    private static final double MAX_LN_SLOPE = Math.log(60);

    private static final double MAX_CURVATURE = 2;

    /** Dispersion before any residual is known, and how many pieces this knowledge is worth. */
    private static final double PRIOR_DISPERSION = 8;

    private static final double PRIOR_PIECES = 4;

    private static final double MAX_DISPERSION = 3_000;

    /** Growth of the dispersion with the part beyond the limit: its power, and the largest relative part. */
    private static final double DISPERSION_POWER = 0.7;

    private static final double MAX_RELATIVE_PART = 3;

    /** Relative error of a piece's cumulative hazard -ln p beside the noise of counts. */
    private static final double HAZARD_ERROR = 0.15;

    /** Standard deviations beyond which a piece is weighted down (Huber), and squared ones that count for the dispersion. */
    private static final double MAX_DEVIATION = 4;

    private static final double MAX_SQUARED_DEVIATION = 25;

    /**
     * A piece of time.
     *
     * @param lnLoad logarithm of the load in requests/s
     * @param requests that arrived
     * @param exceeding those beyond the limit
     */
    record Point(double lnLoad, double requests, double exceeding) {}

    /** @param points pieces of the run, in any order; empty is returned when they say nothing about the limit */
    static Optional<LoadCurve> fit(List<Point> points, double allowed) {
        if (points.size() < MIN_PIECES) {
            return Optional.empty();
        }
        double reference = new Percentile(REFERENCE_PERCENTILE).withEstimationType(EstimationType.R_7)
                .evaluate(points.stream().mapToDouble(Point::lnLoad).toArray());
        var near = points.stream().map(it -> new Point(it.lnLoad() - reference, it.requests(),
                Math.min(it.exceeding(), it.requests())))
                .filter(it -> it.lnLoad() > MIN_LN_LOAD && it.lnLoad() < MAX_LN_LOAD).toList();
        double requests = near.stream().mapToDouble(Point::requests).sum();
        double exceeding = near.stream().mapToDouble(Point::exceeding).sum();
        return near.size() < MIN_PIECES || exceeding < MIN_EXCEEDING
                || exceeding < SIGNIFICANT_PART_OF_ALLOWANCE * allowed * requests
                        ? Optional.empty()
                        : Optional.of(new Fit(near).curve(allowed, reference));
    }

    /** The iteration: Gauss-Newton, with the dispersion estimated from the residuals after every few steps. */
    private static final class Fit {

        private final List<Point> points;

        /** Part beyond the limit near the reference. */
        private final double usual;

        /** a, ln m, c. */
        private final double[] parameters;

        private double dispersion = PRIOR_DISPERSION;

        private RealMatrix information = MatrixUtils.createRealIdentityMatrix(3);

        Fit(List<Point> points) {
            this.points = points;
            var near = points.stream().filter(it -> it.lnLoad() > NEAR_REFERENCE).toList();
            usual = Math.clamp((near.stream().mapToDouble(Point::exceeding).sum() + 0.5)
                    / (near.stream().mapToDouble(Point::requests).sum() + 1), 1e-7, 0.97);
            parameters = new double[]{Math.log(-Math.log(usual)), Math.log(3), PRIOR_MEAN[2]};
            for (int i = 1; i <= STEPS; i++) {
                step(i % STEPS_PER_DISPERSION == 0);
            }
        }

        private void step(boolean learning) {
            double squares = PRIOR_PIECES * PRIOR_DISPERSION;
            double weights = PRIOR_PIECES;
            var residuals = points.stream().map(this::residual).toList();
            if (learning) {
                for (var residual : residuals) {
                    squares += Math.min(residual.deviations() * residual.deviations(), MAX_SQUARED_DEVIATION)
                            * (1 + (dispersion - 1) * residual.growth());
                    weights += residual.growth();
                }
                dispersion = Math.clamp(squares / weights, 1, MAX_DISPERSION);
            }
            information = MatrixUtils.createRealIdentityMatrix(3).scalarMultiply(1e-6);
            RealVector gradient = new ArrayRealVector(3);
            for (int i = 0; i < 3; i++) {
                double precision = 1 / (PRIOR_DEVIATION[i] * PRIOR_DEVIATION[i]);
                information.addToEntry(i, i, precision);
                gradient.addToEntry(i, precision * (PRIOR_MEAN[i] - parameters[i]));
            }
            for (var residual : residuals) {
                var slopes = new ArrayRealVector(residual.slopes());
                // The outer product is symmetric to the last bit, as the decomposition demands.
                information = information.add(slopes.outerProduct(slopes).scalarMultiply(residual.weight()));
                gradient = gradient.add(slopes.mapMultiply(residual.weight() * residual.deviations()));
            }
            var moved = new CholeskyDecomposition(information).getSolver().solve(gradient);
            for (int i = 0; i < 3; i++) {
                parameters[i] += Math.clamp(moved.getEntry(i), -MAX_STEP, MAX_STEP);
            }
            parameters[1] = Math.clamp(parameters[1], MIN_LN_SLOPE, MAX_LN_SLOPE);
            parameters[2] = Math.clamp(parameters[2], -MAX_CURVATURE, MAX_CURVATURE);
        }

        /**
         * A piece's distance from the curve.
         *
         * @param deviations of the count from the curve, in standard deviations
         * @param growth of the dispersion with the part beyond the limit; 1 near the reference
         * @param weight below 1 for a piece that is far from the curve
         * @param slopes of the mean count with a, ln m and c, in standard deviations
         */
        @SuppressWarnings("ArrayRecordComponent") // Never compared.
        private record Residual(double deviations, double growth, double weight, double[] slopes) {}

        private Residual residual(Point point) {
            double v = linear(-Math.exp(parameters[1]) * point.lnLoad());
            double hazard = Math.exp(Math.clamp(parameters[0] + v + parameters[2] * v * v, -6, 3.3));
            double part = Math.exp(-hazard);
            double mean = point.requests() * part;
            double growth = Math.pow(Math.min(part / usual, MAX_RELATIVE_PART), DISPERSION_POWER);
            double hazardError = HAZARD_ERROR * mean * hazard;
            double deviation = Math.sqrt((1 + (dispersion - 1) * growth) * mean * (1 - part)
                    + hazardError * hazardError + 1e-9);
            double deviations = (point.exceeding() - mean) / deviation;
            double slope = -mean * hazard / deviation;
            return new Residual(deviations, growth,
                    Math.min(1, MAX_DEVIATION / Math.max(Math.abs(deviations), 1e-9)),
                    new double[]{slope, slope * (1 + 2 * parameters[2] * v) * v, slope * v * v});
        }

        /** Returns the linear term within the part of the parabola that falls with the load. */
        private double linear(double v) {
            double c = parameters[2];
            return c < 0 ? Math.min(v, -1 / (2 * c)) : c > 0 ? Math.max(v, -1 / (2 * c)) : v;
        }

        LoadCurve curve(double allowed, double reference) {
            double lnHazard = Math.log(-Math.log(allowed));
            double c = parameters[2];
            double root = 1 + 4 * c * (lnHazard - parameters[0]);
            double v = Math.abs(c) < 1e-9
                    ? lnHazard - parameters[0]
                    : root > 0 ? (Math.sqrt(root) - 1) / (2 * c) : -1 / (2 * c);
            double m = Math.exp(parameters[1]);
            double lnCapacity = -v / m;
            if (lnCapacity < MIN_LN_CAPACITY || lnCapacity > MAX_LN_CAPACITY) {
                return new LoadCurve(reference + Math.clamp(lnCapacity, MIN_LN_CAPACITY, MAX_LN_CAPACITY), BEYOND,
                        MIN_ELASTICITY);
            }
            double slope = 1 + 2 * c * v;
            double fall = m * Math.max(slope, MIN_SLOPE);
            var gradient = new ArrayRealVector(new double[]{1 / fall, slope * v / fall, v * v / fall});
            double variance = new CholeskyDecomposition(information).getSolver().solve(gradient).dotProduct(gradient);
            return new LoadCurve(reference + lnCapacity, Math.sqrt(variance), fall * -Math.log(allowed));
        }
    }
}
