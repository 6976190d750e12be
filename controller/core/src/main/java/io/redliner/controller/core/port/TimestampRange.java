// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import java.time.Instant;

/** The years that an instant may lie in. No reported instant is earlier; the end is within what PostgreSQL can store. */
public final class TimestampRange {

    /** The range as text, for messages. */
    public static final String DESCRIPTION = "between 1970 and 9999";

    private static final Instant FIRST = Instant.EPOCH;

    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private TimestampRange() {}

    /** Returns true when the time lies within these years. */
    public static boolean include(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }

    /** Returns the time itself, or the nearest one of these years. */
    public static Instant nearest(Instant time) {
        return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
    }
}
