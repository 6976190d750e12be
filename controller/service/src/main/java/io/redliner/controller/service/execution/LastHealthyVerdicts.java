// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers when the SLA of each run of another controller last held. A controller that takes such a run over then knows that
 * the run's controller was lost, and not the telemetry. Safe for use by several threads.
 */
final class LastHealthyVerdicts {

    /** Longer than a controller waits before it takes a run over. */
    private static final Duration RETENTION = Duration.ofMinutes(1);

    private final Map<String, Instant> lastHealthyAt = new HashMap<>();

    /** Records a verdict. A breach removes the time that was recorded before. */
    synchronized void verdict(WindowVerdict verdict, Instant now) {
        lastHealthyAt.values().removeIf(at -> at.plus(RETENTION).isBefore(now));
        if (verdict.judgement() == Judgement.BREACHED || verdict.brokenGuard().isPresent()) {
            lastHealthyAt.remove(verdict.runId());
        } else if (verdict.judgement() == Judgement.HOLDS && verdict.fresh(now)) {
            lastHealthyAt.put(verdict.runId(), now);
        }
    }

    /** The instant of the last fresh verdict without a breach; empty when a breach came after it. */
    synchronized Optional<Instant> lastHealthyAt(String runId) {
        return Optional.ofNullable(lastHealthyAt.get(runId));
    }
}
