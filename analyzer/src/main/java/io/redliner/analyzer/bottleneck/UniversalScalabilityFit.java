// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.sla.MetricUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer.Optimum;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;

/**
 * A fit of the Universal Scalability Law (Gunther, Guerrilla Capacity Planning, 2007):
 * {@code X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))}, with N the requests in flight and X the throughput. It is made
 * by least squares over the blocks. Sigma and kappa are not negative.
 *
 * @param lambda requests/s with one request in flight
 * @param sigma contention: the serial part of the work
 * @param kappa coherence: the cost of each pair of requests to each other
 * @param lambdaError standard error of lambda
 * @param sigmaError standard error of sigma
 * @param kappaError standard error of kappa
 * @param explained explained part of the throughput's variance, at most 1
 * @param mostInFlight the most requests in flight in a block
 */
record UniversalScalabilityFit(double lambda, double sigma, double kappa, double lambdaError, double sigmaError,
        double kappaError, double explained, double mostInFlight) {

    private static final int MIN_POINTS = 5;

    /** Smallest ratio of the highest to the lowest concurrency: with less there is no curve to fit. */
    private static final double SPREAD = 1.5;

    private static final int MAX_EVALUATIONS = 500;

    static Optional<UniversalScalabilityFit> fit(PeakIdleComparison comparison) {
        return fit(comparison.pairs(block -> block.sut().meanInFlight(), block -> block.sut().throughput()));
    }

    /**
     * Fits the law; empty when there are too few points or they are too similar.
     *
     * @param points concurrency and throughput
     */
    static Optional<UniversalScalabilityFit> fit(double[][] points) {
        var usable = Arrays.stream(points).filter(point -> point[0] > 0 && point[1] > 0).toArray(double[][]::new);
        double most = Arrays.stream(usable).mapToDouble(point -> point[0]).max().orElse(0);
        double least = Arrays.stream(usable).mapToDouble(point -> point[0]).min().orElse(0);
        if (usable.length < MIN_POINTS || most < SPREAD * least) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(optimum(usable), usable, most)).filter(UniversalScalabilityFit::finite);
        } catch (MathIllegalStateException | MathIllegalArgumentException noFit) {
            return Optional.empty();
        }
    }

    /** Returns true when throughput falls within the observed concurrencies. */
    boolean retrograde() {
        return kappa > 2 * kappaError && peak() < mostInFlight;
    }

    /** Returns the concurrency with the highest throughput; infinite without coherence. */
    double peak() {
        return kappa <= 0 ? Double.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - sigma) / kappa);
    }

    double throughput(double inFlight) {
        return lambda * inFlight / (1 + sigma * (inFlight - 1) + kappa * inFlight * (inFlight - 1));
    }

    /** Describes the fit with one standard error; empty when it shows neither contention nor coherence. */
    String words() {
        if (retrograde()) {
            return "; throughput falls beyond " + NamedValue.words(peak(), MetricUnit.COUNT) + " \u00b1 "
                    + NamedValue.words(peak() * kappaError / kappa / 2, MetricUnit.COUNT)
                    + " requests in flight (Universal Scalability Law)";
        }
        return sigma > 2 * sigmaError
                ? "; throughput levels off towards " + NamedValue.words(lambda / sigma, MetricUnit.COUNT) + " \u00b1 "
                        + NamedValue.words(lambda / sigma * Math.hypot(lambdaError / lambda, sigmaError / sigma),
                                MetricUnit.REQUESTS_PER_SECOND)
                        + " (Universal Scalability Law)"
                : "";
    }

    List<NamedValue> figures() {
        var figures = new ArrayList<>(List.of(new NamedValue("usl.lambda", lambda, MetricUnit.REQUESTS_PER_SECOND),
                new NamedValue("usl.lambda.error", lambdaError, MetricUnit.REQUESTS_PER_SECOND),
                new NamedValue("usl.sigma", sigma, MetricUnit.RATIO),
                new NamedValue("usl.sigma.error", sigmaError, MetricUnit.RATIO),
                new NamedValue("usl.kappa", kappa, MetricUnit.RATIO),
                new NamedValue("usl.kappa.error", kappaError, MetricUnit.RATIO),
                new NamedValue("usl.explained", explained, MetricUnit.RATIO)));
        if (Double.isFinite(peak())) {
            figures.add(new NamedValue("usl.peak", peak(), MetricUnit.COUNT));
        }
        return figures;
    }

    private boolean finite() {
        return lambda > 0 && Double.isFinite(lambda + lambdaError + sigmaError + kappaError + explained);
    }

    private static Optimum optimum(double[][] points) {
        double steepest = Arrays.stream(points).mapToDouble(point -> point[1] / point[0]).max().orElse(1);
        double[] observed = Arrays.stream(points).mapToDouble(point -> point[1]).toArray();
        return new LevenbergMarquardtOptimizer().optimize(new LeastSquaresBuilder()
                .start(new double[]{steepest, 0.05, 1e-4}).target(observed)
                .model(parameters -> model(parameters, points)).parameterValidator(UniversalScalabilityFit::possible)
                .maxEvaluations(MAX_EVALUATIONS).maxIterations(MAX_EVALUATIONS).build());
    }

    private static RealVector possible(RealVector parameters) {
        return new ArrayRealVector(new double[]{Math.max(0, parameters.getEntry(0)),
            Math.clamp(parameters.getEntry(1), 0, 1), Math.max(0, parameters.getEntry(2))}, false);
    }

    private static Pair<RealVector, RealMatrix> model(RealVector parameters, double[][] points) {
        double lambda = parameters.getEntry(0);
        double sigma = parameters.getEntry(1);
        double kappa = parameters.getEntry(2);
        var values = new ArrayRealVector(points.length);
        var derivatives = MatrixUtils.createRealMatrix(points.length, 3);
        for (int i = 0; i < points.length; i++) {
            double n = points[i][0];
            double divisor = 1 + sigma * (n - 1) + kappa * n * (n - 1);
            double value = lambda * n / divisor;
            values.setEntry(i, value);
            derivatives.setRow(i, new double[]{n / divisor, -value * (n - 1) / divisor,
                -value * n * (n - 1) / divisor});
        }
        return new Pair<>(values, derivatives);
    }

    private static UniversalScalabilityFit of(Optimum optimum, double[][] points, double most) {
        double squares = optimum.getResiduals().dotProduct(optimum.getResiduals());
        double mean = Arrays.stream(points).mapToDouble(point -> point[1]).average().orElse(0);
        double variance = Arrays.stream(points).mapToDouble(point -> (point[1] - mean) * (point[1] - mean)).sum();
        double scale = Math.sqrt(squares / (points.length - 3));
        var errors = optimum.getSigma(1e-14).mapMultiply(scale);
        var point = optimum.getPoint();
        return new UniversalScalabilityFit(point.getEntry(0), point.getEntry(1), point.getEntry(2), errors.getEntry(0),
                errors.getEntry(1), errors.getEntry(2), variance > 0 ? 1 - squares / variance : 0, most);
    }
}
