// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * A gauge over several windows, rounded to six digits to keep the stored state small.
 *
 * @param windows in which it was reported, >= 1
 * @param mean over those windows
 * @param most the highest value in those windows
 */
public record GaugeStats(int windows, double mean, double most) {

    private static final MathContext DIGITS = new MathContext(6);

    static GaugeStats of(double value) {
        return new GaugeStats(1, rounded(value), rounded(value));
    }

    /** Returns the gauge over the windows of both. */
    public GaugeStats then(GaugeStats later) {
        int all = windows + later.windows;
        return new GaugeStats(all, rounded((mean * windows + later.mean * later.windows) / all),
                Math.max(most, later.most));
    }

    private static double rounded(double value) {
        return new BigDecimal(value).round(DIGITS).doubleValue();
    }
}
