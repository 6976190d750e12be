// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.testkit.PlanText;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Profiles from the plan to the answer, over a real proxy and a real analyzer. The odd instance has a capacity of some 71
 * requests/s of the service's 175; each of the others has about twice as much. {@link CapacityRunTest} is the one of the profile
 * {@code capacity}, and {@link LongRunsTest} has those of endurance, scalability and regression.
 */
@Tag("soak")
class ProfilesTest {

    private static final SlowFleet FLEET = SlowFleet.QUARTER_RATE;

    @RegisterExtension
    final SharedStack shared = SharedStack.steady();

    private static String plan(OwnService service, String instance, String profile, String settings) {
        return PlanText.of(service.name(), instance, "profile: " + profile, settings,
                PlanText.sla(FLEET.limit().toMillis() + "ms", "0.001"),
                "limits: {maxShare: 80%, maxRaise: 2.5x, maxDuration: 5m, harmBudget: 20%, window: 1s}");
    }

    /** A run on the instance that has room, or on the odd one, of a service of its own. */
    private JsonNode run(String test, boolean roomy, String profile, String settings) {
        OwnService service = shared.serve(FLEET.service(test));
        ApiClient controller = shared.controller();
        controller.putPlan(service.name(),
                plan(service, roomy ? FLEET.roomyInstance(service) : FLEET.oddInstance(service), profile, settings));
        JsonNode ended = RunEnd.awaitOf(controller, controller.startRun(service.name()), Duration.ofMinutes(6));
        assertThat(ended.path("restore").path("proof").asString()).as(ended.toString()).isEqualTo("MEASURED");
        return ended;
    }

    private static void assertEnded(JsonNode run, String outcome, String code) {
        JsonNode reason = run.path("stopReason");
        assertThat(run.path("outcome").asString()).as(reason.toString()).isEqualTo(outcome);
        assertThat(reason.path("code").asString()).as(reason.toString()).isEqualTo(code);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void smoke_proves_that_everything_works() {
        assertEnded(run("smoke", true, "smoke", "smoke: {hold: 5s}"), "PASSED", "SlaHeld");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void load_passes_where_the_instance_has_room() {
        assertEnded(run("load-passes", true, "load", "load: {share: 35%, ramp: 3s, hold: 8s}"), "PASSED", "SlaHeld");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void load_fails_beyond_the_capacity() {
        assertEnded(run("load-fails", false, "load", "load: {share: 56%, ramp: 3s, hold: 20s}"), "THRESHOLD_FAILED",
                "SlaBroken");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void breakpoint_goes_on_past_the_first_breach() {
        JsonNode run = run("breakpoint", false, "breakpoint", """
                breakpoint:
                    step: 1.3x
                    dwell: 3s
                    until: [{name: collapse, expr: "latency.p99 > duration('1000ms') || error_rate > 0.05"}]""");

        assertEnded(run, "PASSED", "BreakpointFound");
        assertThat(run.path("report").path("figures").toString()).contains("load.firstBreach");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void stress_recovers() {
        assertEnded(run("stress", false, "stress", "stress: {target: 95, ramp: 2s, hold: 5s, recovery: 30s}"), "PASSED",
                "Recovered");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void spike_recovers() {
        assertEnded(run("spike", false, "spike", "spike: {factor: 2x, hold: 4s, recovery: 30s}"), "PASSED",
                "Recovered");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void bottleneck_finds_the_capacity_and_says_what_it_knows_of_its_limit() {
        JsonNode run = run("bottleneck", false, "bottleneck", "");

        assertThat(run.path("outcome").asString()).as(run.path("stopReason").toString()).isEqualTo("CAPACITY_FOUND");
        assertThat(run.path("bottleneck").isEmpty()).as(run.path("stopReason").toString())
                .isEqualTo(run.path("stopReason").path("detail").asString().contains("doubtful"));
    }
}
