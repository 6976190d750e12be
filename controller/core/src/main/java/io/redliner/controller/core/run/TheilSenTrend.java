// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The growth of a series, and its significance. The test is that of H. B. Mann, Nonparametric Tests Against Trend,
 * Econometrica 13 (1945), p. 245-259, and M. G. Kendall, Rank Correlation Methods (1948); the slope and its interval those
 * of P. K. Sen, Estimates of the Regression Coefficient Based on Kendall's Tau, Journal of the American Statistical
 * Association 63 (1968), p. 1379-1389. Neither minds outliers.
 *
 * <p>Both assume independent values, which these are not. So blocks are joined while the residuals about the slope are
 * correlated, and the remaining correlation widens the variance as in S. Yue and C. Y. Wang (The Mann-Kendall Test Modified
 * by Effective Sample Size, Water Resources Management 18 (2004), p. 201-218, on detrended values).
 *
 * @param growth over the whole series, in its unit
 * @param growthAtMost one-sided, with 95 % confidence
 * @param growthAtLeast one-sided, with 95 % confidence
 * @param z standard normal if nothing grows; large when something does
 * @param detectable the smallest growth that would have been detected with 80 % probability
 */
record TheilSenTrend(double growth, double growthAtMost, double growthAtLeast, double z, double detectable) {

    static final int MIN_MEANS = 12;

    /** The 99 % quantile: one-sided 1 %, since several series are tested. */
    static final double SIGNIFICANT = 2.326;

    private static final double ONE_SIDED = 1.645;

    /** The 80 % quantile of the standard normal distribution. */
    private static final double POWER = 0.842;

    boolean significant() {
        return z > SIGNIFICANT;
    }

    /** Computes the trend; empty when the series is too short. */
    static Optional<TheilSenTrend> of(List<Double> series) {
        List<Double> means = series;
        if (means.size() < MIN_MEANS) {
            return Optional.empty();
        }
        double[] values = values(means);
        double[] slopes = slopes(values);
        double correlation = residual(values, slopes);
        while (means.size() >= 2 * MIN_MEANS && correlation > Autocorrelation.MAX_CORRELATION) {
            means = BatchMeans.halved(means);
            values = values(means);
            slopes = slopes(values);
            correlation = residual(values, slopes);
        }
        return Optional.of(of(values, slopes, Autocorrelation.inflation(correlation, values.length)));
    }

    private static TheilSenTrend of(double[] values, double[] slopes, double inflation) {
        int n = values.length;
        long score = 0;
        for (int later = 1; later < n; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                score += (long) Math.signum(values[later] - values[earlier]);
            }
        }
        double deviation = Math.sqrt(variance(values) * inflation);
        double z = deviation == 0 ? 0 : (score - Math.signum((double) score)) / deviation;
        double low = quantile(slopes, 0.5 - ONE_SIDED * deviation / (2.0 * slopes.length));
        double high = quantile(slopes, 0.5 + ONE_SIDED * deviation / (2.0 * slopes.length));
        double error = (high - low) / (2 * ONE_SIDED);
        return new TheilSenTrend(median(slopes) * n, high * n, low * n, z, (SIGNIFICANT + POWER) * error * n);
    }

    /** Returns the variance of the score, with ties. */
    private static double variance(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double n = sorted.length;
        double sum = n * (n - 1) * (2 * n + 5);
        int from = 0;
        for (int to = 1; to <= sorted.length; to++) {
            if (to == sorted.length || sorted[to] > sorted[from]) {
                double tied = to - from;
                sum -= tied * (tied - 1) * (2 * tied + 5);
                from = to;
            }
        }
        return Math.max(0, sum / 18);
    }

    private static double residual(double[] values, double[] slopes) {
        double slope = median(slopes);
        double[] residuals = new double[values.length];
        for (int index = 0; index < values.length; index++) {
            residuals[index] = values[index] - slope * index;
        }
        return Autocorrelation.lagOne(residuals);
    }

    /** Returns the slopes of all pairs, sorted. */
    private static double[] slopes(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int count = 0;
        for (int later = 1; later < values.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                slopes[count++] = (values[later] - values[earlier]) / (later - earlier);
            }
        }
        Arrays.sort(slopes);
        return slopes;
    }

    private static double median(double[] sorted) {
        return quantile(sorted, 0.5);
    }

    private static double quantile(double[] sorted, double part) {
        double position = Math.clamp(part, 0.0, 1.0) * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = (int) Math.ceil(position);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    private static double[] values(List<Double> means) {
        return means.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
