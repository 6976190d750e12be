// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.series.CapacityBySize.Parameter;
import io.redliner.controller.core.series.CapacityBySize.Point;
import java.util.List;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * The capacity as a function of the size by Amdahl's law, {@code X(N) = lambda N / (1 + sigma (N - 1))}: the Universal Scalability Law
 * without coherence. {@code N / X} is a straight line of {@code N - 1}, which is fitted by weighted least squares; each point is
 * weighted by its own interval. When the points lie farther from the line than their intervals can explain, all errors are widened by
 * as much.
 *
 * @param sigma the serial part of the work, 0 to 1
 * @param ceiling requests/s that no size takes more than, lambda / sigma; its upper end is infinite when no serial part can be seen
 */
record AmdahlFit(Parameter sigma, Parameter ceiling) {

    /** The part of the capacity that twice the size has to add to be worth it. */
    static final double WORTH = 0.1;

    private static final double Z = 1.959963984540054;

    /** Fits the law to at least three points of at least two sizes, whose capacities are above 0. */
    static AmdahlFit of(List<Point> points) {
        double[][] across = new double[points.size()][];
        double[] up = new double[points.size()];
        for (int index = 0; index < up.length; index++) {
            Point point = points.get(index);
            double capacity = point.capacity().value();
            // The root of the weight: one over the standard error of N / X.
            double root = capacity * capacity / (point.size() * point.capacity().error());
            across[index] = new double[]{root, root * (point.size() - 1)};
            up[index] = root * point.size() / capacity;
        }
        var line = new OLSMultipleLinearRegression();
        line.setNoIntercept(true);
        line.newSampleData(up, across);
        double[] best = line.estimateRegressionParameters();
        double[][] covariances = line.estimateRegressionParametersVariance();
        double widened = Math.max(1, line.calculateResidualSumOfSquares() / (up.length - best.length));
        return of(best[0], best[1], widened * covariances[0][0], widened * covariances[1][1],
                widened * covariances[0][1]);
    }

    /** Returns the law of a line; the variance of a quotient is that of its first derivatives. */
    private static AmdahlFit of(double start, double slope, double startVariance, double slopeVariance,
            double covariance) {
        double part = slope / start;
        double half = Z / start
                * Math.sqrt(Math.max(0, slopeVariance + part * part * startVariance - 2 * part * covariance));
        double slopeHalf = Z * Math.sqrt(slopeVariance);
        return new AmdahlFit(new Parameter(Math.clamp(part, 0, 1), Math.clamp(part - half, 0, 1),
                Math.clamp(part + half, 0, 1)),
                new Parameter(most(slope), most(slope + slopeHalf), most(slope - slopeHalf)));
    }

    private static double most(double slope) {
        return slope > 0 ? 1 / slope : Double.POSITIVE_INFINITY;
    }

    /** Returns whether there is a serial part beyond chance, and with it a ceiling. */
    boolean bounded() {
        return sigma.low() > 0 && Double.isFinite(ceiling.high());
    }

    /** Returns the size from which on twice the size adds less than {@link #WORTH} to the capacity; infinite without a serial part. */
    double enough() {
        return (1 - WORTH) * (1 - sigma.value()) / (2 * WORTH * sigma.value());
    }
}
