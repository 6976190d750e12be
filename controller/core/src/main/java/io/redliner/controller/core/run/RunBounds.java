// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.PlanLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds that a run never exceeds, not even for one window.
 *
 * @param maxShare the largest share that a run requests
 * @param maxRaise the largest factor between two successive shares, above 1
 * @param maxDuration from the submission to natural traffic
 * @param harmBudget harmed requests as a ratio of what the service answers in maxDuration
 * @param window the interval that is judged
 * @param harmLeft harmed requests that are left to the service in this month, >= 0; absent without such a budget
 */
public record RunBounds(Share maxShare, double maxRaise, Duration maxDuration, double harmBudget, Duration window,
        @Nullable Double harmLeft) {

    /** The bounds of a run whose service has no budget for the month. */
    public RunBounds(Share maxShare, double maxRaise, Duration maxDuration, double harmBudget, Duration window) {
        this(maxShare, maxRaise, maxDuration, harmBudget, window, null);
    }

    /** Returns the same bounds with this number of harmed requests left in the month. */
    public RunBounds withHarmLeft(double requests) {
        return new RunBounds(maxShare, maxRaise, maxDuration, harmBudget, window, requests);
    }

    /** Returns the bounds that a plan declares. */
    public static RunBounds of(PlanLimits limits) {
        return new RunBounds(limits.maxShare(), limits.maxRaise().asDouble(), limits.maxDuration(),
                limits.harmBudget().asDouble(), limits.window());
    }
}
