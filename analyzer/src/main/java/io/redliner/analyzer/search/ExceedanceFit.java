// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.ExceedanceCurve.FittedPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.numbers.gamma.InverseErf;

/**
 * The exceedances of a lasting load by {@link KneeSettings}' model of a knee. Capacities are drawn from the estimate, so that the
 * median curve reaches the allowed ratio at the estimated capacity, and the ends of its interval reach it at those of the estimate.
 * Steepness and floor of each capacity have the posterior that they would have if it were the true one.
 */
final class ExceedanceFit {

    /** Capacities of equal probability. Their number is odd, so that the middle one is the estimate. */
    private static final int CAPACITIES = 63;

    /** Standard deviations from the middle of a normal distribution to the end of its 95 % interval. */
    private static final double TO_END = 1.96;

    /** Weight of a curve that is left out, relative to that of a capacity. */
    private static final double NEGLIGIBLE = 1e-4;

    private static final double LOWER = 0.025;

    private static final double MEDIAN = 0.5;

    private static final double UPPER = 0.975;

    /** One curve that the results of a search allow for. */
    private record Curve(double lnCapacity, KneeSettings.Slope slope, double floor, double weight) {

        double ratio(double lnLoad, double allowed) {
            double rise = Math.exp(Math.min(slope.steepness() * (lnLoad - lnCapacity), KneeLikelihood.MAX_LN_RISE));
            return Math.min(1, allowed * (floor + (1 - floor) * rise));
        }
    }

    private record Weighted(double ratio, double weight) {}

    private final List<Curve> curves = new ArrayList<>();

    private final AllowedRatio allowedRatio;

    private final double total;

    /**
     * Fits a limit.
     *
     * @param lattice logarithms of capacities, ascending
     * @param shapes weights of each steepness and floor for each of these capacities
     * @param estimate with a finite interval
     */
    ExceedanceFit(double[] lattice, double[][] shapes, CapacityEstimate estimate, AllowedRatio allowedRatio,
            KneeSettings.Grid grid) {
        this.allowedRatio = allowedRatio;
        int floors = grid.floors().size();
        for (int i = 0; i < CAPACITIES; i++) {
            double lnCapacity = lnCapacity(estimate, (i + 0.5) / CAPACITIES);
            double[] shape = shapes[Math.clamp(Math.round((lnCapacity - lattice[0]) / grid.step()), 0,
                    lattice.length - 1)];
            for (int j = 0; j < shape.length; j++) {
                if (shape[j] > NEGLIGIBLE) {
                    curves.add(new Curve(lnCapacity, grid.slopes().get(j / floors), grid.floors().get(j % floors),
                            shape[j]));
                }
            }
        }
        this.total = curves.stream().mapToDouble(Curve::weight).sum();
    }

    /** Returns a quantile of ln capacity: two halves of normal distributions with the ends of the estimate's interval. */
    private static double lnCapacity(CapacityEstimate estimate, double part) {
        double deviations = Math.sqrt(2) * InverseErf.value(2 * part - 1);
        double end = deviations < 0 ? estimate.low() : estimate.high();
        double toEnd = Math.abs(Math.log(Math.max(end, Double.MIN_NORMAL) / estimate.capacity()));
        return Math.log(estimate.capacity()) + deviations * toEnd / TO_END;
    }

    FittedPoint at(double load) {
        var ratios = curves.stream()
                .map(curve -> new Weighted(curve.ratio(Math.log(load), allowedRatio.ratio()), curve.weight()))
                .sorted(Comparator.comparingDouble(Weighted::ratio)).toList();
        return new FittedPoint(load, quantile(ratios, MEDIAN), quantile(ratios, LOWER), quantile(ratios, UPPER));
    }

    private double quantile(List<Weighted> ratios, double part) {
        double sum = 0;
        for (var each : ratios) {
            sum += each.weight();
            if (sum >= part * total) {
                return each.ratio();
            }
        }
        return ratios.getLast().ratio();
    }

    /** Returns the part of the exceedances at the capacity that the steps of a search show. */
    double shownPart() {
        return allowedRatio.latency()
                ? Math.min(1, curves.stream()
                        .mapToDouble(curve -> curve.weight()
                                * (curve.floor() + (1 - curve.floor()) * curve.slope().seen()))
                        .sum() / total)
                : 1;
    }
}
