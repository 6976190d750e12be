// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.controller.core.series.CapacityBySize.Parameter;
import io.redliner.controller.core.series.CapacityBySize.Point;
import java.util.List;

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

    private static final int PARAMETERS = 2;

    /** Fits the law to points of at least two sizes whose capacities are above 0. */
    static AmdahlFit of(List<Point> points) {
        double weights = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (Point point : points) {
            double capacity = point.capacity().value();
            double weight = Math.pow(point.size() * point.capacity().error() / (capacity * capacity), -2);
            double across = point.size() - 1;
            double up = point.size() / capacity;
            weights += weight;
            x += weight * across;
            y += weight * up;
            xx += weight * across * across;
            xy += weight * across * up;
            yy += weight * up * up;
        }
        double determinant = weights * xx - x * x;
        double start = (xx * y - x * xy) / determinant;
        double slope = (weights * xy - x * y) / determinant;
        double squares = yy - start * y - slope * xy;
        double widened = Math.max(1, points.size() > PARAMETERS ? squares / (points.size() - PARAMETERS) : 1);
        return of(start, slope, widened * xx / determinant, widened * weights / determinant,
                -widened * x / determinant);
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

    /** Returns whether there is a serial part beyond chance. */
    boolean bounded() {
        return Double.isFinite(ceiling.high());
    }

    /** Returns the size from which on twice the size adds less than {@link #WORTH} to the capacity; infinite without a serial part. */
    double enough() {
        return (1 - WORTH) * (1 - sigma.value()) / (2 * WORTH * sigma.value());
    }
}
