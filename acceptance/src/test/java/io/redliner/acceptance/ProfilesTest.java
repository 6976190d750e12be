// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.demo.DemoService;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/**
 * Profiles from the plan to the answer, over a real proxy and a real analyzer. The odd instance has a capacity of
 * some 286 requests/s of the service's 700; each of the others has about twice as much. {@link CapacityRunTest} is the one of
 * the profile {@code capacity}, and {@link LongRunsTest} those of endurance and scalability.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfilesTest {

    private LiveStack whole;

    private LiveService live;

    private ControllerClient controller;

    @BeforeAll
    void start() throws Exception {
        whole = new LiveStack();
        live = whole.live();
        controller = new ControllerClient(whole.stack().dashboard());
    }

    @AfterAll
    void stop() throws Exception {
        controller.close();
        whole.close();
    }

    @BeforeEach
    void awaitReady() {
        live.awaitReady(controller);
    }

    private static String plan(String profile, String sut, String settings) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  %s
                  profile: %s
                  %s
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('200ms')"}
                    - {name: errors, expr: "error_rate <= 0.001"}
                  limits: {maxShare: 80%%, maxRaise: 2.5x, maxDuration: 5m, harmBudget: 20%%, window: 500ms}
                """.formatted(profile, DemoService.NAME, sut, profile, settings);
    }

    private static String sut(String instance) {
        return "sut: {instance: \"" + instance + "\"}";
    }

    private JsonNode run(String profile, String instance, String settings) {
        controller.putPlan(profile, plan(profile, sut(instance), settings));
        String id = controller.startRun(profile);
        await("the end of the run").atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(500))
                .until(() -> controller.get("/runs/" + id).path("phase").asString().equals("Finished"));
        JsonNode ended = controller.get("/runs/" + id);
        assertThat(ended.path("restore").path("proof").asString()).as(ended.toString()).isEqualTo("MEASURED");
        return ended;
    }

    private static void assertEnded(JsonNode run, String outcome, String code) {
        assertThat(run.path("outcome").asString()).as(run.path("stopReason").toString()).isEqualTo(outcome);
        assertThat(run.path("stopReason").path("code").asString()).as(run.path("stopReason").toString())
                .isEqualTo(code);
    }

    @Test
    void smoke_proves_that_everything_works() {
        assertEnded(run("smoke", live.roomyInstance(), "smoke: {hold: 5s}"), "PASSED", "SlaHeld");
    }

    @Test
    void load_passes_where_the_instance_has_room() {
        assertEnded(run("load", live.roomyInstance(), "load: {share: 35%, ramp: 3s, hold: 8s}"), "PASSED", "SlaHeld");
    }

    @Test
    void load_fails_beyond_the_capacity() {
        assertEnded(run("load", live.oddInstance(), "load: {share: 56%, ramp: 3s, hold: 20s}"), "THRESHOLD_FAILED",
                "SlaBroken");
    }

    @Test
    void breakpoint_goes_on_past_the_first_breach() {
        JsonNode run = run("breakpoint", live.oddInstance(), """
                breakpoint:
                    step: 1.3x
                    dwell: 3s
                    until: [{name: collapse, expr: "latency.p99 > duration('250ms') || error_rate > 0.05"}]""");

        assertEnded(run, "PASSED", "BreakpointFound");
        assertThat(run.path("report").path("figures").toString()).contains("load.firstBreach");
    }

    @Test
    void stress_recovers() {
        assertEnded(run("stress", live.oddInstance(), "stress: {target: 380, ramp: 2s, hold: 5s, recovery: 30s}"),
                "PASSED",
                "Recovered");
    }

    @Test
    void spike_recovers() {
        assertEnded(run("spike", live.oddInstance(), "spike: {factor: 2x, hold: 4s, recovery: 30s}"), "PASSED",
                "Recovered");
    }

    @Test
    void bottleneck_finds_the_capacity_and_says_what_it_knows_of_its_limit() {
        JsonNode run = run("bottleneck", live.oddInstance(), "");

        assertThat(run.path("outcome").asString()).as(run.path("stopReason").toString()).isEqualTo("CAPACITY_FOUND");
        assertThat(run.path("bottleneck").isEmpty()).as(run.path("stopReason").toString())
                .isEqualTo(run.path("stopReason").path("detail").asString().contains("doubtful"));
    }

    private JsonNode series(String profile, String settings) {
        controller.putPlan(profile, plan(profile, "", settings));
        String id = controller.startRun(profile);
        await("the end of the series").atMost(Duration.ofMinutes(12)).pollInterval(Duration.ofSeconds(1))
                .until(() -> controller.get("/series/" + id).hasNonNull("finishedAt"));
        return controller.get("/series/" + id);
    }

    @Test
    void regression_tells_that_the_instance_with_half_the_workers_is_worse() {
        JsonNode series = series("regression", """
                regression:
                    old: "%s"
                    new: "%s"
                    compare: latency
                    load: {share: 35%%, ramp: 2s, hold: 6s}""".formatted(live.roomyInstance(), live.oddInstance()));

        assertThat(series.toString()).contains("WORSE");
        assertThat(series.path("members")).hasSize(4);
    }
}
