// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test moves. */
final class MovableClock implements InstantSource {

    private Instant now = Examples.START;

    @Override
    public Instant instant() {
        return now;
    }

    void pass(Duration duration) {
        now = now.plus(duration);
    }
}
