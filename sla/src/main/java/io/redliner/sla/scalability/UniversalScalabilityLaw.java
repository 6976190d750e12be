// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla.scalability;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.DiagonalMatrix;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;

/**
 * The Universal Scalability Law (N. J. Gunther, Guerrilla Capacity Planning, 2007),
 * {@code X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))}, fitted by weighted least squares. Sigma and kappa are not
 * negative.
 *
 * @param lambda X(1)
 * @param sigma contention: the serial part of the work
 * @param kappa coherence: the cost of keeping each pair of N consistent
 * @param covariances covariance matrix of lambda, sigma and kappa, in this order, from the weights of the points
 * @param squares weighted sum of the squared residuals
 */
public record UniversalScalabilityLaw(double lambda, double sigma, double kappa, RealMatrix covariances,
        double squares) {

    /** The number of parameters: with so many points the curve passes through all of them. */
    public static final int PARAMETERS = 3;

    private static final int MAX_EVALUATIONS = 2000;

    private static final double SINGULAR = 1e-14;

    /** A point of the curve; its weight is one over the square of its standard error. */
    public record Point(double n, double x, double weight) {}

    /** Fits the law to points; empty when no curve fits. */
    public static Optional<UniversalScalabilityLaw> fit(Point... points) {
        double steepest = Arrays.stream(points).mapToDouble(point -> point.x() / point.n()).max().orElse(1);
        try {
            var optimum = new LevenbergMarquardtOptimizer().optimize(new LeastSquaresBuilder()
                    .start(new double[]{steepest, 0.05, 1e-4})
                    .target(Arrays.stream(points).mapToDouble(Point::x).toArray())
                    .weight(new DiagonalMatrix(Arrays.stream(points).mapToDouble(Point::weight).toArray()))
                    .model(parameters -> model(parameters, points))
                    .parameterValidator(UniversalScalabilityLaw::possible)
                    .maxEvaluations(MAX_EVALUATIONS)
                    .maxIterations(MAX_EVALUATIONS)
                    .build());
            RealVector best = optimum.getPoint();
            return Optional.of(new UniversalScalabilityLaw(best.getEntry(0), best.getEntry(1), best.getEntry(2),
                    optimum.getCovariances(SINGULAR), optimum.getResiduals().dotProduct(optimum.getResiduals())));
        } catch (MathIllegalStateException | MathIllegalArgumentException noFit) {
            return Optional.empty();
        }
    }

    /** X(N) by the law. */
    public static double at(double lambda, double sigma, double kappa, double n) {
        return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    }

    /** Returns the N with the highest X; infinite without coherence. */
    public static double peak(double sigma, double kappa) {
        return kappa <= 0 ? Double.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - sigma) / kappa);
    }

    private static RealVector possible(RealVector parameters) {
        return new ArrayRealVector(new double[]{Math.max(0, parameters.getEntry(0)),
            Math.clamp(parameters.getEntry(1), 0.0, 1.0), Math.max(0, parameters.getEntry(2))}, false);
    }

    private static Pair<RealVector, RealMatrix> model(RealVector parameters, Point... points) {
        double sigma = parameters.getEntry(1);
        double kappa = parameters.getEntry(2);
        RealVector values = new ArrayRealVector(points.length);
        RealMatrix derivatives = MatrixUtils.createRealMatrix(points.length, PARAMETERS);
        for (int index = 0; index < points.length; index++) {
            double n = points[index].n();
            double divisor = 1 + sigma * (n - 1) + kappa * n * (n - 1);
            double value = parameters.getEntry(0) * n / divisor;
            values.setEntry(index, value);
            derivatives.setRow(index, new double[]{n / divisor, -value * (n - 1) / divisor,
                -value * n * (n - 1) / divisor});
        }
        return new Pair<>(values, derivatives);
    }
}
