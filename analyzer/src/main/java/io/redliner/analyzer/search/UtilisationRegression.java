// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * A regression of a level that grows with the load, such as the CPU: a line through the logarithms, with a prior that utilisation
 * is proportional to the load (utilisation law). It estimates the load at which the level reaches its limit.
 */
final class UtilisationRegression {

    private static final int MIN_POINTS = 2;

    private static final double NEAR = 0.8;

    private static final double PRIOR_SLOPE = 1;

    private static final double PRIOR_SLOPE_SPREAD = 0.5;

    private static final double MIN_SPREAD = 0.01;

    /** Largest spread of the logarithm of the utilisation around the line that is measurement noise of steps of some seconds. */
    private static final double SMOOTH = 0.15;

    private final double meanX;

    private final double meanY;

    private final double slope;

    private final double slopeVariance;

    private final double meanVariance;

    private final double highest;

    private final double spread;

    private UtilisationRegression(double meanX, double meanY, double slope, double slopeVariance, double meanVariance,
            double highest, double spread) {
        this.spread = spread;
        this.meanX = meanX;
        this.meanY = meanY;
        this.slope = slope;
        this.slopeVariance = slopeVariance;
        this.meanVariance = meanVariance;
        this.highest = highest;
    }

    static Optional<UtilisationRegression> of(List<StepEvidence.LevelPoint> points) {
        var usable = points.stream().filter(point -> point.utilisation() > 0).toList();
        if (usable.size() < MIN_POINTS) {
            return Optional.empty();
        }
        double[] x = usable.stream().mapToDouble(point -> Math.log(point.load())).toArray();
        double[] y = usable.stream().mapToDouble(point -> Math.log(point.utilisation())).toArray();
        double meanX = Arrays.stream(x).average().orElseThrow();
        double meanY = Arrays.stream(y).average().orElseThrow();
        double squares = 0;
        double products = 0;
        for (int i = 0; i < x.length; i++) {
            squares += (x[i] - meanX) * (x[i] - meanX);
            products += (x[i] - meanX) * (y[i] - meanY);
        }
        double spread = MIN_SPREAD;
        double slope = PRIOR_SLOPE;
        double precision = 0;
        for (int round = 0; round < 3; round++) {
            double prior = 1 / (PRIOR_SLOPE_SPREAD * PRIOR_SLOPE_SPREAD);
            precision = squares / (spread * spread) + prior;
            slope = (products / (spread * spread) + PRIOR_SLOPE * prior) / precision;
            double left = 0;
            for (int i = 0; i < x.length; i++) {
                double residual = y[i] - meanY - slope * (x[i] - meanX);
                left += residual * residual;
            }
            spread = Math.max(MIN_SPREAD, Math.sqrt(left / Math.max(1, x.length - 2)));
        }
        return Optional.of(new UtilisationRegression(meanX, meanY, slope, 1 / precision, spread * spread / x.length,
                usable.stream().mapToDouble(StepEvidence.LevelPoint::utilisation).max().orElseThrow(), spread));
    }

    /** Returns true when the level has come so near its limit that the limit may bind. */
    boolean near() {
        return highest > NEAR;
    }

    /** Returns true when the level follows the load closely. */
    boolean smooth() {
        return spread < SMOOTH;
    }

    /** Returns the probability that the limit is reached at or below each load of the grid. */
    double[] cumulative(double[] lnLoad) {
        var cumulative = new double[lnLoad.length];
        for (int i = 0; i < lnLoad.length; i++) {
            double distance = lnLoad[i] - meanX;
            double expected = meanY + slope * distance;
            double deviation = Math.sqrt(meanVariance + slopeVariance * distance * distance);
            double below = 0.5 * Erfc.value(-expected / deviation / Math.sqrt(2));
            cumulative[i] = Math.max(i > 0 ? cumulative[i - 1] : 0, below);
        }
        return cumulative;
    }
}
