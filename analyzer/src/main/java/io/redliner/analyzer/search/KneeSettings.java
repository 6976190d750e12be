// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * The model of a knee: p(load) = allowed (floor + (1 - floor) exp(steepness (ln load - ln capacity))), with counts that
 * are clumped (negative binomial).
 *
 * @param loads points of the grid over ln capacity, at least 3
 * @param steepnessMedian of the log-normal prior of the steepness
 * @param steepnessSpread standard deviation of its logarithm
 * @param nearness scale of the Laplace prior of ln(capacity / highest load tried)
 * @param outlier probability that a dwell says nothing about its load
 * @param winsorised exceedances of a dwell above so many times the allowance are counted as so many
 * @param saturationSpread relative error of the capacity that the throughput in saturation predicts
 */
public record KneeSettings(int loads, double steepnessMedian, double steepnessSpread, double nearness, double outlier,
        double winsorised, double saturationSpread) {

    /** What is used when nothing else is said. */
    public static final KneeSettings DEFAULT = new KneeSettings(121, Tune.of("eta", 35), Tune.of("etasd", 0.9),
            Tune.of("lap", 0.2), Tune.of("eps", 3e-5), Tune.of("wins", 10), Tune.of("sat", 0.05));

    public KneeSettings {
        if (loads < 3 || !(steepnessMedian > 0) || !(steepnessSpread > 0) || !(nearness > 0) || !(outlier > 0)
                || !(winsorised > 0) || !(saturationSpread > 0)) {
            throw new IllegalArgumentException("a knee needs a grid and positive spreads");
        }
    }
}
