// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import java.time.Duration;

/**
 * Measures the offset of a proxy's clock from the collector's over one stream. No record arrives before its time, so the smallest
 * age at arrival is the offset plus the proxy's delay and the shortest transmission time. An age within half of the grace is not
 * corrected. Times are in microseconds.
 */
final class StreamClock {

    /** The smallest age is taken over this interval. A clock that is set is corrected within two intervals. */
    private static final long INTERVAL_MICROS = 3_000_000;

    /** Time for which an age beyond the horizon is reported. */
    private static final long REMEMBERED_MICROS = 60_000_000;

    /** The smallest age is taken over at least this number of records: a single one may have been delayed. */
    private static final int MIN_RECORDS = 20;

    private final long grace;

    /** Half of the grace. */
    private final long tolerated;

    private final long horizon;

    private long correction;

    private boolean known;

    private long smallestAge;

    private int records;

    private long intervalStart;

    /** The age of the last record that was further away than the horizon. */
    private long farAge;

    private long farAt = Long.MIN_VALUE;

    /**
     * @param grace how late a record may be
     * @param horizon the age beyond which a record is not used for the clock
     */
    StreamClock(Duration grace, Duration horizon) {
        this.grace = micros(grace);
        this.tolerated = this.grace / 2;
        this.horizon = micros(horizon);
    }

    /** Returns whether any record has arrived within the horizon. */
    boolean isKnown() {
        return known;
    }

    /** Returns the microseconds that are added to the proxy's times. */
    long correction() {
        return correction;
    }

    /**
     * Updates the offset with the age of a record.
     *
     * @param age by the proxy's clock; below 0 when it is from the future
     * @param now by the collector's clock
     */
    void observe(long age, long now) {
        if (Math.abs(age) > horizon) {
            farAge = age;
            farAt = now;
            return;
        }
        if (!known) {
            known = true;
            correction = Math.abs(age) > grace ? age : 0;
            begin(now);
        }
        if (correction > 0 && age < correction) {
            // With the present correction the record would be from the future.
            correction = Math.abs(age) > tolerated ? age : 0;
        }
        smallestAge = Math.min(smallestAge, age);
        records++;
        if (now - intervalStart >= INTERVAL_MICROS && records >= MIN_RECORDS) {
            if (Math.abs(smallestAge - correction) > tolerated) {
                correction = Math.abs(smallestAge) > tolerated ? smallestAge : 0;
            }
            begin(now);
        }
    }

    /** Returns how far the proxy's clock is behind, below 0 ahead, also beyond the horizon, where it is not corrected. */
    long behind(long now) {
        return farAt > Long.MIN_VALUE && now - farAt < REMEMBERED_MICROS ? farAge : correction;
    }

    private void begin(long now) {
        smallestAge = Long.MAX_VALUE;
        records = 0;
        intervalStart = now;
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
