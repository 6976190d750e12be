// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockJumpDetectorTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final long NANOS = Long.MAX_VALUE - 1_000_000;

    private final ClockJumpDetector watch = new ClockJumpDetector(
            new ClockJumpDetector.Reading(NANOS, START, NANOS));

    /** Such a clock may begin anywhere, and pass its largest number. */
    private static long after(long millis) {
        return NANOS + Duration.ofMillis(millis).toNanos();
    }

    @Test
    void time_that_passes_is_no_jump_however_long_it_takes() {
        assertThat(watch.update(read(20_000, START.plusSeconds(20), 20_000))).isEmpty();
        assertThat(watch.update(read(20_000, START.plusMillis(20_400), 20_000)))
                .as("half a second is slewing")
                .isEmpty();
    }

    @Test
    void a_clock_that_is_set_is_noticed_once_in_either_direction() {
        assertThat(watch.update(read(1000, START.plusSeconds(3601), 1000)))
                .contains(Duration.ofHours(1));
        assertThat(watch.update(read(2000, START.plusSeconds(3602), 2000))).isEmpty();
        assertThat(watch.update(read(3000, START.plusSeconds(3), 3000)))
                .contains(Duration.ofHours(-1));
    }

    private static ClockJumpDetector.Reading read(long before, Instant instant, long after) {
        return new ClockJumpDetector.Reading(after(before), instant, after(after));
    }

    /** A crowded machine holds the thread up for 1.3 s, before or after it has read the clock that people set. */
    @Test
    void a_thread_that_is_held_up_between_the_readings_sees_no_jump() {
        assertThat(watch.update(read(1_000, START.plusMillis(1_000), 2_300))).isEmpty();
        assertThat(watch.update(read(2_550, START.plusMillis(2_550), 2_550))).isEmpty();
        assertThat(watch.update(read(2_800, START.plusMillis(4_100), 4_100))).isEmpty();
        assertThat(watch.update(read(4_350, START.plusMillis(4_350), 4_350))).isEmpty();
    }

    @Test
    void a_jump_while_the_thread_is_held_up_is_seen_by_the_next_reading_at_the_latest() {
        assertThat(watch.update(read(1_000, START.plusMillis(200), 2_300))).contains(Duration.ofMillis(-800));
        assertThat(watch.update(read(2_550, START.plusMillis(1_750), 2_550))).isEmpty();

        assertThat(watch.update(read(2_800, START.plusMillis(2_900), 4_100))).as("by 0.9 s, or not at all").isEmpty();
        assertThat(watch.update(read(4_350, START.plusMillis(4_450), 4_350))).contains(Duration.ofMillis(900));
    }
}
