// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Judgement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which the conditions of a run were met first.
 *
 * @param telemetryReadyAt verdicts with requests at the SUT arrive
 * @param trafficShiftedAt the share went above natural for the first time
 * @param thresholdBreachedAt a window broke the SLA for the first time
 * @param telemetryReliable true when the newest verdict was reliable
 */
public record Milestones(@Nullable Instant telemetryReadyAt, @Nullable Instant trafficShiftedAt,
        @Nullable Instant thresholdBreachedAt, boolean telemetryReliable) {

    static final Milestones NONE = new Milestones(null, null, null, false);

    Milestones judged(WindowVerdict verdict, boolean reliable, Instant now) {
        Instant ready = telemetryReadyAt == null && reliable && verdict.sut().completed() > 0 ? now : telemetryReadyAt;
        Instant breached = thresholdBreachedAt == null && verdict.judgement() == Judgement.BREACHED
                ? now
                : thresholdBreachedAt;
        return new Milestones(ready, trafficShiftedAt, breached, reliable);
    }

    Milestones shifted(Instant now) {
        return trafficShiftedAt != null
                ? this
                : new Milestones(telemetryReadyAt, now, thresholdBreachedAt, telemetryReliable);
    }
}
