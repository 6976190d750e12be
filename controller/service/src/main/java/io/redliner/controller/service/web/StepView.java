// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.run.Step;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A step that ended. Shares are ratios, rates requests/s, times seconds. */
record StepView(int number, double targetRequestsPerSecond, double startShare, double share, double requestsPerSecond,
        long windows, long breached, @Nullable Double utilisation, @Nullable String rule, Instant startedAt,
        Instant endedAt, double seconds) {

    static StepView of(Step step) {
        return new StepView(step.number(), step.targetRequestsPerSecond(), step.startShare().ratio(),
                step.share().ratio(), step.requestsPerSecond(), step.windows(), step.breached(), step.utilisation(),
                step.rule(), step.startedAt(), step.endedAt(),
                RunView.seconds(Duration.between(step.startedAt(), step.endedAt())));
    }
}
