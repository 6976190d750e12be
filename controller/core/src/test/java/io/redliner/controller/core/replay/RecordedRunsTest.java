// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.replay.Replay.BoundsOverride;
import io.redliner.controller.core.run.Simulation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Exported journals of simulated runs, written on 2026-11-29. The test fails when a renamed type of a state, event, command or
 * step plan changes its stored name: journals of a released version have to be read for as long as it is supported.
 */
@Execution(ExecutionMode.CONCURRENT)
class RecordedRunsTest {

    private static final String RECORDED = "recorded-runs.ndjson.gz";

    private final RunJsonMapper json = new RunJsonMapper();

    /** Each begins with the run's first state; an empty line is between two. */
    private List<List<String>> recorded() throws IOException {
        try (InputStream packed = RecordedRunsTest.class.getResourceAsStream(RECORDED)) {
            if (packed == null) {
                throw new AssertionError("There is no " + RECORDED + "; runs of this build are " + record());
            }
            return read(packed);
        }
    }

    private static List<List<String>> read(InputStream packed) throws IOException {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.UTF_8))) {
            return Stream.of(lines.lines().collect(Collectors.joining("\n")).split("\n\n"))
                    .map(run -> run.lines().toList())
                    .toList();
        }
    }

    /** Simulated runs of this build, written below {@code target}. */
    private Path record() throws IOException {
        Path file = Path.of("target", RECORDED);
        List<String> runs = Stream.concat(LongStream.rangeClosed(1, 5).mapToObj(Simulation::new),
                LongStream.rangeClosed(1, 4).mapToObj(Simulation::planned)).map(Simulation::run).map(this::lines)
                .toList();
        try (Writer out = new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)),
                StandardCharsets.UTF_8)) {
            out.write(String.join("\n\n", runs));
        }
        return file;
    }

    private String lines(List<Simulation.Entry> run) {
        return Stream.concat(Stream.of(json.write(run.getFirst().before())),
                IntStream.range(0, run.size()).mapToObj(number -> json.write(new JournalEntry(number + 1,
                        run.get(number).at(), run.get(number).event(), null, run.get(number).decision()))))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void runs_that_were_recorded_are_read_and_decided_again() throws IOException {
        List<List<String>> runs = recorded();

        assertThat(runs).hasSizeGreaterThan(5);
        for (List<String> run : runs) {
            Journal journal = json.journal(run.iterator());
            assertThat(journal.entries()).hasSize(run.size() - 1);
            assertThat(Replay.again(journal, BoundsOverride.OWN)).isEmpty();
        }
    }

    @Test
    void what_is_stored_keeps_its_name() {
        assertThat(RunJsonMapper.KINDS).extracting(Class::getSimpleName)
                .containsExactlyInAnyOrder("Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Paused",
                        "Restoring",
                        "Finished", "Submitted", "VerdictArrived", "LeaseStatusArrived", "Tick", "AbortRequested",
                        "NotDelivered",
                        "ControllerStopping", "TakenOver", "PauseRequested", "ResumeRequested", "Approved", "Halted",
                        "ClockJumped", "Hold", "Overload", "Staircase", "Attribution", "Recheck",
                        "PublishRun", "SendLease",
                        "RecordStep",
                        "RecordCapacity");
    }
}
