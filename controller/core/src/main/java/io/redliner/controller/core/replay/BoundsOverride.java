// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.RunBounds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds that take the place of a run's own; those that are absent stay.
 *
 * @param maxRaise above 1
 * @param harmBudget a ratio, above 0
 */
public record BoundsOverride(@Nullable Share maxShare, @Nullable Double maxRaise, @Nullable Duration maxDuration,
        @Nullable Double harmBudget) {

    /** Overrides nothing. */
    public static final BoundsOverride OWN = new BoundsOverride(null, null, null, null);

    /** @throws IllegalArgumentException outside the ranges above */
    public BoundsOverride {
        if ((maxRaise != null && !(maxRaise > 1)) || (harmBudget != null && !(harmBudget > 0))
                || (maxDuration != null && !maxDuration.isPositive())) {
            throw new IllegalArgumentException("a raise is above 1, a harm budget and a duration above 0");
        }
    }

    RunBounds in(RunBounds own) {
        return new RunBounds(maxShare == null ? own.maxShare() : maxShare, maxRaise == null ? own.maxRaise() : maxRaise,
                maxDuration == null ? own.maxDuration() : maxDuration,
                harmBudget == null ? own.harmBudget() : harmBudget,
                own.window(), own.harmLeft());
    }
}
