// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.run;

import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Ppm;
import java.time.Duration;

/**
 * What the run never exceeds, not even for one window.
 *
 * @param maxShare the largest share asked for
 * @param maxRaise the largest factor between two successive shares, above 1
 * @param maxDuration from the submission to natural traffic
 * @param harmBudget harmed requests as a ratio of what the service answers in maxDuration
 * @param window the interval that is judged
 */
public record RunBounds(Ppm maxShare, double maxRaise, Duration maxDuration, double harmBudget, Duration window) {

    /** The bounds that a plan declares. */
    public static RunBounds of(PlanLimits limits) {
        return new RunBounds(limits.maxShare(), limits.maxRaise().asDouble(), limits.maxDuration(),
                limits.harmBudget().asDouble(), limits.window());
    }
}
