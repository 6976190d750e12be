// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command line against a real controller, as from a second machine: a process of its own with an empty environment,
 * which has nothing but a plan and the REST address. {@link CapacityRunTest} has the code 0, {@link ExamplesTest} the examples
 * of {@code deploy/examples}.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineTest {

    static final Path EXAMPLES = Path.of("..", "deploy", "examples").toAbsolutePath().normalize();

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @RegisterExtension
    private static final SharedStack SHARED = new SharedStack();

    private OwnService service;

    @TempDir
    Path folder;

    @BeforeAll
    void start() {
        service = SHARED.gated();
        service.startUsers();
        service.awaitReady(SHARED.controller());
        SHARED.controller().putHardware(service.name(), service.instance(0), "small");
        SHARED.controller().putHardware(service.name(), service.instance(1), "large");
    }

    @AfterAll
    void stop() {
        service.stopUsers();
    }

    @BeforeEach
    void awaitReady() {
        service.awaitReady(SHARED.controller());
    }

    /** How a process ended. */
    private record Ended(int code, String output) {}

    private RedlinerProcess begin(String... arguments) throws IOException {
        return RedlinerProcess.startElsewhere(folder, SHARED.stack().dashboard(), arguments);
    }

    private Ended redliner(String... arguments) throws Exception {
        try (RedlinerProcess process = begin(arguments)) {
            int code = process.awaitExit(PATIENCE);
            return new Ended(code, process.output());
        }
    }

    /** For the instance with few workers, whose capacity is below 70 requests/s. */
    private String plan(String name, String profile, String limits) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  sut: {select: label, labels: {hardware: small}}
                  %s
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('%dms')"}
                  limits: {maxShare: 60%%, maxRaise: 2.5x, %s, harmBudget: 20%%, window: 500ms}
                """.formatted(name, service.name(), profile, SharedStack.LIMIT.toMillis(), limits);
    }

    private Ended watch(String name, String plan) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), plan);
        return redliner("run", file.toString(), "--watch");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_gate_that_fails_is_99() throws Exception {
        Ended ended = watch("gate",
                plan("gate", "profile: load\n  load: {share: 56%, ramp: 3s, hold: 20s}", "maxDuration: 2m"));

        assertThat(ended.code()).as(ended.output()).isEqualTo(99);
        assertThat(ended.output()).contains("Finished: THRESHOLD_FAILED");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_run_that_is_too_short_for_an_answer_is_98() throws Exception {
        Ended ended = watch("too-short", plan("too-short", "profile: capacity", "maxDuration: 15s"));

        assertThat(ended.code()).as(ended.output()).isEqualTo(98);
        assertThat(ended.output()).contains("Finished: INCONCLUSIVE");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_plan_with_mistakes_is_104_and_each_is_at_its_place() throws Exception {
        Ended ended = redliner("run", EXAMPLES.resolve("bad.yaml").toString(), "--watch");

        assertThat(ended.code()).as(ended.output()).isEqualTo(104);
        assertThat(ended.output()).containsPattern("bad\\.yaml:10:29: ").containsPattern("bad\\.yaml:11:22: ")
                .containsPattern("bad\\.yaml:12:3: ").doesNotContain("Started");
    }

    /** Goes on for as long as nobody aborts it, on an instance with room and with an SLA that a busy machine keeps. */
    private String holdingPlan() {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: hold}
                spec:
                  service: %s
                  sut: {select: label, labels: {hardware: large}}
                  profile: load
                  load: {share: 35%%, ramp: 2s, hold: 8m}
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('10s')"}
                  limits: {maxShare: 60%%, maxRaise: 2x, maxDuration: 10m, harmBudget: 20%%, window: 500ms}
                """.formatted(service.name());
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_run_that_another_one_aborts_is_105_and_its_report_can_be_had() throws Exception {
        Path plan = Files.writeString(folder.resolve("hold.yaml"), holdingPlan());
        try (RedlinerProcess watching = begin("run", plan.toString(), "--watch")) {
            String run = watching.awaitOutput("Started /api/v1/runs/([^ .]+)", Duration.ofMinutes(2));
            watching.awaitOutput("((Baseline|Ramping|Confirming)  share)", Duration.ofMinutes(2));

            assertThat(redliner("status").output()).contains(run);
            Ended abort = redliner("abort", run, "--reason", "seen enough", "--wait");
            assertThat(abort.code()).as(abort.output()).isZero();
            assertThat(abort.output()).contains("Traffic restored: MEASURED");
            assertThat(watching.awaitExit(PATIENCE)).as(watching.output()).isEqualTo(105);
            assertThat(watching.output()).contains("Finished: ABORTED", "seen enough");

            JsonNode status = new JsonMapper().readTree(redliner("status", run, "--output", "json").output());
            assertThat(status.path("exitCode").asInt()).isEqualTo(105);
            Path report = folder.resolve("report.html");
            assertThat(redliner("report", run, "--out", report.toString()).code()).isZero();
            assertThat(report).content().containsIgnoringCase("<!doctype html>");
            assertThat(redliner("replay", run).code()).isZero();
        }
    }
}
