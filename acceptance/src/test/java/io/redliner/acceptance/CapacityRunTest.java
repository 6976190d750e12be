// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * The main job on real parts, as from a second machine: the command line runs {@code deploy/examples/capacity.yaml} on a fleet
 * like the demo's. Asserted is what holds on a machine of any load: each phase is gone through, the answer is a capacity with
 * its interval or INCONCLUSIVE with its reason, the bounds hold, the traffic is as before, and the journal replays. How near
 * the capacity is: {@link DemoCapacityTest}, the simulation's {@code LoopTest} and the accuracy lab.
 */
@Tag("soak")
@Order(SharedStack.MAX_FIRST)
@Execution(ExecutionMode.CONCURRENT)
class CapacityRunTest {

    private static final int CAPACITY_FOUND = 0;

    private static final int INCONCLUSIVE = 98;

    private static final Duration TIMEOUT = Duration.ofMinutes(6);

    @TempDir
    Path folder;

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    private final SlowFleet fleet = SlowFleet.QUARTER_RATE;

    private RedlinerProcess redliner(String... arguments) throws Exception {
        return RedlinerProcess.startElsewhere(folder, shared.stack().dashboard(), arguments);
    }

    @Test
    void a_run_goes_through_its_phases_answers_restores_the_traffic_and_replays() throws Exception {
        // given
        OwnService service = shared.serve(fleet.service("capacity"));
        String sut = fleet.oddInstance(service);
        ApiClient controller = shared.controller();
        controller.putHardware(service.name(), sut, "small");
        Path plan = Files.writeString(folder.resolve("capacity.yaml"), fleet.example("capacity", service));

        // when
        String output;
        int status;
        try (ProxyWatch proxy = new ProxyWatch(shared.stack().proxyAdmin(), service.name(), sut);
                RedlinerProcess process = redliner("run", plan.toString(), "--watch")) {
            status = process.awaitExit(TIMEOUT);
            output = process.output();

            // then
            assertThat(proxy.since(0)).as("share by the proxy").noneMatch(share -> share > SlowFleet.MAX_SHARE + 1e-6);
            if (status == CAPACITY_FOUND) {
                assertThat(proxy.since(0)).as("share by the proxy").anyMatch(share -> share > 0.30);
            }
        }
        System.out.println(output);
        assertThat(status).as(output).isIn(CAPACITY_FOUND, INCONCLUSIVE);
        JsonNode run = controller.get("/runs?service=" + service.name()).path("items").path(0);
        assertAnswer(run, status);
        assertThat(output).contains("Finished: " + run.path("outcome").asString(), "Traffic restored: MEASURED");
        assertThat(service.shareOfNext(800, sut)).as("share of one among four, 4.5 standard deviations")
                .isBetween(0.18, 0.32);
        String id = run.path("id").asString();
        assertThat(phases(id)).containsSubsequence("Preparing", "Baseline").containsSubsequence("Restoring",
                "Finished");
        if (status == CAPACITY_FOUND) {
            assertThat(phases(id)).containsSubsequence("Baseline", "Ramping", "Confirming", "Restoring");
        }
        try (RedlinerProcess replay = redliner("replay", id)) {
            assertThat(replay.awaitExit(TIMEOUT)).as(replay.output()).isZero();
        }
    }

    @Test
    void an_instance_that_takes_all_the_traffic_there_is_gets_a_lower_bound() throws Exception {
        OwnService service = shared.serve(fleet.service("roomy"));
        String sut = fleet.roomyInstance(service);
        shared.controller().putHardware(service.name(), sut, "small");
        // A thousand requests show 1 % of errors; a tenth of that would take the whole run.
        Path plan = Files.writeString(folder.resolve("roomy.yaml"), fleet.example("capacity", service)
                .replace("error_rate <= 0.001", "error_rate <= 0.01"));

        try (RedlinerProcess process = redliner("run", plan.toString())) {
            assertThat(process.awaitExit(TIMEOUT)).as(process.output()).isZero();
        }

        JsonNode run = shared.controller().get("/runs?service=" + service.name()).path("items").path(0);
        assertThat(run.path("outcome").asString()).as(run.toString()).isEqualTo("TRAFFIC_EXHAUSTED");
        assertThat(run.path("result").path("lowerBound").asBoolean()).isTrue();
        assertThat(run.path("result").path("capacity").asDouble()).as("of " + fleet.requestsPerSecond() + " requests/s")
                .isBetween(0.9 * SlowFleet.MAX_SHARE * fleet.requestsPerSecond(),
                        1.05 * SlowFleet.MAX_SHARE * fleet.requestsPerSecond());
        assertThat(run.path("restore").path("proof").asString()).isEqualTo("MEASURED");
    }

    /** As they were gone through, by the journal. */
    private List<String> phases(String run) {
        List<String> phases = new ArrayList<>();
        JsonNode page;
        long after = 0;
        do {
            page = shared.controller().get("/runs/" + run + "/decisions?limit=200&after=" + after);
            page.path("items").forEach(decision -> phases.add(decision.path("phase").asString()));
            after = page.path("nextAfter").asLong(0);
        } while (page.hasNonNull("nextAfter"));
        return phases;
    }

    private void assertAnswer(JsonNode run, int status) throws Exception {
        String known = "/capacities/" + run.path("service").asString();
        if (status == CAPACITY_FOUND) {
            JsonNode result = run.path("result");
            assertThat(result.path("capacity").asDouble()).as(run.toString()).isPositive()
                    .isBetween(result.path("low").asDouble(), result.path("high").asDouble());
            assertThat(result.path("limitingRule").asString()).isIn("latency", "errors");
            JsonNode stored = shared.controller().get(known).path("items");
            assertThat(stored).hasSize(1);
            assertThat(stored.path(0).path("instance").asString()).isEqualTo(run.path("sut").asString());
            assertThat(stored.path(0).path("capacity").asDouble()).isEqualTo(result.path("capacity").asDouble());
            assertThat(run.path("harm").path("requests").asDouble())
                    .isLessThanOrEqualTo(run.path("harm").path("allowed").asDouble());
            try (Scrapes scrapes = new Scrapes()) {
                scrapes.look(shared.stack());
                assertThat(scrapes.seen().get("redliner_capacity_requests_per_second")).contains("service", "instance");
            }
        } else {
            assertThat(run.path("outcome").asString()).isEqualTo("INCONCLUSIVE");
            assertThat(run.path("stopReason").path("code").asString()).isNotEmpty();
            assertThat(run.path("stopReason").path("detail").asString()).isNotEmpty();
            assertThatThrownBy(() -> shared.controller().get(known)).hasMessageContaining("404")
                    .hasMessageContaining("no capacity of service capacity is known");
        }
    }
}
