// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.service.execution.ControllerHeartbeat.PeerControllers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerControllersTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PeerControllers others = new PeerControllers(Duration.ofSeconds(2), Duration.ofHours(1));

    private void saw(long heartbeat, int second) {
        others.update(Map.of("other", heartbeat), START.plusSeconds(second));
    }

    private boolean alive(int second) {
        return others.alive(START.plusSeconds(second));
    }

    @Test
    void whose_number_moves_is_alive_until_it_stands_still_for_too_long() {
        saw(1, 0);
        assertThat(alive(0)).as("it may have died long ago").isFalse();
        saw(2, 1);
        assertThat(alive(1)).isTrue();
        saw(2, 3);
        assertThat(alive(3)).isTrue();
        assertThat(alive(4)).isFalse();
        saw(3, 60);
        assertThat(alive(60)).as("it only stood still").isTrue();
    }

    @Test
    void whose_number_has_had_no_time_to_move_may_be_alive() {
        saw(1, 0);
        assertThat(open(0)).isTrue();
        assertThat(open(2)).isTrue();
        assertThat(open(3)).as("it had the time").isFalse();
        saw(2, 4);
        assertThat(open(4)).as("nothing is open: it is alive").isFalse();
    }

    private boolean open(int second) {
        return others.open(START.plusSeconds(second));
    }

    @Test
    void whose_number_is_gone_has_left() {
        saw(1, 0);
        saw(2, 1);

        others.update(Map.of(), START.plusSeconds(1));

        assertThat(alive(1)).isFalse();
        saw(2, 2);
        assertThat(alive(2)).as("as one that nobody has seen before").isFalse();
    }

    @Test
    void one_that_moves_is_enough() {
        others.update(Map.of("dead", 7L, "other", 1L), START);
        others.update(Map.of("dead", 7L, "other", 2L), START.plusSeconds(1));

        assertThat(alive(1)).isTrue();
    }

    @Test
    void only_what_stood_still_for_long_is_forgotten() {
        saw(1, 0);
        assertThat(others.expired(START.plusSeconds(3600))).isEmpty();
        assertThat(others.expired(START.plusSeconds(3601))).isEqualTo(Map.of("other", 1L));
        saw(2, 3601);
        assertThat(others.expired(START.plusSeconds(3601))).isEmpty();
    }
}
