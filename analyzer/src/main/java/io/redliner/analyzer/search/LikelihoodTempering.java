// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Arrays;
import java.util.List;

/**
 * Computes the exponent of the likelihood. Consecutive steps are correlated, and a likelihood that takes them as independent is too
 * narrow. The correlation is estimated from the residuals of ln latency over ln load.
 */
final class LikelihoodTempering {

    private static final int MIN_POINTS = 5;

    private static final double PRIOR_DWELLS = 6;

    private static final double MAX_CORRELATION = 0.7;

    private static final double MIN_EXPONENT = 0.2;

    private static final double EXPECTED = 0.67;

    private static final double WINSORISED = 2.5;

    private LikelihoodTempering() {}

    /** Returns the exponent of the likelihood. */
    static double of(List<StepEvidence.LatencyPoint> points, SearchSettings settings) {
        if (points.size() < MIN_POINTS) {
            return settings.likelihood().tempering();
        }
        double[] left = residuals(points);
        double deviation = Math.sqrt(Arrays.stream(left).map(z -> z * z).average().orElse(0) + 1e-12);
        double product = settings.likelihood().correlation() * PRIOR_DWELLS;
        double square = PRIOR_DWELLS;
        for (int i = 0; i < left.length; i++) {
            left[i] = Math.clamp(left[i] / deviation, -WINSORISED, WINSORISED);
            square += left[i] * left[i];
            product += i > 0 ? left[i] * left[i - 1] : 0;
        }
        double correlation = Math.clamp(product / square, 0, MAX_CORRELATION);
        return Math.max(MIN_EXPONENT, (1 - correlation) / (1 + correlation)) * settings.likelihood().tempering()
                / EXPECTED;
    }

    /** Returns the residuals of the least-squares line of ln latency over ln load. */
    private static double[] residuals(List<StepEvidence.LatencyPoint> points) {
        double meanX = points.stream().mapToDouble(point -> Math.log(point.load())).average().orElseThrow();
        double meanY = points.stream().mapToDouble(point -> Math.log(point.latency())).average().orElseThrow();
        double covariance = 0;
        double variance = 1e-12;
        for (var point : points) {
            double x = Math.log(point.load()) - meanX;
            covariance += x * (Math.log(point.latency()) - meanY);
            variance += x * x;
        }
        double slope = covariance / variance;
        return points.stream().mapToDouble(point -> Math.log(point.latency()) - meanY
                - slope * (Math.log(point.load()) - meanX)).toArray();
    }
}
