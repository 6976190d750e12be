// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import java.util.List;
import java.util.Optional;

/**
 * The mean of a series of correlated values, with its standard error by the means of its blocks (the method of batch means:
 * G. S. Fishman, Grouping Observations in Digital Simulation, Management Science 24 (1978), p. 510-521): blocks are joined
 * until their means are hardly correlated, and the remaining correlation widens the error.
 *
 * @param error standard error of the mean
 */
record BatchMeanEstimate(double mean, double error) {

    private static final int MIN_MEANS = 8;

    static Optional<BatchMeanEstimate> of(BatchMeans blocks) {
        List<Double> means = blocks.means();
        if (means.size() < MIN_MEANS) {
            return Optional.empty();
        }
        while (means.size() >= 2 * MIN_MEANS
                && Autocorrelation.lagOne(values(means)) > Autocorrelation.MAX_CORRELATION) {
            means = BatchMeans.halved(means);
        }
        double[] values = values(means);
        double mean = Autocorrelation.mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        double variance = squares / (values.length - 1);
        return Optional.of(new BatchMeanEstimate(mean, Math.sqrt(
                variance / values.length * Autocorrelation.inflation(Autocorrelation.lagOne(values), values.length))));
    }

    private static double[] values(List<Double> means) {
        return means.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
