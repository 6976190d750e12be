// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.stepplan;

/**
 * A rule that is a proportion, of a window or of a whole hold: counts can be added, percentiles cannot.
 *
 * @param exceeding how many of the requests broke the rule
 * @param allowedRatio the part of the requests that may exceed
 */
public record RuleCounts(long requests, long exceeding, double allowedRatio) {

    /** One-sided 95 % of the standard normal distribution. */
    private static final double Z_95_ONE_SIDED = 1.645;

    RuleCounts plus(RuleCounts counts) {
        return new RuleCounts(requests + counts.requests(), exceeding + counts.exceeding(), counts.allowedRatio());
    }

    /** More than may exceed. */
    boolean exceedsAllowance() {
        return exceeding > allowedRatio * requests;
    }

    /** So much more that it is no chance: as many as are allowed would have been as many once in twenty times. */
    boolean significantlyExceeds() {
        double allowed = allowedRatio * requests;
        return exceedsAllowance() && exceeding > allowed + Z_95_ONE_SIDED * Math.sqrt(allowed * (1 - allowedRatio));
    }
}
