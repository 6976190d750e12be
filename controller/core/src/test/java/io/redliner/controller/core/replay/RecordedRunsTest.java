// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.run.RunState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.jsontype.NamedType;

/**
 * Exported journals of simulated runs, written on 2026-11-27. The test fails when a renamed type of a state, event, command or
 * step plan changes its stored name.
 */
@Execution(ExecutionMode.CONCURRENT)
class RecordedRunsTest {

    private final RunJsonMapper json = new RunJsonMapper();

    /** Each begins with the run's first state; an empty line is between two. */
    private static List<List<String>> recorded() throws IOException {
        try (InputStream packed = RecordedRunsTest.class.getResourceAsStream("recorded-runs.ndjson.gz");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.UTF_8))) {
            return Stream.of(lines.lines().collect(Collectors.joining("\n")).split("\n\n"))
                    .map(run -> run.lines().toList())
                    .toList();
        }
    }

    @Test
    void runs_that_were_recorded_are_read_and_decided_again() throws IOException {
        List<List<String>> runs = recorded();

        assertThat(runs).hasSizeGreaterThan(5);
        for (List<String> run : runs) {
            Journal journal = json.journal(run.iterator());
            assertThat(journal.entries()).hasSize(run.size() - 1);
            assertThat(Replay.again(journal, BoundsOverride.OWN)).filteredOn(one -> !isPauseBelowNatural(one))
                    .isEmpty();
        }
    }

    /** In the version that recorded the runs a pause stayed below the natural share when it began there. */
    private static boolean isPauseBelowNatural(Replay.Difference difference) {
        RunState recorded = difference.recorded().decision().state();
        RunState otherwise = difference.otherwise().state();
        return recorded instanceof RunState.Paused && otherwise instanceof RunState.Paused
                && recorded.facts().naturalShare().above(recorded.askedShare())
                && otherwise.askedShare().equals(otherwise.facts().naturalShare());
    }

    @Test
    void what_is_stored_keeps_its_name() {
        assertThat(RunJsonMapper.KINDS).extracting(NamedType::getName)
                .containsExactlyInAnyOrder("Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Paused",
                        "Restoring",
                        "Finished", "Submitted", "VerdictArrived", "LeaseStatusArrived", "Tick", "AbortRequested",
                        "NotDelivered",
                        "ControllerStopping", "TakenOver", "PauseRequested", "ResumeRequested", "Approved", "Halted",
                        "ClockJumped", "Hold", "Surge", "Climb", "Attribution", "PublishRun", "SendLease", "RecordStep",
                        "RecordCapacity");
    }
}
