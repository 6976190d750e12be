// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.sla.scalability.UniversalScalabilityLaw;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.commons.math3.linear.RealMatrix;
import org.jspecify.annotations.Nullable;

/**
 * The capacity as a function of the size, by the {@link UniversalScalabilityLaw}. Each point is weighted by its own interval. When
 * the points lie farther from the curve than their intervals can explain, all errors are widened by as much.
 *
 * @param lambda requests/s of size 1
 * @param sigma contention: the part of the work that cannot be done in parallel
 * @param kappa coherence: the cost of keeping each pair of parts consistent
 * @param peak size with the largest capacity; absent when coherence cannot be distinguished from 0, or when the peak lies
 *            beyond twice the largest measured size, where nothing is known
 * @param amdahl the fit of the law without coherence
 * @param largest size that was measured
 */
record CapacityBySize(Parameter lambda, Parameter sigma, Parameter kappa, @Nullable Parameter peak, AmdahlFit amdahl,
        double largest) {

    /** Smallest ratio of the largest size to the smallest one. */
    private static final double SPREAD = 2;

    private static final double REACH = 2;

    private static final int MIN_SIZES = 4;

    private static final double Z = 1.959963984540054;

    private static final int SAMPLES = 2000;

    /** A number with its 95 % interval. */
    record Parameter(double value, double low, double high) {}

    /** One run. */
    record Point(double size, Measurement capacity) {}

    /** Fits the law to points; empty when there are too few sizes, when they are too much alike, or when no curve fits. */
    static Optional<CapacityBySize> fit(List<Point> points) {
        double[] sizes = points.stream().mapToDouble(Point::size).distinct().sorted().toArray();
        if (sizes.length < MIN_SIZES || sizes[sizes.length - 1] < SPREAD * sizes[0]) {
            return Optional.empty();
        }
        return UniversalScalabilityLaw.fit(points.stream()
                .map(point -> new UniversalScalabilityLaw.Point(point.size(), point.capacity().value(),
                        Math.pow(point.capacity().error(), -2)))
                .toArray(UniversalScalabilityLaw.Point[]::new))
                .map(law -> of(law, points, sizes[sizes.length - 1]));
    }

    /** Returns the capacity at a size, in requests/s; empty for sizes beyond twice the largest measured one. */
    Optional<Double> at(double size) {
        return size <= 0 || isFar(size)
                ? Optional.empty()
                : Optional.of(UniversalScalabilityLaw.at(lambda.value(), sigma.value(), kappa.value(), size));
    }

    /** Returns whether the size is so far from what was measured that nothing is known there. */
    boolean isFar(double size) {
        return size > REACH * largest;
    }

    private static CapacityBySize of(UniversalScalabilityLaw law, List<Point> points, double largest) {
        int freedom = points.size() - UniversalScalabilityLaw.PARAMETERS;
        RealMatrix covariances = law.covariances()
                .scalarMultiply(Math.max(1, freedom == 0 ? 1 : law.squares() / freedom));
        Parameter lambda = parameter(law.lambda(), covariances.getEntry(0, 0), Double.POSITIVE_INFINITY);
        Parameter sigma = parameter(law.sigma(), covariances.getEntry(1, 1), 1);
        Parameter kappa = parameter(law.kappa(), covariances.getEntry(2, 2), Double.POSITIVE_INFINITY);
        return new CapacityBySize(lambda, sigma, kappa, kappa.low() > 0 ? peak(law, covariances, largest) : null,
                AmdahlFit.of(points), largest);
    }

    private static Parameter parameter(double value, double variance, double max) {
        double half = Z * Math.sqrt(Math.max(0, variance));
        return new Parameter(value, Math.max(0, value - half), Math.min(max, value + half));
    }

    /**
     * Returns the peak. Its interval is computed from random draws around the fit, because the peak is not linear in the
     * parameters.
     */
    private static @Nullable Parameter peak(UniversalScalabilityLaw law, RealMatrix covariances, double largest) {
        double peak = UniversalScalabilityLaw.peak(law.sigma(), law.kappa());
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
            double kappa = law.kappa() + slope * sigma + rest * random.nextGaussian();
            drawn[index] = UniversalScalabilityLaw.peak(Math.max(0, law.sigma() + sigma), kappa);
        }
        Arrays.sort(drawn);
        return new Parameter(peak, drawn[(int) (0.025 * SAMPLES)], drawn[(int) (0.975 * SAMPLES)]);
    }
}
