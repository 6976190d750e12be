// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.controller.plan.Ppm;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads back whether the share that arrives at the SUT is the natural one again.
 *
 * @param acknowledgedAt when the last proxy acknowledged natural weights; absent before
 * @param seen the share of the newest window that began after that, or after the lease had run out; absent without one with
 *            requests in it
 * @param natural whether that share is the natural one, within its noise
 */
public record RestoreVerification(@Nullable Instant acknowledgedAt, @Nullable Ppm seen, boolean natural) {

    static final RestoreVerification NONE = new RestoreVerification(null, null, false);

    RestoreVerification acknowledged(Instant now) {
        return acknowledgedAt == null ? new RestoreVerification(now, seen, natural) : this;
    }

    /** What was seen under the old clock says nothing under the new one. */
    RestoreVerification shifted(Duration by) {
        return new RestoreVerification(acknowledgedAt == null ? null : acknowledgedAt.plus(by), null, false);
    }

    /**
     * After one more window; only a fresh one says something that lies behind the acknowledgement or the lease's end.
     *
     * @param expiry when the lease has run out in every proxy
     */
    RestoreVerification after(WindowVerdict verdict, RunFacts facts, Instant expiry, Instant now) {
        Instant natural = acknowledgedAt == null || expiry.isBefore(acknowledgedAt) ? expiry : acknowledgedAt;
        if (verdict.windowStart().isBefore(natural) || !TelemetryStatus.fresh(verdict, now)
                || ShareDeviationCheck.requests(verdict) == 0) {
            return this;
        }
        return new RestoreVerification(acknowledgedAt, verdict.sut().share(),
                ShareDeviationCheck.within(verdict, facts.naturalShare(), facts.redirect().grain()));
    }

    /** Whether no more windows are waited for. */
    boolean over(Duration window, Instant now) {
        return acknowledgedAt != null && (natural || !now.isBefore(acknowledgedAt.plus(RunTimeouts.watchdog(window))));
    }
}
