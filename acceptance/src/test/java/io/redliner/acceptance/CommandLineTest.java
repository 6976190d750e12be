// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command line against a real controller, as from a second machine: a process of its own with an empty environment,
 * which has nothing but a plan and the REST address. The plans are the examples of {@code deploy/examples}, for slow fleets.
 * {@link CapacityRunTest} has the one that finds a capacity and ends with 0.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommandLineTest {

    private static final Duration EXIT_TIMEOUT = Duration.ofMinutes(6);

    private static final SlowFleet FLEET = SlowFleet.QUARTER_RATE;

    @TempDir
    Path folder;

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    /** How a process ended. */
    private record Ended(int code, String output) {}

    private RedlinerProcess begin(String... arguments) throws IOException {
        return RedlinerProcess.startElsewhere(folder, shared.stack().dashboard(), arguments);
    }

    private Ended redliner(String... arguments) throws Exception {
        try (RedlinerProcess process = begin(arguments)) {
            int code = process.awaitExit(EXIT_TIMEOUT);
            return new Ended(code, process.output());
        }
    }

    /** A fleet of its own, whose instances plans choose by their hardware. */
    private OwnService service(String name) {
        OwnService service = shared.serve(FLEET.service(name));
        shared.controller().putHardware(service.name(), FLEET.oddInstance(service), "small");
        shared.controller().putHardware(service.name(), FLEET.roomyInstance(service), "large");
        return service;
    }

    private Ended watch(String example) throws Exception {
        Path plan = Files.writeString(folder.resolve(example + ".yaml"), FLEET.example(example, service(example)));
        return redliner("run", plan.toString(), "--watch");
    }

    @Test
    @Tag("soak")
    void a_gate_that_fails_is_99() throws Exception {
        Ended ended = watch("gate");

        assertThat(ended.code()).as(ended.output()).isEqualTo(99);
        assertThat(ended.output()).contains("Finished: THRESHOLD_FAILED");
    }

    @Test
    @Tag("soak")
    void a_run_that_is_too_short_for_an_answer_is_98() throws Exception {
        Ended ended = watch("too-short");

        assertThat(ended.code()).as(ended.output()).isEqualTo(98);
        assertThat(ended.output()).contains("Finished: INCONCLUSIVE");
    }

    @Test
    void a_plan_with_mistakes_is_104_and_each_is_at_its_place() throws Exception {
        Ended ended = redliner("run", SlowFleet.example("bad").toString(), "--watch");

        assertThat(ended.code()).as(ended.output()).isEqualTo(104);
        assertThat(ended.output()).containsPattern("bad\\.yaml:10:29: ").containsPattern("bad\\.yaml:11:22: ")
                .containsPattern("bad\\.yaml:12:3: ").doesNotContain("Started");
    }

    @Test
    void doctor_finds_all_parts_connected_and_does_not_call_well_what_nobody_knows() throws Exception {
        OwnService service = service("examined");

        Ended doctor = redliner("doctor", "--service", service.name());

        assertThat(doctor.code()).as(doctor.output()).isIn(0, 98);
        assertThat(doctor.output()).contains("ok       database: ", "ok       Kafka: ", "ok       clock: ",
                "ok       redirector of " + service.name(), "ok       proxies of " + service.name())
                .doesNotContain("FAULT");
    }

    @Test
    void plans_of_a_folder_are_stored_once_and_a_freeze_is_added_and_ended() throws Exception {
        OwnService service = service("applied");
        Path plans = Files.createDirectories(folder.resolve("plans"));
        Files.writeString(plans.resolve("hold.yaml"), holdingPlan(service).replace("{name: hold}", "{name: applied}"));

        assertThat(redliner("apply", plans.toString()).output()).contains("Plan applied is new");
        assertThat(redliner("apply", plans.toString()).output()).contains("Plan applied is the same");
        Ended frozen = redliner("freeze", "add", "--service", service.name(), "--from", "in 1d", "--to", "2d",
                "--reason", "holidays");
        assertThat(frozen.output()).contains("Frozen: " + service.name());
        String id = frozen.output().replaceAll("(?s).*redliner freeze end (\\S+).*", "$1");
        assertThat(redliner("freeze").output()).contains(id, "holidays");
        assertThat(redliner("freeze", "end", id).output()).contains("Ended: the freeze of " + service.name());
        assertThat(redliner("freeze").output()).doesNotContain(id);
    }

    /** Goes on for as long as nobody aborts it, on an instance with room and with an SLA that a busy machine keeps. */
    private static String holdingPlan(OwnService service) {
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
                  limits: {maxShare: 60%%, maxRaise: 2x, maxDuration: 10m, harmBudget: 20%%, window: 1s}
                """.formatted(service.name());
    }

    @Test
    void a_run_that_another_one_aborts_is_105_and_its_report_can_be_had() throws Exception {
        Path plan = Files.writeString(folder.resolve("hold.yaml"), holdingPlan(service("hold")));
        try (RedlinerProcess watching = begin("run", plan.toString(), "--watch")) {
            String run = watching.awaitOutput("Started http://[^ ]+/runs/([^\\s.]+)", Duration.ofMinutes(2));
            watching.awaitOutput("((Baseline|Ramping|Confirming)  share)", Duration.ofMinutes(2));

            assertThat(redliner("status").output()).contains(run);
            Ended abort = redliner("abort", run, "--reason", "seen enough", "--wait");
            assertThat(abort.code()).as(abort.output()).isZero();
            assertThat(abort.output()).contains("Traffic restored: MEASURED");
            assertThat(watching.awaitExit(EXIT_TIMEOUT)).as(watching.output()).isEqualTo(105);
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
