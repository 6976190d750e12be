// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.contract.redirect.Share;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The measurement of the share that arrives at the SUT after the run gave its traffic back.
 *
 * @param acknowledgedAt when the last proxy acknowledged natural weights; absent before
 * @param seen the share of the newest window that began after that, or after the lease had run out; absent without one with
 *            requests in it
 * @param natural true when that share is the natural one, within its noise
 */
public record RestoreVerification(@Nullable Instant acknowledgedAt, @Nullable Share seen, boolean natural) {

    static final RestoreVerification NONE = new RestoreVerification(null, null, false);

    RestoreVerification acknowledged(Instant now) {
        return acknowledgedAt == null ? new RestoreVerification(now, seen, natural) : this;
    }

    /** Shifts the instants after a jump of the clock. A share that was measured under the old clock is dropped. */
    RestoreVerification shifted(Duration by) {
        return new RestoreVerification(acknowledgedAt == null ? null : acknowledgedAt.plus(by), null, false);
    }

    /**
     * Returns the verification after one more window. Only a fresh one that began after the acknowledgement or the lease's
     * end counts.
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

    /** Returns true when the run waits for no more windows. */
    boolean over(Duration window, Instant now) {
        return acknowledgedAt != null && (natural || !now.isBefore(acknowledgedAt.plus(RunTimeouts.watchdog(window))));
    }
}
