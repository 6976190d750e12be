// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * The posterior distribution of the capacity, in requests/s.
 *
 * @param capacity the median
 * @param low end of the 95 % interval, widened for what the model leaves out
 * @param high end of that interval
 * @param tracked the quantile at which the search holds the load
 * @param quiet the quantile that the load does not pass while hardly any request exceeds
 * @param limit that binds most
 */
public record CapacityPosterior(double capacity, double low, double high, double tracked, double quiet, String limit) {

    /** Half width from which on the interval is called wide. */
    static final double WIDE = 0.06;

    /** Relative half width of the interval. */
    double halfWidth() {
        return (high - low) / (2 * capacity);
    }
}
