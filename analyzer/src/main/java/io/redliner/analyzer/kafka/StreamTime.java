// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.kafka;

import java.time.Duration;
import java.time.Instant;

/**
 * The time by which the windows of a partition are judged. It is the time of the newest observation read, or the clock's time when
 * there is nothing to read. An analyzer that is behind therefore does not take observations for missing that it has yet to read.
 * The smallest lag of the last minutes is taken as the difference between the broker's clock and the analyzer's. The time never
 * goes back. For one thread.
 */
final class StreamTime {

    /** The smallest lag is that of this period and the period before. */
    private static final long PERIOD_MILLIS = Duration.ofMinutes(1).toMillis();

    /** Largest step of a tick in which no record was read, in tick lengths. */
    private static final int CATCH_UP_FACTOR = 2;

    private final Duration longestStep;

    private Instant last = Instant.MIN;

    private long behindMillis;

    private boolean readSinceTick;

    private long periodEnd = Long.MIN_VALUE;

    private long smallestLag = Long.MAX_VALUE;

    private long smallestLagBefore = Long.MAX_VALUE;

    /** @param tick how often {@link #tick} is called */
    StreamTime(Duration tick) {
        longestStep = tick.multipliedBy(CATCH_UP_FACTOR);
    }

    /**
     * Advances to the time of an observation.
     *
     * @param clock the time now
     * @param appendedMillis when the broker appended the observation, since the epoch by the broker's clock
     */
    Instant read(Instant clock, long appendedMillis) {
        readSinceTick = true;
        long lag = clock.toEpochMilli() - appendedMillis;
        if (clock.toEpochMilli() >= periodEnd) {
            smallestLagBefore = smallestLag;
            smallestLag = lag;
            periodEnd = clock.toEpochMilli() + PERIOD_MILLIS;
        }
        smallestLag = Math.min(smallestLag, lag);
        behindMillis = lag - Math.min(smallestLag, smallestLagBefore);
        return advance(clock.minusMillis(behindMillis));
    }

    /** Returns the time for records that are not observations. */
    Instant at(Instant clock) {
        return advance(clock.minusMillis(behindMillis));
    }

    /**
     * Advances by a tick. Without an observation the time goes faster than the clock until it has caught up, but not at once: after
     * a pause of the process there may be many observations to read.
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

    /** Returns how far this time is behind the clock, in seconds. */
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
