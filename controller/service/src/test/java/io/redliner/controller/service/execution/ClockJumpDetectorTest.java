// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockJumpDetectorTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final long NANOS = Long.MAX_VALUE - 1_000_000;

    private final ClockJumpDetector watch = new ClockJumpDetector(START, NANOS);

    /** Such a clock may begin anywhere, and pass its largest number. */
    private static long after(long millis) {
        return NANOS + Duration.ofMillis(millis).toNanos();
    }

    @Test
    void time_that_passes_is_no_jump_however_long_it_takes() {
        assertThat(watch.look(START.plusSeconds(20), after(20_000))).isEmpty();
        assertThat(watch.look(START.plusMillis(20_400), after(20_000)))
                .as("half a second is slewing")
                .isEmpty();
    }

    @Test
    void a_clock_that_is_set_is_noticed_once_in_either_direction() {
        assertThat(watch.look(START.plusSeconds(3601), after(1000)))
                .contains(Duration.ofHours(1));
        assertThat(watch.look(START.plusSeconds(3602), after(2000))).isEmpty();
        assertThat(watch.look(START.plusSeconds(3), after(3000)))
                .contains(Duration.ofHours(-1));
    }
}
