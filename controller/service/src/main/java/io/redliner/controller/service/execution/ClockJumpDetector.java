// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Notices when the clock was set, by a clock that nobody sets: the two go on by the same, or one of them was set. So does
 * a machine that was suspended. A thread that a crowded machine holds up between the readings of the two sees no jump: the
 * steady clock is read before and after the other one. For one thread.
 */
final class ClockJumpDetector {

    /** What slewing and rounding may do between two looks. */
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
     * @param before nanoseconds of a clock that only ever goes on, as {@link System#nanoTime}
     * @param after of the same clock, after the instant was read
     */
    record Reading(long before, Instant instant, long after) {}

    /** By how much the clock was set since the last look, if it was: at least, where the readings took long. */
    Optional<Duration> look(Reading next) {
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
