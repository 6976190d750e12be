// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.core.capacity.KnownCapacity;
import org.jspecify.annotations.Nullable;

/**
 * The estimate of the capacity, in requests/s.
 *
 * @param limitingRule the rule that limits it; empty while none does
 * @param limitingValue that rule's value at the first load that broke it
 * @param limitingThreshold that rule's limit
 * @param lastGood the highest load that held
 * @param firstBad the lowest load that did not
 * @param combined with what earlier runs found, of one run when that is contradicted; absent when nothing was known
 */
public record CapacityEstimate(double capacity, double low, double high, String limitingRule,
        @Nullable Double limitingValue,
        @Nullable Double limitingThreshold, @Nullable Double lastGood, @Nullable Double firstBad,
        @Nullable KnownCapacity combined) {

    /** An estimate of a run that builds on no other. */
    public CapacityEstimate(double capacity, double low, double high, String limitingRule,
            @Nullable Double limitingValue, @Nullable Double limitingThreshold, @Nullable Double lastGood,
            @Nullable Double firstBad) {
        this(capacity, low, high, limitingRule, limitingValue, limitingThreshold, lastGood, firstBad, null);
    }

    /** Returns the estimate, without a combined capacity that cannot be made of it and of what was known before the run. */
    CapacityEstimate believed(@Nullable KnownCapacity known) {
        return combined == null || (known != null && combined.canBeMadeOf(known, capacity))
                ? this
                : new CapacityEstimate(capacity, low, high, limitingRule, limitingValue, limitingThreshold, lastGood,
                        firstBad);
    }

    /** Returns true when the estimate has a capacity above 0. */
    public boolean usable() {
        return Double.isFinite(capacity) && capacity > 0;
    }
}
