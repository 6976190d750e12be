// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.standalone.demo.ControllerClient;
import io.redliner.standalone.demo.DemoService;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/**
 * Profiles from the plan to the answer, over a real proxy and a real analyzer. The odd instance has a capacity of
 * some 286 requests/s of the service's 700; each of the others has about twice as much. {@link CapacityRunTest} is the one of
 * the profile {@code capacity}, and {@link LongRunsTest} those of endurance, scalability and regression.
 */
@Tag("soak")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProfilesTest {

    private static final int ATTEMPTS = 3;

    private LiveStack whole;

    private LiveService live;

    private ControllerClient controller;

    private StolenTime stolen = new StolenTime();

    @BeforeAll
    void start() throws Exception {
        whole = new LiveStack(LiveStack.SHORT_RIDE);
        live = whole.live();
        controller = new ControllerClient(whole.stack().dashboard());
        live.awaitReady(controller);
        // What is done for the first time in a process takes long: it is not what is tested.
        run("smoke", live.roomyInstance(), "smoke: {hold: 5s}");
    }

    @AfterAll
    void stop() throws Exception {
        controller.close();
        whole.close();
    }

    @BeforeEach
    void awaitReady() {
        live.awaitReady(controller);
        stolen = new StolenTime();
    }

    private static String plan(String profile, String instance, String settings) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: %s
                  sut: {instance: "%s"}
                  profile: %s
                  %s
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('200ms')"}
                    - {name: errors, expr: "error_rate <= 0.001"}
                  limits: {maxShare: 80%%, maxRaise: 2.5x, maxDuration: 5m, harmBudget: 20%%, window: 500ms}
                """.formatted(profile, DemoService.NAME, instance, profile, settings);
    }

    /** On a machine that is too busy the honest answer is that nothing can be told: then it is asked again. */
    private JsonNode run(String profile, String instance, String settings) {
        controller.putPlan(profile, plan(profile, instance, settings));
        JsonNode ended = ended(controller.startRun(profile));
        for (int attempt = 1; attempt < ATTEMPTS
                && ended.path("outcome").asString().equals("INCONCLUSIVE"); attempt++) {
            live.awaitReady(controller);
            ended = ended(controller.startRun(profile));
        }
        return ended;
    }

    private JsonNode ended(String id) {
        JsonNode ended = RunEnd.awaitOf(controller, id, Duration.ofMinutes(5));
        assertThat(ended.path("restore").path("proof").asString()).as(ended.toString()).isEqualTo("MEASURED");
        return ended;
    }

    private void assertEnded(JsonNode run, String outcome, String code) throws Throwable {
        JsonNode reason = run.path("stopReason");
        stolen.unlessRobbed(() -> {
            assertThat(run.path("outcome").asString()).as(reason.toString()).isEqualTo(outcome);
            assertThat(reason.path("code").asString()).as(reason.toString()).isEqualTo(code);
        });
    }

    @Test
    void smoke_proves_that_everything_works() throws Throwable {
        assertEnded(run("smoke", live.roomyInstance(), "smoke: {hold: 5s}"), "PASSED", "SlaHeld");
    }

    @Test
    void load_passes_where_the_instance_has_room() throws Throwable {
        assertEnded(run("load", live.roomyInstance(), "load: {share: 35%, ramp: 3s, hold: 8s}"), "PASSED", "SlaHeld");
    }

    @Test
    void load_fails_beyond_the_capacity() throws Throwable {
        assertEnded(run("load", live.oddInstance(), "load: {share: 56%, ramp: 3s, hold: 20s}"), "THRESHOLD_FAILED",
                "SlaBroken");
    }

    @Test
    void breakpoint_goes_on_past_the_first_breach() throws Throwable {
        JsonNode run = run("breakpoint", live.oddInstance(), """
                breakpoint:
                    step: 1.3x
                    dwell: 3s
                    until: [{name: collapse, expr: "latency.p99 > duration('250ms') || error_rate > 0.05"}]""");

        assertEnded(run, "PASSED", "BreakpointFound");
        assertThat(run.path("report").path("figures").toString()).contains("load.firstBreach");
    }

    @Test
    void stress_recovers() throws Throwable {
        assertEnded(run("stress", live.oddInstance(), "stress: {target: 380, ramp: 2s, hold: 5s, recovery: 30s}"),
                "PASSED",
                "Recovered");
    }

    @Test
    void spike_recovers() throws Throwable {
        assertEnded(run("spike", live.oddInstance(), "spike: {factor: 2x, hold: 4s, recovery: 30s}"), "PASSED",
                "Recovered");
    }

    @Test
    void bottleneck_finds_the_capacity_and_says_what_it_knows_of_its_limit() throws Throwable {
        JsonNode run = run("bottleneck", live.oddInstance(), "");

        stolen.unlessRobbed(() -> assertThat(run.path("outcome").asString()).as(run.path("stopReason").toString())
                .isEqualTo("CAPACITY_FOUND"));
        assertThat(run.path("bottleneck").isEmpty()).as(run.path("stopReason").toString())
                .isEqualTo(run.path("stopReason").path("detail").asString().contains("doubtful"));
    }
}
