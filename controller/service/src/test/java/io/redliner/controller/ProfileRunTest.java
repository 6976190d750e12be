// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.RunSpec;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ProfileRunTest {

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private JsonNode run(String profile) {
        return scene.awaitPhase(scene.startPlan(Scene.plan(service, service) + profile), "Finished");
    }

    private static double figure(JsonNode run, String name) {
        for (JsonNode figure : run.get("report").get("figures")) {
            if (figure.get("name").asString().equals(name)) {
                return figure.get("value").asDouble();
            }
        }
        throw new AssertionError("no " + name + " in " + run.toPrettyString());
    }

    private static String code(JsonNode run) {
        return run.get("stopReason").get("code").asString();
    }

    @Test
    void smoke_stays_at_the_natural_share_and_passes() {
        JsonNode run = run("  profile: smoke\n  smoke: {hold: 2s}\n");

        assertThat(run.get("outcome").asString()).as(run.toPrettyString()).isEqualTo("PASSED");
        assertThat(code(run)).isEqualTo("SlaHeld");
        assertThat(run.get("profile").asString()).isEqualTo("smoke");
        assertThat(plane.leases()).extracting(Lease::getSharePpm).containsOnly(FakeDataPlane.NATURAL_PPM);
        assertThat(plane.runs()).extracting(RunSpec::getJudgedOnly).containsOnly(true);
        assertThat(scene.client().get("/api/v1/capacities/" + service).status()).isEqualTo(404);
    }

    @Test
    void load_holds_its_target_or_fails() {
        JsonNode held = run("  profile: load\n  load: {target: 350, ramp: 2s, hold: 2s}\n");
        JsonNode broken = run("  profile: load\n  load: {share: 45%, ramp: 2s, hold: 2s}\n");

        assertThat(held.get("outcome").asString()).isEqualTo("PASSED");
        assertThat(figure(held, "windows.counted")).isEqualTo(20);
        assertThat(broken.get("outcome").asString()).isEqualTo("THRESHOLD_FAILED");
        assertThat(code(broken)).isEqualTo("SlaBroken");
        assertThat(broken.get("stopReason").get("detail").asString()).contains("latency");
        assertThat(plane.newestLease().getReleased()).isTrue();
    }

    @Test
    void a_spike_leaps_and_measures_the_recovery() {
        JsonNode run = run("  profile: spike\n  spike: {share: 45%, hold: 1s, recovery: 20s}\n");

        assertThat(run.get("outcome").asString()).as(run.toPrettyString()).isEqualTo("PASSED");
        assertThat(code(run)).isEqualTo("Recovered");
        assertThat(plane.leases().stream().map(Lease::getSharePpm).distinct()).containsExactly(
                FakeDataPlane.NATURAL_PPM, 450_000);
        assertThat(figure(run, "recovery")).isBetween(0.0, 2.0);
        assertThat(figure(run, "load.firstBreach")).isEqualTo(450);
    }

    @Test
    void stress_goes_beyond_what_holds_and_comes_back() {
        JsonNode run = run("  profile: stress\n  stress: {share: 45%, ramp: 2s, hold: 1s, recovery: 20s}\n");

        assertThat(code(run)).as(run.toPrettyString()).isEqualTo("Recovered");
        assertThat(figure(run, "load.firstBreach")).isBetween(400.0, 451.0);
        assertThat(run.get("harm").get("requests").asDouble()).isGreaterThan(0);
    }

    @Test
    void a_breakpoint_run_goes_past_the_breach_to_the_failure() {
        JsonNode run = run("""
                  profile: breakpoint
                  breakpoint: {step: 1.3x, dwell: 1s, until: [{name: gone, expr: "error_rate > 0.5"}]}
                """);

        assertThat(code(run)).as(run.toPrettyString()).isEqualTo("BreakpointFound");
        assertThat(figure(run, "load.firstBreach")).isBetween(400.0, 430.0);
        assertThat(figure(run, "load.failure")).isGreaterThan(520);
        assertThat(plane.leases()).extracting(Lease::getSharePpm).allMatch(share -> share <= 600_000);
    }

    @Test
    void what_cannot_be_reached_or_is_relative_to_nothing_is_refused_by_field() {
        Answer leap = scene.client().post("/api/v1/runs",
                Scene.plan(service, service) + "  profile: spike\n  spike: {share: 55%, hold: 1s, recovery: 5s}\n");
        Answer unknown = scene.client().post("/api/v1/runs",
                Scene.plan(service, service) + "  profile: stress\n"
                        + "  stress: {hold: 1s, recovery: 5s}\n");

        assertThat(leap.status()).isEqualTo(422);
        assertThat(leap.json().get("field").asString()).isEqualTo("$.spec.spike.share");
        assertThat(unknown.status()).isEqualTo(422);
        assertThat(unknown.json().get("type").asString()).endsWith("no-capacity-known");
        assertThat(unknown.json().get("field").asString()).isEqualTo("$.spec.stress.capacity");
    }

    @Test
    void a_part_of_the_capacity_is_that_of_the_lower_end_of_the_last_one() {
        scene.awaitPhase(scene.start(service), "Finished");

        JsonNode run = run("  profile: load\n  load: {capacity: 80%, ramp: 1s, hold: 1s}\n");

        assertThat(code(run)).isEqualTo("SlaHeld");
        assertThat(run.get("stopReason").get("detail").asString()).contains("312 requests/s");
    }

    @Test
    void the_question_for_the_bottleneck_is_a_capacity_run_with_an_attribution() {
        JsonNode run = run("  profile: bottleneck\n");

        assertThat(run.get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
        assertThat(run.get("bottleneck").get(0).get("resource").asString()).isEqualTo("CPU");
        assertThat(run.get("stopReason").get("detail").asString()).doesNotContain("doubtful");
    }
}
