// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Set;

/**
 * Estimates the capacity of a server whose throughput falls beyond the knee. Such a server collapses, sooner at higher loads. Its
 * capacity is the load at which collapses break, over a horizon of sustained load, as many requests as the SLA allows:
 * hazard h(load) = h* (load / capacity)^steepness with h* = 2 allowed / horizon.
 */
final class CollapseHazard {

    private static final double[] STEEPNESS = {30, 45, 65, 95};

    private static final double MEDIAN = 60;

    private static final double SPREAD = 0.35;

    private static final double HORIZON_SECONDS = 300;

    private CollapseHazard() {}

    /**
     * Returns the cumulative distribution of the capacity over a grid of its logarithm.
     *
     * @param broken limits that collapses broke: the strictest of them is used, or of all limits when this is empty
     */
    static double[] cumulative(double[] lnCapacity, List<StepEvidence.Exposure> exposures, BaselineProfile base,
            Set<String> broken) {
        double allowed = base.allowed().entrySet().stream()
                .filter(limit -> broken.isEmpty() || broken.contains(limit.getKey()))
                .mapToDouble(limit -> limit.getValue().ratio()).min().orElse(0.01);
        double lnHazard = Math.log(2 * allowed / HORIZON_SECONDS);
        var logarithms = new double[lnCapacity.length][STEEPNESS.length];
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < lnCapacity.length; i++) {
            for (int j = 0; j < STEEPNESS.length; j++) {
                double z = Math.log(STEEPNESS[j] / MEDIAN) / SPREAD;
                double sum = -0.5 * z * z;
                for (var exposure : exposures) {
                    double ln = lnHazard + STEEPNESS[j] * (Math.log(exposure.load()) - lnCapacity[i]);
                    sum += (exposure.alarmed() ? Math.min(ln, 0) : 0)
                            - Math.exp(Math.min(ln, 3)) * exposure.seconds();
                }
                logarithms[i][j] = sum;
                largest = Math.max(largest, sum);
            }
        }
        var weights = new double[lnCapacity.length];
        for (int i = 0; i < weights.length; i++) {
            for (double logarithm : logarithms[i]) {
                weights[i] += Math.exp(logarithm - largest);
            }
        }
        return PosteriorEstimator.cumulative(weights);
    }
}
