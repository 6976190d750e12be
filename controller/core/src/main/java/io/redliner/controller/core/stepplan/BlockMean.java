// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

import java.util.List;
import java.util.Optional;

/**
 * The mean of a series of values that hang together, with its standard error by the means of its blocks (the method of batch
 * means: G. S. Fishman, Grouping Observations in Digital Simulation, Management Science 24 (1978), p. 510-521): blocks are
 * taken together until their means no longer hang together, and what is left of the correlation widens the error.
 *
 * @param error standard error of the mean
 */
record BlockMean(double mean, double error) {

    private static final int FEWEST = 8;

    static Optional<BlockMean> of(Blocks blocks) {
        List<Double> means = blocks.means();
        if (means.size() < FEWEST) {
            return Optional.empty();
        }
        while (means.size() >= 2 * FEWEST && Correlation.lagOne(values(means)) > Correlation.LITTLE) {
            means = Blocks.halved(means);
        }
        double[] values = values(means);
        double mean = Correlation.mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        double variance = squares / (values.length - 1);
        return Optional.of(new BlockMean(mean, Math.sqrt(
                variance / values.length * Correlation.inflation(Correlation.lagOne(values), values.length))));
    }

    private static double[] values(List<Double> means) {
        return means.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
