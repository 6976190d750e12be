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
 * When the windows of runs that others drive were last judged to hold. Whoever takes such a run over knows then that it was
 * the driver who was lost, and not the telemetry. Any thread may tell and ask.
 */
final class LastHealthyVerdicts {

    /** Longer than any run is waited for. */
    private static final Duration RETENTION = Duration.ofMinutes(1);

    private final Map<String, Instant> lastHealthyAt = new HashMap<>();

    /** Takes note of a verdict; one that was broken wipes out what held before. */
    synchronized void verdict(WindowVerdict verdict, Instant now) {
        lastHealthyAt.values().removeIf(at -> at.plus(RETENTION).isBefore(now));
        if (verdict.judgement() == Judgement.BREACHED || verdict.brokenGuard().isPresent()) {
            lastHealthyAt.remove(verdict.runId());
        } else if (verdict.judgement() == Judgement.HOLDS && verdict.fresh(now)) {
            lastHealthyAt.put(verdict.runId(), now);
        }
    }

    /** When a fresh verdict was heard last that found nothing wrong with the run, and none that did since. */
    synchronized Optional<Instant> lastHealthyAt(String runId) {
        return Optional.ofNullable(lastHealthyAt.get(runId));
    }
}
