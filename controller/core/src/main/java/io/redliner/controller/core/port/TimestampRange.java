// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** The years that an instant may lie in. No reported instant is earlier; the end is within what PostgreSQL can store. */
public final class TimestampRange {

    /** The range as text, for messages. */
    public static final String DESCRIPTION = "between 1970 and 9999";

    private static final Instant FIRST = Instant.EPOCH;

    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private TimestampRange() {}

    /**
     * Reads a time of these years, with any offset.
     *
     * @throws IllegalArgumentException when the text is no such time; the message follows the text and says how to write one
     */
    public static Instant parse(String text) {
        Instant time;
        try {
            time = OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException("is no instant; write it as 2026-01-31T09:00:00Z", malformed);
        }
        if (!include(time)) {
            throw new IllegalArgumentException("is not " + DESCRIPTION);
        }
        return time;
    }

    /** Returns true when the time lies within these years. */
    public static boolean include(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }

    /** Returns the time itself, or the nearest one of these years. */
    public static Instant nearest(Instant time) {
        return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
    }
}
