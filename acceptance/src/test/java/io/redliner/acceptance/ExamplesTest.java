// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code deploy/examples} on the demo's service, by the command line. {@link CommandLineTest} is the rest. */
@Tag("soak")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @RegisterExtension
    private static final SharedStack SHARED = new SharedStack();

    private LiveService live;

    @TempDir
    Path folder;

    @BeforeAll
    void start() {
        live = SHARED.demo();
        live.startUsers();
        live.awaitReady(SHARED.controller());
        live.describeTo(SHARED.controller());
    }

    @AfterAll
    void stop() {
        live.stopUsers();
    }

    @BeforeEach
    void awaitReady() {
        live.awaitReady(SHARED.controller());
    }

    /** How a process ended. */
    private record Ended(int code, String output) {}

    private Ended watch(String example) throws Exception {
        try (RedlinerProcess process = RedlinerProcess.startElsewhere(folder, SHARED.stack().dashboard(), "run",
                CommandLineTest.EXAMPLES.resolve(example).toString(), "--watch")) {
            int code = process.awaitExit(PATIENCE);
            return new Ended(code, process.output());
        }
    }

    @Test
    void a_capacity_that_is_found_is_0() throws Throwable {
        StolenTime stolen = new StolenTime();

        Ended ended = watch("capacity.yaml");

        assertThat(ended.output()).contains("Traffic restored: MEASURED");
        stolen.unlessRobbed(() -> assertThat(ended.code()).as(ended.output()).isZero());
        assertThat(ended.output()).contains("Ramping", "requests/s  p99 ", "Finished: CAPACITY_FOUND", "Capacity ");
    }

    @Test
    void a_gate_that_fails_is_99() throws Throwable {
        StolenTime stolen = new StolenTime();

        Ended ended = watch("gate.yaml");

        stolen.unlessRobbed(() -> assertThat(ended.code()).as(ended.output()).isEqualTo(99));
        assertThat(ended.output()).contains("Finished: THRESHOLD_FAILED");
    }

    @Test
    void a_run_that_is_too_short_for_an_answer_is_98() throws Exception {
        Ended ended = watch("too-short.yaml");

        assertThat(ended.code()).as(ended.output()).isEqualTo(98);
        assertThat(ended.output()).contains("Finished: INCONCLUSIVE");
    }
}
