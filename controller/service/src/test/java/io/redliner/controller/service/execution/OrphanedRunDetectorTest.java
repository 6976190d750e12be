// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.port.RunRepository.RunVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrphanedRunDetectorTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RunSupervisor.OrphanedRunDetector orphanedRuns = new RunSupervisor.OrphanedRunDetector(
            Duration.ofSeconds(10));

    private List<String> look(long version, boolean driven, int second) {
        return orphanedRuns.among(List.of(new RunVersion("run", version, false)), id -> driven,
                START.plusSeconds(second));
    }

    @Test
    void a_run_that_stands_still_is_orphaned_and_one_that_moves_has_a_driver_elsewhere() {
        assertThat(look(0, false, 0)).isEmpty();
        assertThat(look(0, false, 10)).isEmpty();
        assertThat(look(1, false, 11)).as("it moved").isEmpty();
        assertThat(look(1, false, 21)).isEmpty();
        assertThat(look(1, false, 22)).hasSize(1);
    }

    @Test
    void a_run_that_was_let_go_is_taken_at_once() {
        List<RunVersion> free = List.of(new RunVersion("run", 3, true));

        assertThat(orphanedRuns.among(free, id -> false, START)).containsExactly("run");
        assertThat(orphanedRuns.among(free, id -> true, START)).as("it is ours already").isEmpty();
        assertThat(look(4, false, 1)).as("somebody else was first").isEmpty();
    }

    @Test
    void a_run_that_is_driven_here_is_never_taken() {
        assertThat(look(0, true, 0)).isEmpty();
        assertThat(look(0, true, 60)).isEmpty();
        assertThat(look(0, false, 61)).as("it counts from when it was left").isEmpty();
    }
}
