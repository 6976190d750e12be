// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.lease;

import java.time.Instant;

/** Instants of messages that are only shown. */
final class WireInstant {

    /** 9999-12-31T00:00:00Z; later instants cannot be stored. */
    private static final long MAX_MILLIS = 253_402_214_400_000L;

    private WireInstant() {}

    /** Returns the instant, or the nearest one that can be stored. */
    static Instant nearest(long millis) {
        return Instant.ofEpochMilli(Math.clamp(millis, 0, MAX_MILLIS));
    }
}
