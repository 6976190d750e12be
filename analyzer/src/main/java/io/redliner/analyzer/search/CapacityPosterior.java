// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * What is believed of the capacity, in requests/s.
 *
 * @param capacity the median
 * @param low end of the 95 % interval, widened for what the model leaves out
 * @param high end of that interval
 * @param ridden the quantile to ride at
 * @param quiet the quantile not to climb past while hardly anything exceeds
 * @param limit that binds most
 */
public record CapacityPosterior(double capacity, double low, double high, double ridden, double quiet, String limit) {

    /** Half width from which on the interval is called wide. */
    static final double WIDE = 0.06;

    /** Relative half width of the interval. */
    double halfWidth() {
        return (high - low) / (2 * capacity);
    }
}
