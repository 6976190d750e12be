// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.redliner.standalone.demo.ConstructedCapacity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * A capacity run from the command line to the stored answer, on real parts: the capacity is found within a tenth of the
 * constructed one, it is recorded, the harm is within its budget, and the traffic is as before. {@link DemoCapacityTest} is
 * the one with the demo's limit and the search that a user gets.
 */
@Execution(ExecutionMode.CONCURRENT)
class CapacityRunTest {

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    private static final double ERRORS = 0.001;

    @RegisterExtension
    private static final SharedStack SHARED = new SharedStack();

    private final OwnService service = SHARED.measured();

    @TempDir
    Path folder;

    @BeforeEach
    void start() {
        service.startUsers();
        service.awaitReady(SHARED.controller());
    }

    @AfterEach
    void stop() {
        service.stopUsers();
    }

    private String plan() {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: measured}
                spec:
                  service: %s
                  sut: {instance: "%s"}
                  profile: capacity
                  redirect: {mode: split}
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('%dms')"}
                    - {name: errors, expr: "error_rate <= %s"}
                  guards:
                    - {name: fleet-errors, expr: "service.error_rate <= 0.05"}
                  limits: {maxShare: 60%%, maxRaise: 1.5x, maxDuration: 210s, harmBudget: 2%%, window: 1s}
                """.formatted(service.name(), service.instance(0), SharedStack.LIMIT.toMillis(), ERRORS);
    }

    @Test
    void a_capacity_is_found_within_a_tenth_and_stored_and_the_command_ends_with_0() throws Exception {
        Path plan = Files.writeString(folder.resolve("measured.yaml"), plan());
        double constructed = new ConstructedCapacity(SharedStack.MEASURED, SharedStack.LIMIT, ERRORS)
                .requestsPerSecond();

        String output;
        String id;
        try (RedlinerProcess process = RedlinerProcess.startElsewhere(folder, SHARED.stack().dashboard(), "run",
                plan.toString(), "--watch")) {
            id = process.awaitOutput("Started /api/v1/runs/([^ .]+)", PATIENCE);
            int code = process.awaitExit(PATIENCE);
            output = process.output();
            assertThat(code).as(output).isZero();
        }

        assertThat(output).contains("Ramping", "requests/s  p99 ", "Finished: CAPACITY_FOUND", "Capacity ",
                "Traffic restored: MEASURED");
        JsonNode run = SHARED.controller().get("/runs/" + id);
        String reason = run.path("stopReason").toString();
        assertThat(run.path("outcome").asString()).as(reason).isEqualTo("CAPACITY_FOUND");
        double found = run.path("result").path("capacity").asDouble();
        System.out.printf("found %.1f, constructed %.1f requests/s%n", found, constructed);
        assertThat(found).as(reason).isCloseTo(constructed, withinPercentage(10));
        JsonNode harm = run.path("harm");
        assertThat(harm.path("allowed").isNumber()).as(harm.toString()).isTrue();
        assertThat(harm.path("requests").asDouble()).isLessThanOrEqualTo(harm.path("allowed").asDouble());
        assertThat(service.shareOfNext(1500, service.instance(0))).as("share of one among four").isBetween(0.20, 0.30);
        JsonNode stored = SHARED.controller().get("/capacities/" + service.name()).path("items").path(0);
        assertThat(stored.path("instance").asString()).isEqualTo(service.instance(0));
        assertThat(stored.path("capacity").asDouble()).isEqualTo(found);
        assertThat(stored.path("limitingRule").asString()).isIn("latency", "errors");
    }
}
