// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

/**
 * The counts of a rule about a proportion, in a window or a whole hold. Counts of windows can be added, percentiles cannot.
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

    /** Returns true when more requests exceed the limit than are allowed to. */
    boolean exceedsAllowance() {
        return exceeding > allowedRatio * requests;
    }

    /** Returns true when the excess is significant: at the allowed ratio it would be this large once in twenty times. */
    boolean significantlyExceeds() {
        double allowed = allowedRatio * requests;
        return exceedsAllowance() && exceeding > allowed + Z_95_ONE_SIDED * Math.sqrt(allowed * (1 - allowedRatio));
    }
}
