// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * The posterior distribution of the capacity, in requests/s.
 *
 * @param capacity the median
 * @param low end of the 95 % interval, widened for what the model leaves out
 * @param high end of that interval
 * @param tracked the quantile at which the search holds the load
 * @param quiet the quantile up to which the load rises while hardly any request exceeds
 * @param limit that binds most
 */
public record CapacityPosterior(double capacity, double low, double high, double tracked, double quiet, String limit) {

    /** Relative half width above which the interval is wide. */
    static final double WIDE = 0.06;

    /** Returns the relative half width of the interval. */
    double halfWidth() {
        return (high - low) / (2 * capacity);
    }
}
