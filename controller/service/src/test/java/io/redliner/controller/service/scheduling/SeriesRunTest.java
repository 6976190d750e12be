// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

class SeriesRunTest {

    private static final String REGRESSION = """
              profile: regression
              regression: {old: "10.0.0.1:8080", new: "10.0.0.2:8080"}
            """;

    private final Scene scene = Scene.shared();

    private final String service = scene.newService();

    private final FakeDataPlane plane = scene.plane(service);

    private String begin(String profile) {
        Answer answer = scene.client().post("/api/v1/runs", Scene.plan(service, service) + profile);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        String id = answer.json().get("id").asString();
        assertThat(answer.response().headers().firstValue("Location")).hasValue("/api/v1/series/" + id);
        return id;
    }

    private JsonNode series(String id) {
        return scene.client().get("/api/v1/series/" + id).json();
    }

    private JsonNode finished(String id) {
        scene.until(() -> {
            // A request takes longer than a slice of virtual time.
            scene.pass(Duration.ofSeconds(1));
            return series(id).get("phase").asString().equals("Finished");
        });
        return series(id);
    }

    @Test
    void a_regression_runs_old_new_new_old_once_each_although_two_controllers_look_after_it() {
        JsonNode end;
        try (ConfigurableApplicationContext other = scene.startController(
                Map.of("redliner.controller.series.every", "300ms"))) {
            assertThat(other.isRunning()).isTrue();
            end = finished(begin(REGRESSION));
        }

        assertThat(end.get("outcome").asString()).as(end.toPrettyString()).isEqualTo("COMPLETED");
        assertThat(end.get("exitCode").asInt(-1)).isZero();
        List<String> instances = new ArrayList<>();
        List<String> runs = new ArrayList<>();
        for (JsonNode member : end.get("members")) {
            instances.add(member.get("instance").asString());
            runs.add(member.get("runId").asString());
            assertThat(member.get("value").asDouble()).isEqualTo(395);
        }
        assertThat(instances).containsExactly("10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.2:8080", "10.0.0.1:8080");
        assertThat(runs).doesNotHaveDuplicates();
        assertThat(end.get("result").get("verdict").asString()).isEqualTo("SAME");
        assertThat(scene.client().get("/api/v1/runs?service=" + service).json().get("items").size()).isEqualTo(4);
        assertThat(scene.client().get("/api/v1/series?limit=1").json().get("items").size()).isEqualTo(1);
    }

    @Test
    void the_law_of_scalability_is_fitted_to_the_capacities_of_all_sizes() {
        JsonNode end = finished(begin("""
                  profile: scalability
                  scalability:
                    points:
                      - {instance: "10.0.0.1:8080", size: 1}
                      - {instance: "10.0.0.2:8080", size: 2}
                      - {instance: "10.0.0.3:8080", size: 4}
                      - {instance: "10.0.0.4:8080", size: 8}
                """));

        assertThat(end.get("outcome").asString()).as(end.toPrettyString()).isEqualTo("COMPLETED");
        assertThat(end.get("result").get("verdict").asString()).isEqualTo("FITTED");
        JsonNode sigma = end.get("result").get("figures").get(1);
        assertThat(sigma.get("name").asString()).isEqualTo("sigma");
        assertThat(sigma.get("value").asDouble()).as("what does not grow at all is done one at a time")
                .isGreaterThan(0.9);
    }

    @Test
    void latencies_are_compared_at_the_same_load() {
        JsonNode end = finished(begin("""
                  profile: regression
                  regression:
                    old: "10.0.0.1:8080"
                    new: "10.0.0.2:8080"
                    compare: latency
                    load: {target: 300, ramp: 1s, hold: 2s}
                """));

        assertThat(end.get("result").get("verdict").asString()).as(end.toPrettyString()).isEqualTo("SAME");
        assertThat(end.get("members").get(0).get("value").asDouble()).isBetween(0.07, 0.08);
    }

    @Test
    void an_abort_ends_the_run_under_way_and_starts_no_other() {
        plane.holding = true;
        String id = begin(REGRESSION);
        scene.until(() -> series(id).get("members").get(0).has("runId"));

        int status = scene.client().post("/api/v1/series/" + id + ":abort", "{\"reason\": \"wrong day\"}").status();
        JsonNode end = finished(id);

        assertThat(status).isEqualTo(202);
        assertThat(end.get("outcome").asString()).isEqualTo("ABORTED");
        assertThat(end.get("exitCode").asInt()).isEqualTo(105);
        assertThat(end.get("reason").asString()).contains("wrong day");
        assertThat(scene.run(end.get("members").get(0).get("runId").asString()).get("outcome").asString())
                .isEqualTo("ABORTED");
        assertThat(end.get("members").get(1).has("runId")).isFalse();
        assertThat(scene.client().post("/api/v1/series/" + id + ":abort", "{\"reason\": \"again\"}").status())
                .isEqualTo(409);
    }

    @Test
    void an_instance_that_is_not_there_is_refused_before_anything_is_run() {
        Answer answer = scene.client().post("/api/v1/runs", Scene.plan(service, service) + """
                  profile: regression
                  regression: {old: "10.0.0.1:8080", new: "10.9.9.9:8080"}
                """);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().get("type").asString()).endsWith("unknown-instance");
        assertThat(scene.client().get("/api/v1/series/nothing").status()).isEqualTo(404);
    }

    @Test
    void instances_on_unlike_hardware_are_not_compared() {
        hardware(1, "c5.large");
        Answer unknown = scene.client().post("/api/v1/runs", Scene.plan(service, service) + REGRESSION);
        hardware(2, "c6.large");
        Answer other = scene.client().post("/api/v1/runs", Scene.plan(service, service) + REGRESSION);

        assertThat(unknown.status()).isEqualTo(422);
        assertThat(unknown.json().get("type").asString()).endsWith("unlike-hardware");
        assertThat(unknown.json().get("detail").asString()).contains(
                "old 10.0.0.1:8080 runs on c5.large and new 10.0.0.2:8080 on hardware that nobody reported");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().get("detail").asString()).contains("on c6.large");
    }

    private void hardware(int number, String hardware) {
        scene.client().put("/api/v1/services/" + service + "/instances/10.0.0." + number + ":8080",
                "{\"hardware\": \"" + hardware + "\"}");
    }

    @Test
    void the_same_request_twice_is_one_series() {
        plane.holding = true;
        String body = Scene.plan(service, service) + REGRESSION;
        Answer first = scene.client().post("/api/v1/runs", body, "Idempotency-Key", service);
        Answer again = scene.client().post("/api/v1/runs", body, "Idempotency-Key", service);
        Answer other = scene.client().post("/api/v1/runs", body + "\n", "Idempotency-Key", service);

        assertThat(again.json().get("id")).isEqualTo(first.json().get("id"));
        assertThat(other.status()).isEqualTo(409);
        scene.client().post("/api/v1/series/" + first.json().get("id").asString() + ":abort",
                "{\"reason\": \"enough\"}");
        finished(first.json().get("id").asString());
    }
}
