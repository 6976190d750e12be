// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ApiTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private static String type(Answer answer) {
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.response().body()).doesNotContain("Exception", "\tat ", "trace");
        String type = answer.json().get("type").asString();
        return type.substring(type.lastIndexOf('/') + 1);
    }

    @Test
    void keeps_plans_and_their_versions() {
        String plan = Scene.plan("shop", "weekly");

        Answer created = client.post("/api/v1/plans", plan);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo("/api/v1/plans/weekly");
        assertThat(type(client.post("/api/v1/plans", plan))).isEqualTo("plan-exists");
        assertThat(client.put("/api/v1/plans/weekly", plan).json().get("version").asInt()).isEqualTo(1);
        assertThat(client.put("/api/v1/plans/weekly", plan.replace("60%", "50%")).json().get("version").asInt())
                .isEqualTo(2);
        assertThat(client.get("/api/v1/plans/weekly").json().at("/plan/spec/limits/maxShare").asString())
                .isEqualTo("50%");
        assertThat(type(client.put("/api/v1/plans/other", plan))).isEqualTo("name-differs");
        assertThat(client.get("/api/v1/plans").json().get("items").size()).isGreaterThanOrEqualTo(1);
        assertThat(client.delete("/api/v1/plans/weekly").status()).isEqualTo(204);
        assertThat(client.delete("/api/v1/plans/weekly").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/plans/weekly").status()).isEqualTo(404);
    }

    @Test
    void a_mistake_in_a_plan_is_reported_with_line_column_and_field() {
        Answer answer = client.post("/api/v1/plans:validate",
                Scene.plan("shop", "weekly").replace("maxShare", "maxshare").replace("2m", "2"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(type(answer)).isEqualTo("invalid-document");
        JsonNode first = answer.json().get("errors").get(0);
        assertThat(first.get("line").asInt()).isEqualTo(11);
        assertThat(first.get("column").asInt()).isEqualTo(12);
        assertThat(first.get("field").asString()).isEqualTo("$.spec.limits.maxshare");
        assertThat(answer.json().get("errors").get(1).get("field").asString()).isEqualTo("$.spec.limits.maxDuration");
        assertThat(client.post("/api/v1/plans:validate", Scene.plan("shop", "weekly")).json().get("valid").asBoolean())
                .isTrue();
    }

    @Test
    void a_validation_says_which_rules_are_levels() {
        Answer counted = client.post("/api/v1/plans:validate", Scene.plan("shop", "weekly"));
        assertThat(counted.json().get("notes")).isEmpty();

        Answer level = client.post("/api/v1/plans:validate", Scene.plan("shop", "weekly").replace("  sla:\n",
                "  sla:\n    - {name: cpu, expr: \"cpu <= 0.9\"}\n"));
        assertThat(level.status()).as(level.response().body()).isEqualTo(200);
        assertThat(level.json().get("notes").get(0).asString()).startsWith("rule 'cpu' (cpu <= 0.9)")
                .contains("level", "harm");
    }

    @Test
    void an_unknown_service_or_instance_is_refused_with_what_is_known() {
        String service = scene.newService();
        scene.plane(service);

        Answer nobody = client.post("/api/v1/runs", Scene.plan("nobody", "x"));
        assertThat(nobody.status()).isEqualTo(422);
        assertThat(type(nobody)).isEqualTo("unknown-service");
        assertThat(nobody.json().get("known").toString()).contains(service);
        Answer instance = client.post("/api/v1/runs", Scene.plan(service, "x").replace("10.0.0.1", "10.0.0.9"));
        assertThat(instance.status()).isEqualTo(422);
        assertThat(type(instance)).isEqualTo("unknown-instance");
        assertThat(instance.json().get("known").toString()).contains("10.0.0.1:8080");
        assertThat(instance.json().get("field").asString()).isEqualTo("$.spec.sut.instance");
        Answer limit = client.post("/api/v1/runs", Scene.plan(service, "x").replace("60%", "20%"));
        assertThat(type(limit)).isEqualTo("share-limit-below-natural");
        assertThat(type(client.post("/api/v1/runs", "{\"plan\": \"none\"}"))).isEqualTo("unknown-plan");
    }

    @Test
    void without_a_connected_proxy_there_is_no_run() {
        String service = scene.newService();
        FakeDataPlane plane = scene.newPlane(service);
        plane.proxyConnected = false;
        scene.adopt(plane);

        Answer answer = client.post("/api/v1/runs", Scene.plan(service, "x"));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(type(answer)).isEqualTo("no-proxy-connected");
    }

    @Test
    void a_dry_run_resolves_everything_and_touches_nothing() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);

        Answer answer = client.post("/api/v1/runs?dryRun=true", Scene.plan(service, "x"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("naturalShare").asDouble()).isEqualTo(0.25);
        assertThat(answer.json().get("peers").size()).isEqualTo(3);
        assertThat(client.get("/api/v1/runs?service=" + service).json().get("items").size()).isZero();
        assertThat(plane.leases()).isEmpty();
    }

    @Test
    void a_busy_service_is_refused_and_the_same_request_is_the_same_run() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        client.post("/api/v1/plans", Scene.plan(service, service));
        String order = "{\"plan\": \"" + service + "\"}";

        Answer first = client.post("/api/v1/runs", order, "Idempotency-Key", "key-" + service);
        String id = first.json().get("id").asString();
        assertThat(first.status()).isEqualTo(202);
        assertThat(first.header("Location")).isEqualTo("/api/v1/runs/" + id);
        Answer again = client.post("/api/v1/runs", order, "Idempotency-Key", "key-" + service);
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.json().get("id").asString()).isEqualTo(id);
        Answer other = client.post("/api/v1/runs", Scene.plan(service, "x"), "Idempotency-Key", "key-" + service);
        assertThat(other.status()).isEqualTo(409);
        assertThat(type(other)).isEqualTo("idempotency-conflict");
        Answer busy = client.post("/api/v1/runs", Scene.plan(service, "x"));
        assertThat(busy.status()).isEqualTo(409);
        assertThat(type(busy)).isEqualTo("service-busy");
        assertThat(busy.json().get("runId").asString()).isEqualTo(id);
        assertThat(client.post("/api/v1/runs?dryRun=true", Scene.plan(service, "x")).status()).isEqualTo(409);

        assertThat(type(client.post("/api/v1/runs/" + id + ":abort", "{\"raeson\": \"enough\"}")))
                .isEqualTo("invalid-document");
        assertThat(type(client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \" \"}")))
                .isEqualTo("invalid-document");
        assertThat(client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"enough\"}").status()).isEqualTo(202);
        scene.awaitPhase(id, "Finished");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}"})
    void a_run_is_stopped_first_and_explained_afterwards(String body) {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        String path = "/api/v1/runs/" + scene.start(plane.service());

        assertThat(client.post(path + ":abort", body).status()).isEqualTo(202);
        JsonNode run = scene.awaitPhase(path.replaceAll(".*/", ""), "Finished");

        assertThat(run.at("/stopReason/detail").asString()).isEqualTo("stopped by local, no reason given");
        assertThat(client.post(path + ":explain", "{\"reason\": \"users complained\"}").status()).isEqualTo(204);
        assertThat(type(client.post(path + ":explain", "{}"))).isEqualTo("invalid-document");
        assertThat(type(client.post("/api/v1/runs/none:explain", "{\"reason\": \"x\"}"))).isEqualTo("not-found");
        JsonNode explained = client.get("/api/v1/audit?limit=20").json().get("items").valueStream()
                .filter(entry -> entry.path("resource").asString().equals(path + ":explain")
                        && entry.path("status").asInt() == 204)
                .findFirst().orElseThrow();
        assertThat(explained.path("reason").asString()).isEqualTo("users complained");
    }

    @Test
    void runs_are_listed_newest_first_by_pages_and_filters() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        List<String> started = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            String id = scene.start(service);
            started.addFirst(id);
            client.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"next\"}");
            scene.awaitPhase(id, "Finished");
        }

        JsonNode first = client.get("/api/v1/runs?limit=2&service=" + service).json();
        JsonNode second = client
                .get("/api/v1/runs?limit=2&service=" + service + "&pageToken=" + first.get("nextPageToken").asString())
                .json();

        List<String> listed = new ArrayList<>();
        first.get("items").forEach(run -> listed.add(run.get("id").asString()));
        second.get("items").forEach(run -> listed.add(run.get("id").asString()));
        assertThat(listed).isEqualTo(started);
        assertThat(second.has("nextPageToken")).isFalse();
        assertThat(client.get("/api/v1/runs?phase=Finished&since=2999-01-01T00:00:00Z").json().get("items").size())
                .isZero();
    }

    @Test
    void what_cannot_be_understood_is_a_problem_and_never_a_stack_trace() {
        assertThat(type(client.get("/api/v1/runs?limit=0"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs?limit=x"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs?pageToken=x"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs?phase=Nowhere"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs?since=yesterday"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs/none"))).isEqualTo("not-found");
        assertThat(type(client.get("/api/v1/runs/none/steps"))).isEqualTo("not-found");
        assertThat(type(client.get("/api/v1/runs/none/events", "Accept", "text/event-stream"))).isEqualTo("not-found");
        assertThat(type(client.get("/api/v1/runs/none/events", "Last-Event-ID", "x"))).isEqualTo("not-found");
        assertThat(type(client.get("/api/v1/runs/none/windows"))).isEqualTo("not-found");
        assertThat(type(client.get("/api/v1/capacities/none"))).isEqualTo("not-found");
        assertThat(client.get("/api/v1/nothing").status()).isEqualTo(404);
        assertThat(client.delete("/api/v1/runs").status()).isEqualTo(405);
        assertThat(type(client.post("/api/v1/runs", "\u0000"))).isEqualTo("invalid-document");
    }

    @Test
    void control_characters_are_refused_before_they_reach_the_database() {
        String token = Base64.getUrlEncoder()
                .encodeToString("2026-01-01T00:00:00Z a\u0000b".getBytes(StandardCharsets.UTF_8));

        assertThat(type(client.get("/api/v1/runs?service=a%00b"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs?pageToken=" + token))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/runs/a%01b"))).isEqualTo("invalid-parameter");
        assertThat(client.get("/api/v1/runs/a%00b").status()).isEqualTo(400);
        assertThat(type(client.post("/api/v1/runs", Scene.plan("shop", "x"), "Idempotency-Key", "a\tb")))
                .isEqualTo("invalid-parameter");
        assertThat(type(client.post("/api/v1/runs", "{\"plan\": \"a\\u0000b\"}"))).isEqualTo("invalid-document");
        assertThat(type(client.post("/api/v1/runs/none:abort", "{\"reason\": \"a\\u0000b\"}")))
                .isEqualTo("invalid-document");
        assertThat(type(client.post("/api/v1/runs/none:abort", "{\"reason\": \"a\\nb\"}")))
                .isEqualTo("invalid-document");
        assertThat(type(client.post("/api/v1/plans",
                Scene.plan("shop", "x").replace("name: x", "name: x, labels: {a: \"b\\0\"}"))))
                .isEqualTo("invalid-document");
    }

    @Test
    void pages_of_other_sites_may_not_start_anything() {
        Answer answer = client.post("/api/v1/plans:validate", Scene.plan("shop", "x"), "Origin",
                "https://evil.example");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(type(answer)).isEqualTo("cross-site");
    }
}
