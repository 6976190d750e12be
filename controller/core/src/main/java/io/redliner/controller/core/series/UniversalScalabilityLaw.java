// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer.Optimum;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.DiagonalMatrix;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The capacity as a function of the size: the Universal Scalability Law (N. J. Gunther, Guerrilla Capacity Planning, 2007),
 *
 * <pre>
 * X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))
 * </pre>
 *
 * by least squares, each point weighted by its own interval; when the points lie farther from the curve than their intervals
 * can explain, all errors are widened by as much. Sigma and kappa are not negative.
 *
 * @param lambda requests/s of size 1
 * @param sigma contention: the part of the work that cannot be done in parallel
 * @param kappa coherence: the cost of keeping each pair of parts consistent
 * @param peak size with the largest capacity; absent when coherence cannot be distinguished from 0, or when the peak lies
 *            beyond twice the largest measured size, where nothing is known
 * @param largest size that was measured
 */
record UniversalScalabilityLaw(Parameter lambda, Parameter sigma, Parameter kappa, @Nullable Parameter peak,
        double largest) {

    /** Smallest ratio of the largest size to the smallest one. */
    private static final double SPREAD = 2;

    private static final double REACH = 2;

    private static final int MIN_SIZES = 4;

    private static final int MAX_EVALUATIONS = 2000;

    private static final double Z = 1.959963984540054;

    private static final int SAMPLES = 2000;

    /** A number with its 95 % interval. */
    record Parameter(double value, double low, double high) {}

    /** One run. */
    record Point(double size, Measurement capacity) {}

    /** Fits the law to points; empty when there are too few sizes, when they are too much alike, or when no curve fits. */
    static Optional<UniversalScalabilityLaw> fit(List<Point> points) {
        double[] sizes = points.stream().mapToDouble(Point::size).distinct().sorted().toArray();
        if (sizes.length < MIN_SIZES || sizes[sizes.length - 1] < SPREAD * sizes[0]) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(optimum(points), points.size(), sizes[sizes.length - 1]));
        } catch (MathIllegalStateException | MathIllegalArgumentException noFit) {
            return Optional.empty();
        }
    }

    /** The capacity at a size, in requests/s; empty for sizes beyond twice the largest measured one. */
    Optional<Double> at(double size) {
        return size <= 0 || size > REACH * largest
                ? Optional.empty()
                : Optional.of(law(lambda.value(), sigma.value(), kappa.value(), size));
    }

    static double law(double lambda, double sigma, double kappa, double size) {
        return lambda * size / (1 + sigma * (size - 1) + kappa * size * (size - 1));
    }

    private static Optimum optimum(List<Point> points) {
        double steepest = points.stream().mapToDouble(point -> point.capacity().value() / point.size()).max()
                .orElse(1);
        double[] observed = points.stream().mapToDouble(point -> point.capacity().value()).toArray();
        double[] weights = points.stream().mapToDouble(point -> Math.pow(point.capacity().error(), -2)).toArray();
        return new LevenbergMarquardtOptimizer().optimize(new LeastSquaresBuilder()
                .start(new double[]{steepest, 0.05, 1e-3})
                .target(observed)
                .weight(new DiagonalMatrix(weights))
                .model(parameters -> model(parameters, points))
                .parameterValidator(UniversalScalabilityLaw::possible)
                .maxEvaluations(MAX_EVALUATIONS)
                .maxIterations(MAX_EVALUATIONS)
                .build());
    }

    private static RealVector possible(RealVector parameters) {
        return new ArrayRealVector(new double[]{Math.max(1e-9, parameters.getEntry(0)),
            Math.clamp(parameters.getEntry(1), 0.0, 1.0), Math.max(0, parameters.getEntry(2))}, false);
    }

    private static Pair<RealVector, RealMatrix> model(RealVector parameters, List<Point> points) {
        double lambda = parameters.getEntry(0);
        double sigma = parameters.getEntry(1);
        double kappa = parameters.getEntry(2);
        RealVector values = new ArrayRealVector(points.size());
        RealMatrix derivatives = MatrixUtils.createRealMatrix(points.size(), 3);
        for (int index = 0; index < points.size(); index++) {
            double size = points.get(index).size();
            double divisor = 1 + sigma * (size - 1) + kappa * size * (size - 1);
            double value = lambda * size / divisor;
            values.setEntry(index, value);
            derivatives.setRow(index, new double[]{size / divisor, -value * (size - 1) / divisor,
                -value * size * (size - 1) / divisor});
        }
        return new Pair<>(values, derivatives);
    }

    private static UniversalScalabilityLaw of(Optimum optimum, int count, double largest) {
        double squares = optimum.getResiduals().dotProduct(optimum.getResiduals());
        int freedom = count - 3;
        RealMatrix covariances = optimum.getCovariances(1e-14)
                .scalarMultiply(Math.max(1, freedom == 0 ? 1 : squares / freedom));
        double[] best = optimum.getPoint().toArray();
        Parameter lambda = parameter(best[0], covariances.getEntry(0, 0), Double.POSITIVE_INFINITY);
        Parameter sigma = parameter(best[1], covariances.getEntry(1, 1), 1);
        Parameter kappa = parameter(best[2], covariances.getEntry(2, 2), Double.POSITIVE_INFINITY);
        return new UniversalScalabilityLaw(lambda, sigma, kappa,
                kappa.low() > 0 ? peak(best, covariances, largest) : null, largest);
    }

    private static Parameter parameter(double value, double variance, double most) {
        double half = Z * Math.sqrt(Math.max(0, variance));
        return new Parameter(value, Math.max(0, value - half), Math.min(most, value + half));
    }

    private static double peak(double sigma, double kappa) {
        return kappa <= 0 ? Double.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - sigma) / kappa);
    }

    /** The peak. Its interval comes from random draws around the fit, since the peak is not linear in the parameters. */
    private static @Nullable Parameter peak(double[] best, RealMatrix covariances, double largest) {
        double peak = peak(best[1], best[2]);
        if (peak > REACH * largest || peak < 1) {
            return null;
        }
        Random random = new Random(1);
        double deviation = Math.sqrt(covariances.getEntry(1, 1));
        double slope = deviation == 0 ? 0 : covariances.getEntry(1, 2) / covariances.getEntry(1, 1);
        double rest = Math.sqrt(Math.max(0, covariances.getEntry(2, 2) - slope * covariances.getEntry(1, 2)));
        double[] drawn = new double[SAMPLES];
        for (int index = 0; index < SAMPLES; index++) {
            double sigma = deviation * random.nextGaussian();
            double kappa = best[2] + slope * sigma + rest * random.nextGaussian();
            drawn[index] = peak(Math.max(0, best[1] + sigma), kappa);
        }
        Arrays.sort(drawn);
        return new Parameter(peak, drawn[(int) (0.025 * SAMPLES)], drawn[(int) (0.975 * SAMPLES)]);
    }
}
