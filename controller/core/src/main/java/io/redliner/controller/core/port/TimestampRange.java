// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import java.time.Instant;

/** The years that times may be of. PostgreSQL knows no later ones, and nothing that is told here is of earlier ones. */
public final class TimestampRange {

    /** For whoever told a time outside of them. */
    public static final String WORDS = "between 1970 and 9999";

    private static final Instant FIRST = Instant.EPOCH;

    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private TimestampRange() {}

    /** Whether the time is of these years. */
    public static boolean include(Instant time) {
        return !time.isBefore(FIRST) && !time.isAfter(LAST);
    }

    /** The time itself, or the nearest one of these years. */
    public static Instant nearest(Instant time) {
        return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
    }
}
