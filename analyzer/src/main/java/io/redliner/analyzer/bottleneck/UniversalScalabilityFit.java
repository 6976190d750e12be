// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.sla.MetricUnit;
import io.redliner.sla.scalability.UniversalScalabilityLaw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A fit of the {@link UniversalScalabilityLaw} over the blocks of a run, with N the requests in flight and X the throughput.
 *
 * @param lambda requests/s with one request in flight
 * @param sigma contention: the serial part of the work
 * @param kappa coherence: the cost of each pair of requests to each other
 * @param lambdaError standard error of lambda
 * @param sigmaError standard error of sigma
 * @param kappaError standard error of kappa
 * @param explained explained part of the throughput's variance, at most 1
 * @param maxInFlight the most requests in flight in a block
 */
record UniversalScalabilityFit(double lambda, double sigma, double kappa, double lambdaError, double sigmaError,
        double kappaError, double explained, double maxInFlight) {

    private static final int MIN_POINTS = 5;

    /** Smallest ratio of the highest to the lowest concurrency: with less there is no curve to fit. */
    private static final double SPREAD = 1.5;

    static Optional<UniversalScalabilityFit> fit(PeakIdleComparison comparison) {
        return fit(comparison.pairs(block -> block.sut().inFlight().mean(), block -> block.sut().throughput()));
    }

    /**
     * Fits the law; empty when there are too few points or they are too similar.
     *
     * @param points concurrency and throughput
     */
    static Optional<UniversalScalabilityFit> fit(double[][] points) {
        var usable = Arrays.stream(points).filter(point -> point[0] > 0 && point[1] > 0).toArray(double[][]::new);
        double max = Arrays.stream(usable).mapToDouble(point -> point[0]).max().orElse(0);
        double min = Arrays.stream(usable).mapToDouble(point -> point[0]).min().orElse(0);
        if (usable.length < MIN_POINTS || max < SPREAD * min) {
            return Optional.empty();
        }
        return UniversalScalabilityLaw.fit(Arrays.stream(usable)
                .map(point -> new UniversalScalabilityLaw.Point(point[0], point[1], 1))
                .toArray(UniversalScalabilityLaw.Point[]::new))
                .map(law -> of(law, usable, max)).filter(UniversalScalabilityFit::finite);
    }

    /** Returns true when throughput falls within the observed concurrencies. */
    boolean retrograde() {
        return kappa > 2 * kappaError && peak() < maxInFlight;
    }

    /** Returns the concurrency with the highest throughput; infinite without coherence. */
    double peak() {
        return UniversalScalabilityLaw.peak(sigma, kappa);
    }

    double throughput(double inFlight) {
        return UniversalScalabilityLaw.at(lambda, sigma, kappa, inFlight);
    }

    /** Describes the fit with one standard error; empty when it shows neither contention nor coherence. */
    String describe() {
        if (retrograde()) {
            return "; throughput falls beyond " + NamedValue.format(peak(), MetricUnit.COUNT) + " \u00b1 "
                    + NamedValue.format(peak() * kappaError / kappa / 2, MetricUnit.COUNT)
                    + " requests in flight (Universal Scalability Law)";
        }
        return sigma > 2 * sigmaError
                ? "; throughput levels off towards " + NamedValue.format(lambda / sigma, MetricUnit.COUNT) + " \u00b1 "
                        + NamedValue.format(lambda / sigma * Math.hypot(lambdaError / lambda, sigmaError / sigma),
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

    private static UniversalScalabilityFit of(UniversalScalabilityLaw law, double[][] points, double max) {
        double mean = Arrays.stream(points).mapToDouble(point -> point[1]).average().orElse(0);
        double variance = Arrays.stream(points).mapToDouble(point -> (point[1] - mean) * (point[1] - mean)).sum();
        double scale = Math.sqrt(law.squares() / (points.length - UniversalScalabilityLaw.PARAMETERS));
        return new UniversalScalabilityFit(law.lambda(), law.sigma(), law.kappa(), scale * error(law, 0),
                scale * error(law, 1), scale * error(law, 2), variance > 0 ? 1 - law.squares() / variance : 0, max);
    }

    private static double error(UniversalScalabilityLaw law, int parameter) {
        return Math.sqrt(law.covariances().getEntry(parameter, parameter));
    }
}
