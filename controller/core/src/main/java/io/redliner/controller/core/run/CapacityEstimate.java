// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import org.jspecify.annotations.Nullable;

/**
 * The estimate of the capacity, in requests/s.
 *
 * @param limitingRule the rule that limits it; empty while none does
 * @param limitingValue that rule's value at the first load that broke it
 * @param limitingThreshold that rule's limit
 * @param lastGood the highest load that held
 * @param firstBad the lowest load that did not
 */
public record CapacityEstimate(double capacity, double low, double high, String limitingRule,
        @Nullable Double limitingValue,
        @Nullable Double limitingThreshold, @Nullable Double lastGood, @Nullable Double firstBad) {

    /** Returns true when the estimate has a capacity above 0. */
    public boolean usable() {
        return Double.isFinite(capacity) && capacity > 0;
    }
}
