// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.time.Duration;
import java.time.Instant;

/**
 * The time by which the windows of a partition are judged: that of the newest observation that was read, and the clock's when
 * there is nothing to read. An analyzer that is behind so takes nothing for missing that it has yet to read. What the
 * broker's clock and the analyzer's differ by is taken for the least lag of the last minutes. It never goes back. For one
 * thread.
 */
final class StreamTime {

    /** The least lag is that of this period and the one before. */
    private static final long PERIOD_MILLIS = Duration.ofMinutes(1).toMillis();

    /** So many times the tick's length, at most, a tick goes on without anything that was read. */
    private static final int CATCH_UP_FACTOR = 2;

    private final Duration longestStep;

    private Instant last = Instant.MIN;

    private long behindMillis;

    private boolean readSinceTick;

    private long periodEnd = Long.MIN_VALUE;

    private long least = Long.MAX_VALUE;

    private long leastBefore = Long.MAX_VALUE;

    /** @param tick how often {@link #tick} is called */
    StreamTime(Duration tick) {
        longestStep = tick.multipliedBy(CATCH_UP_FACTOR);
    }

    /**
     * An observation is read.
     *
     * @param clock the time now
     * @param appendedMillis when the broker took it, since the epoch by the broker's clock
     */
    Instant read(Instant clock, long appendedMillis) {
        readSinceTick = true;
        long lag = clock.toEpochMilli() - appendedMillis;
        if (clock.toEpochMilli() >= periodEnd) {
            leastBefore = least;
            least = lag;
            periodEnd = clock.toEpochMilli() + PERIOD_MILLIS;
        }
        least = Math.min(least, lag);
        behindMillis = lag - Math.min(least, leastBefore);
        return advance(clock.minusMillis(behindMillis));
    }

    /** Something else is read, or said. */
    Instant at(Instant clock) {
        return advance(clock.minusMillis(behindMillis));
    }

    /**
     * Time has passed. Without an observation it goes on faster than the clock until it has caught up: after a pause of the
     * process there may be many to read.
     */
    Instant tick(Instant clock) {
        var next = clock.minusMillis(behindMillis);
        if (!last.equals(Instant.MIN)) {
            var farthest = last.plus(longestStep);
            next = earlier(readSinceTick ? next : clock, farthest);
        }
        readSinceTick = false;
        next = advance(next);
        behindMillis = Math.max(0, Duration.between(next, clock).toMillis());
        return next;
    }

    /** How far behind the clock it is, in seconds. */
    double behindSeconds() {
        return behindMillis / 1e3;
    }

    private Instant advance(Instant next) {
        last = next.isAfter(last) ? next : last;
        return last;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
