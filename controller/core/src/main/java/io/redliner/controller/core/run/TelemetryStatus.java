// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The freshness and reliability of the verdicts.
 *
 * @param sequence of the newest verdict, 0 before the first
 * @param lastVerdictAt when the last fresh verdict arrived
 * @param answeredAt when the last reliable verdict arrived, which is fresh and judges the SLA; absent before the first
 * @param sutSeenAt when a fresh verdict with requests at the SUT arrived last
 * @param consecutiveInconclusive number of verdicts in a row that were not reliable
 */
public record TelemetryStatus(long sequence, @Nullable Instant lastVerdictAt, @Nullable Instant answeredAt,
        @Nullable Instant sutSeenAt, int consecutiveInconclusive) {

    /** After this many verdicts in a row that were not reliable, the share is at most the natural one. */
    public static final int INCONCLUSIVE_TO_NATURAL = 2;

    /** After this many verdicts in a row that were not reliable, the run ends. */
    public static final int INCONCLUSIVE_TO_END = 3;

    private static final Duration NEVER = Duration.ofDays(1);

    static final TelemetryStatus NONE = new TelemetryStatus(0, null, null, null, 0);

    /** Returns true when this verdict is later than the newest one. */
    boolean inOrder(WindowVerdict verdict) {
        return verdict.sequence() > sequence;
    }

    /** Returns the number of verdicts that were lost between the newest and this one. */
    long lostBefore(WindowVerdict verdict) {
        return sequence == 0 ? 0 : Math.max(0, verdict.sequence() - sequence - 1);
    }

    /** Returns true when the verdict's window ended recently, and not more than 2 s in the future. */
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

    /**
     * Returns the status after a takeover by a controller that received a fresh verdict. Windows that were missed stay
     * missed.
     */
    TelemetryStatus afterTakeover(@Nullable Instant at) {
        return at == null || (lastVerdictAt != null && !at.isAfter(lastVerdictAt))
                ? this
                : new TelemetryStatus(sequence, at, at, sutSeenAt, consecutiveInconclusive);
    }

    /** Returns the status in a pause: no decision depends on its windows, so none of them counts as inconclusive. */
    TelemetryStatus paused() {
        return new TelemetryStatus(sequence, lastVerdictAt, answeredAt, sutSeenAt, 0);
    }

    /** Returns true when no fresh verdict has arrived for longer than this. */
    boolean silentFor(Duration limit, Instant now) {
        return lastVerdictAt == null || now.isAfter(lastVerdictAt.plus(limit));
    }

    /**
     * Returns the time since the last reliable verdict, or since the last fresh one before any was reliable; {@link #NEVER} before
     * both.
     */
    Duration unanswered(Instant now) {
        Instant last = answeredAt == null ? lastVerdictAt : answeredAt;
        return last == null ? NEVER : Duration.between(last, now);
    }

    /** Returns true when a fresh verdict lately had requests at the SUT. */
    boolean sutSeen(Duration window, Instant now) {
        return sutSeenAt != null && !now.isAfter(sutSeenAt.plus(RunTimeouts.watchdog(window)));
    }
}
