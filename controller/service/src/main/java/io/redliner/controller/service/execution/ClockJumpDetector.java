// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Notices when the clock was set, by a clock that nobody sets: the two go on by the same, or one of them was set. So does
 * a machine that was suspended. For one thread.
 */
final class ClockJumpDetector {

    /** What slewing and rounding may do between two looks. */
    private static final Duration TOLERANCE = Duration.ofMillis(500);

    private Instant instant;

    private long nanos;

    /** @param nanos of a clock that only ever goes on, as {@link System#nanoTime} */
    ClockJumpDetector(Instant instant, long nanos) {
        this.instant = instant;
        this.nanos = nanos;
    }

    /** By how much the clock was set since the last look, if it was. */
    Optional<Duration> look(Instant nextInstant, long nextNanos) {
        Duration jump = Duration.between(instant, nextInstant).minusNanos(nextNanos - nanos);
        instant = nextInstant;
        nanos = nextNanos;
        return jump.abs().compareTo(TOLERANCE) > 0 ? Optional.of(jump) : Optional.empty();
    }
}
