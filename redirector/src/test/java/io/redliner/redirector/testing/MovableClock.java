// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves. */
public final class MovableClock implements InstantSource {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    /** Lets time pass. */
    public void pass(Duration duration) {
        now = now.plus(duration);
    }
}
