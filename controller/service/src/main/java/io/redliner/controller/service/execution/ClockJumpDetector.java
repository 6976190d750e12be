// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Detects that the wall clock was set. Between two readings it advances as much as the monotonic clock, unless it was set or the
 * machine was suspended. The monotonic clock is read before and after the wall clock, so that a thread which is held up between the
 * readings sees no jump. For one thread.
 */
final class ClockJumpDetector {

    /** The largest difference that slewing and rounding may cause between two readings. */
    private static final Duration TOLERANCE = Duration.ofMillis(500);

    /** Readings that are further apart than the last ones are not compared with later: a jump could hide in between. */
    private static final long CLOSE_NANOS = Duration.ofMillis(10).toNanos();

    private Reading last;

    ClockJumpDetector(Reading first) {
        this.last = first;
    }

    /**
     * Both clocks at nearly the same moment.
     *
     * @param before nanoseconds of the monotonic clock, {@link System#nanoTime}, before the instant was read
     * @param after nanoseconds of the same clock, after the instant was read
     */
    record Reading(long before, Instant instant, long after) {}

    /** Returns the smallest amount by which the clock was set since the last reading; empty when it was not set. */
    Optional<Duration> update(Reading next) {
        Duration passed = Duration.between(last.instant(), next.instant());
        Duration ahead = passed.minusNanos(next.after() - last.before());
        Duration behind = passed.minusNanos(next.before() - last.after());
        Optional<Duration> jump = ahead.compareTo(TOLERANCE) > 0
                ? Optional.of(ahead)
                : behind.compareTo(TOLERANCE.negated()) < 0 ? Optional.of(behind) : Optional.empty();
        if (jump.isPresent() || next.after() - next.before() <= last.after() - last.before() + CLOSE_NANOS) {
            last = next;
        }
        return jump;
    }
}
