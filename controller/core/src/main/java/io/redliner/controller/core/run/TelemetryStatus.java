// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How fresh and how reliable the verdicts are.
 *
 * @param sequence of the newest verdict, 0 before the first
 * @param lastVerdictAt when the last fresh verdict arrived
 * @param answeredAt when the last reliable verdict arrived, which is fresh and says whether the SLA holds; absent before the
 *            first
 * @param sutSeenAt when a fresh verdict with requests at the SUT arrived last
 * @param consecutiveInconclusive how many verdicts in a row said nothing reliable
 */
public record TelemetryStatus(long sequence, @Nullable Instant lastVerdictAt, @Nullable Instant answeredAt,
        @Nullable Instant sutSeenAt, int consecutiveInconclusive) {

    private static final Duration NEVER = Duration.ofDays(1);

    static final TelemetryStatus NONE = new TelemetryStatus(0, null, null, null, 0);

    /** Whether this verdict is the one after the newest, or later. */
    boolean inOrder(WindowVerdict verdict) {
        return verdict.sequence() > sequence;
    }

    /** How many verdicts between the newest and this one were lost. */
    long lostBefore(WindowVerdict verdict) {
        return sequence == 0 ? 0 : Math.max(0, verdict.sequence() - sequence - 1);
    }

    /** Whether the verdict's window ended recently, and not in the future. */
    static boolean fresh(WindowVerdict verdict, Instant now) {
        Duration age = Duration.between(verdict.windowEnd(), now);
        return age.compareTo(RunTimeouts.freshness(verdict.windowLength())) <= 0
                && age.compareTo(Duration.ofSeconds(-2)) >= 0;
    }

    TelemetryStatus after(WindowVerdict verdict, boolean reliable, Instant now) {
        boolean fresh = fresh(verdict, now);
        return new TelemetryStatus(verdict.sequence(), fresh ? now : lastVerdictAt, reliable ? now : answeredAt,
                fresh && verdict.sut().completed() > 0 ? now : sutSeenAt, reliable ? 0 : consecutiveInconclusive + 1);
    }

    /** After a takeover by a controller that received a fresh verdict. Windows that were missed stay missed. */
    TelemetryStatus afterTakeover(@Nullable Instant at) {
        return at == null || (lastVerdictAt != null && !at.isAfter(lastVerdictAt))
                ? this
                : new TelemetryStatus(sequence, at, at, sutSeenAt, consecutiveInconclusive);
    }

    /** The same in a pause: nothing is decided by its windows, so none of them counts as one without an answer. */
    TelemetryStatus paused() {
        return new TelemetryStatus(sequence, lastVerdictAt, answeredAt, sutSeenAt, 0);
    }

    /** Whether nothing fresh arrived for longer than this. */
    boolean silentFor(Duration limit, Instant now) {
        return lastVerdictAt == null || now.isAfter(lastVerdictAt.plus(limit));
    }

    /** For how long nothing reliable has arrived; {@link #NEVER} before the first answer. */
    Duration unanswered(Instant now) {
        Instant last = answeredAt == null ? lastVerdictAt : answeredAt;
        return last == null ? NEVER : Duration.between(last, now);
    }

    /** Whether requests were seen at the SUT lately. */
    boolean sutSeen(Duration window, Instant now) {
        return sutSeenAt != null && !now.isAfter(sutSeenAt.plus(RunTimeouts.watchdog(window)));
    }
}
