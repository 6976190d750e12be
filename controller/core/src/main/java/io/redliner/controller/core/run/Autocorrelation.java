// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.Arrays;

/** The autocorrelation of a series, and the factor by which it widens the variance. */
final class Autocorrelation {

    /** Largest correlation that {@link #inflation} corrects well enough; a larger one needs larger blocks. */
    static final double MAX_CORRELATION = 0.25;

    private Autocorrelation() {}

    static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /**
     * Correlation of each value with the next, without the bias towards -1/n of short series (M. G. Kendall, Note on Bias
     * in the Estimation of Autocorrelation, Biometrika 41 (1954), p. 403-404); 0 for a constant.
     */
    static double lagOne(double[] values) {
        double mean = mean(values);
        double squares = 0;
        double products = 0;
        for (int index = 0; index < values.length; index++) {
            squares += (values[index] - mean) * (values[index] - mean);
            products += index == 0 ? 0 : (values[index] - mean) * (values[index - 1] - mean);
        }
        if (squares <= 0 || values.length < 4) {
            return 0;
        }
        double estimated = products / squares;
        return Math.min(0.95, (values.length * estimated + 1) / (values.length - 4));
    }

    /**
     * Returns the factor by which the variance of a sum is larger than that of independent values, when the correlation falls off
     * geometrically; at least 1.
     */
    static double inflation(double lagOne, int count) {
        double inflation = 1;
        double power = 1;
        for (int lag = 1; lag < count; lag++) {
            power *= Math.max(0, lagOne);
            inflation += 2 * (1 - (double) lag / count) * power;
        }
        return inflation;
    }
}
