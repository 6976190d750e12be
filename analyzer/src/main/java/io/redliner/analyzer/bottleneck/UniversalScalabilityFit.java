// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import io.redliner.sla.MetricUnit;
import io.redliner.sla.scalability.UniversalScalabilityLaw;
import java.util.ArrayList;
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
 * @param retrograde true when throughput fell at the highest concurrencies, although as many requests arrived as before
 */
record UniversalScalabilityFit(double lambda, double sigma, double kappa, double lambdaError, double sigmaError,
        double kappaError, double explained, boolean retrograde) {

    private static final int MIN_POINTS = 5;

    /** Smallest ratio of the highest to the lowest concurrency: with less there is no curve to fit. */
    private static final double SPREAD = 1.5;

    /**
     * The mean of a block.
     *
     * @param inFlight requests
     * @param throughput requests ended per second
     * @param arrived requests sent per second
     */
    record Point(double inFlight, double throughput, double arrived) {

        private boolean usable() {
            return inFlight > 0 && throughput > 0 && Double.isFinite(inFlight + throughput);
        }
    }

    static Optional<UniversalScalabilityFit> fit(PeakIdleComparison comparison) {
        return fit(PeakIdleComparison.usableBlocks(comparison.statistics())
                .map(block -> new Point(block.sut().inFlight().mean(),
                        block.sut().throughput(), block.sut().requestsPerSecond()))
                .toList());
    }

    /** Fits the law; empty when there are too few points or they are too similar. */
    static Optional<UniversalScalabilityFit> fit(List<Point> points) {
        var usable = points.stream().filter(Point::usable).toList();
        double max = usable.stream().mapToDouble(Point::inFlight).max().orElse(0);
        double min = usable.stream().mapToDouble(Point::inFlight).min().orElse(0);
        if (usable.size() < MIN_POINTS || max < SPREAD * min) {
            return Optional.empty();
        }
        return UniversalScalabilityLaw.fit(usable.stream()
                .map(point -> new UniversalScalabilityLaw.Point(point.inFlight(), point.throughput(), 1))
                .toArray(UniversalScalabilityLaw.Point[]::new))
                .map(law -> of(law, usable)).filter(UniversalScalabilityFit::finite);
    }

    /** Returns the concurrency with the highest throughput; infinite without coherence. */
    double peak() {
        return UniversalScalabilityLaw.peak(sigma, kappa);
    }

    /** Describes the fit with one standard error; empty when it shows neither contention nor coherence. */
    String describe() {
        if (retrograde) {
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
        if (retrograde) {
            figures.add(new NamedValue("usl.peak", peak(), MetricUnit.COUNT));
        }
        return figures;
    }

    private boolean finite() {
        return lambda > 0 && Double.isFinite(lambda + lambdaError + sigmaError + kappaError + explained);
    }

    private static UniversalScalabilityFit of(UniversalScalabilityLaw law, List<Point> points) {
        double mean = points.stream().mapToDouble(Point::throughput).average().orElse(0);
        double variance = points.stream().mapToDouble(point -> Math.pow(point.throughput() - mean, 2)).sum();
        double scale = Math.sqrt(law.squares() / (points.size() - UniversalScalabilityLaw.PARAMETERS));
        double kappaError = scale * error(law, 2);
        return new UniversalScalabilityFit(law.lambda(), law.sigma(), law.kappa(), scale * error(law, 0),
                scale * error(law, 1), kappaError, variance > 0 ? 1 - law.squares() / variance : 0,
                law.kappa() > 2 * kappaError
                        && fell(points, UniversalScalabilityLaw.peak(law.sigma(), law.kappa()), scale));
    }

    /**
     * Returns true when throughput was lower beyond the peak than up to it, by more than two standard errors. Blocks to which fewer
     * requests arrived do not count: their throughput is lower for this reason.
     *
     * @param scale standard deviation of the throughput about the law
     */
    private static boolean fell(List<Point> points, double peak, double scale) {
        var upTo = points.stream().filter(point -> point.inFlight() <= peak && point.inFlight() >= peak / 2)
                .mapToDouble(Point::throughput).summaryStatistics();
        var beyond = points.stream().filter(point -> point.inFlight() > peak && point.arrived() >= upTo.getAverage())
                .mapToDouble(Point::throughput).summaryStatistics();
        return upTo.getCount() > 0 && beyond.getCount() > 0 && upTo.getAverage() - beyond.getAverage() > 2 * scale
                * Math.sqrt(1.0 / upTo.getCount() + 1.0 / beyond.getCount());
    }

    private static double error(UniversalScalabilityLaw law, int parameter) {
        return Math.sqrt(law.covariances().getEntry(parameter, parameter));
    }
}
