// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.Step;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A step that ended. Shares are ratios, rates requests/s, times seconds. */
public record StepView(int number, double targetRequestsPerSecond, double startShare, double share,
        double requestsPerSecond,
        long windows, long breached, @Nullable Double utilisation, @Nullable String rule, Instant startedAt,
        Instant endedAt, double seconds) {

    /** Returns a step as users see it. */
    public static StepView of(Step step) {
        return new StepView(step.number(), step.targetRequestsPerSecond(), step.startShare().ratio(),
                step.share().ratio(), step.requestsPerSecond(), step.windows(), step.breached(), step.utilisation(),
                step.rule(), step.startedAt(), step.endedAt(),
                Duration.between(step.startedAt(), step.endedAt()).toMillis() / 1000.0);
    }

    /** Returns true when at least half of the step's windows broke the SLA. */
    boolean bad() {
        return breached > 0 && 2 * breached >= windows;
    }
}
