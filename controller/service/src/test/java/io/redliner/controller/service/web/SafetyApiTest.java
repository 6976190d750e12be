// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.Submitter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SafetyApiTest {

    private static final String REASON = "{\"reason\": \"a test\"}";

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private static String type(Answer answer) {
        String type = answer.json().get("type").asString();
        return type.substring(type.lastIndexOf('/') + 1);
    }

    private static String plan(String service, String safety) {
        return Scene.plan(service, service) + "  safety: " + safety + "\n";
    }

    @Test
    void a_freeze_keeps_runs_from_beginning_until_it_is_taken_away() {
        FakeDataPlane plane = scene.plane(scene.newService());
        Instant now = scene.now();
        Answer added = client.post("/api/v1/freezes",
                "{\"service\": \"%s\", \"from\": \"%s\", \"to\": \"%s\", \"reason\": \"sale\"}"
                        .formatted(plane.service(), now, now.plusSeconds(3600)));
        assertThat(added.status()).isEqualTo(201);

        Answer refused = client.post("/api/v1/runs", Scene.plan(plane.service(), plane.service()));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(type(refused)).isEqualTo("frozen");
        assertThat(refused.json().get("detail").asString()).contains("sale");
        assertThat(client.get(added.header("Location")).json().get("actor").asString()).isEqualTo("local");
        assertThat(client.delete(added.header("Location")).status()).isEqualTo(204);
        assertThat(client.delete(added.header("Location")).status()).isEqualTo(404);

        String id = scene.start(plane.service());
        assertThat(client.post("/api/v1/runs/" + id + ":abort", REASON).status()).isEqualTo(202);
    }

    @Test
    void a_freeze_that_begins_ends_the_runs_of_its_service() {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        String id = scene.start(plane.service());
        scene.awaitPhase(id, "Ramping");
        Instant now = scene.now();

        client.post("/api/v1/freezes", "{\"service\": \"%s\", \"from\": \"%s\", \"to\": \"%s\", \"reason\": \"sale\"}"
                .formatted(plane.service(), now.plusSeconds(2), now.plusSeconds(60)));

        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("Freeze");
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
    }

    @Test
    void mistakes_in_a_freeze_are_reported_with_their_field() {
        Answer mistaken = client.post("/api/v1/freezes",
                "{\"from\": \"tomorrow\", \"to\": \"2026-01-01T00:00:00Z\", \"raeson\": \"x\"}");

        assertThat(type(mistaken)).isEqualTo("invalid-document");
        assertThat(mistaken.json().get("errors").toString()).contains("$.from", "$.reason", "$.raeson");
        assertThat(type(client.post("/api/v1/freezes",
                "{\"from\": \"2020-01-01T00:00:00Z\", \"to\": \"2020-01-02T00:00:00Z\", \"reason\": \"x\"}")))
                .isEqualTo("invalid-parameter");
    }

    @Test
    void two_services_of_one_conflict_group_are_never_tested_at_once() throws Exception {
        List<FakeDataPlane> planes = List.of(scene.plane(scene.newService()), scene.plane(scene.newService()));
        String group = "group-" + planes.getFirst().service();
        planes.forEach(plane -> plane.holding = true);

        List<Callable<Answer>> starts = new ArrayList<>();
        for (FakeDataPlane plane : planes) {
            starts.add(() -> client.post("/api/v1/runs", plan(plane.service(), "{conflictGroup: " + group + "}")));
        }
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (Future<Answer> answer : threads.invokeAll(starts)) {
                answers.add(answer.get());
            }
        }

        Answer started = answers.stream().filter(answer -> answer.status() == 202).findFirst().orElseThrow();
        Answer refused = answers.stream().filter(answer -> answer.status() == 409).findFirst().orElseThrow();
        assertThat(refused.json().get("runId").asString()).isEqualTo(started.json().get("id").asString());
        assertThat(refused.json().get("detail").asString()).contains(group);
        client.post("/api/v1/runs/" + started.json().get("id").asString() + ":abort", REASON);
    }

    @Test
    void a_month_whose_harm_is_spent_lets_no_run_begin() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String budget = "/api/v1/services/" + plane.service() + "/harm-budget";
        assertThat(client.get(budget).status()).isEqualTo(404);
        assertThat(client.put(budget, "{\"requestsPerMonth\": 1}").json().get("left").asDouble()).isEqualTo(1);

        String id = scene.start(plane.service());
        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("HarmBudget");
        client.put(budget, "{\"requestsPerMonth\": 0}");

        Answer refused = client.post("/api/v1/runs", Scene.plan(plane.service(), plane.service()));
        assertThat(type(refused)).isEqualTo("harm-budget-spent");
        assertThat(client.delete(budget).status()).isEqualTo(204);
        assertThat(type(client.put(budget, "{\"requestsPerMonth\": -1}"))).isEqualTo("invalid-document");
    }

    @Test
    void a_run_that_waits_for_approval_moves_nothing_and_its_own_submitter_cannot_approve_it() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String id = Submitter.submit(scene, "local", plan(plane.service(), "{approval: {within: 1h}}"));

        scene.during(Duration.ofSeconds(4), () -> scene.run(id).get("phase").asString().equals("Pending"));
        assertThat(plane.leases()).isEmpty();
        JsonNode approval = scene.run(id).get("approval");
        assertThat(approval.get("submittedBy").asString()).isEqualTo("local");
        assertThat(Instant.parse(approval.get("until").asString()))
                .isEqualTo(Instant.parse(scene.run(id).get("submittedAt").asString()).plus(Duration.ofHours(1)));
        Answer own = client.post("/api/v1/runs/" + id + ":approve", REASON);
        assertThat(own.status()).isEqualTo(409);
        assertThat(type(own)).isEqualTo("second-person-needed");
        assertThat(client.post("/api/v1/runs/" + id + ":abort", REASON).status()).isEqualTo(202);
        JsonNode run = scene.awaitPhase(id, "Finished");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("AbortRequested");
        assertThat(run.has("approval")).isFalse();
        assertThat(type(client.post("/api/v1/runs/" + id + ":approve", REASON))).isEqualTo("run-finished");
    }

    @Test
    void an_approval_that_nobody_can_give_is_refused_before_a_run_waits_for_it() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String plan = plan(plane.service(), "{approval: {within: 1h}}");

        for (String address : new String[]{"/api/v1/runs", "/api/v1/runs?dryRun=true"}) {
            Answer refused = client.post(address, plan);
            assertThat(refused.status()).as(refused.response().body()).isEqualTo(422);
            assertThat(type(refused)).isEqualTo("no-approver");
            assertThat(refused.json().get("field").asString()).isEqualTo("$.spec.safety.approval");
            assertThat(refused.json().get("detail").asString()).contains("in access mode open everybody is 'local'",
                    "leave safety.approval out", "schedule", "redliner.controller.access.mode");
        }
        assertThat(client.get("/api/v1/runs?service=" + plane.service()).json().get("items")).isEmpty();
        Answer valid = client.post("/api/v1/plans:validate", plan);
        assertThat(valid.status()).isEqualTo(200);
        assertThat(valid.json().get("notes")).singleElement()
                .satisfies(note -> assertThat(note.asString()).contains("everybody is 'local'"));
    }

    @Test
    void the_local_user_approves_what_a_schedule_submitted() {
        FakeDataPlane plane = scene.plane(scene.newService());
        String scheduled = plan(plane.service(), "{approval: {within: 1h}}")
                + "  schedule: {cron: \"0 0 1 1 *\", zone: UTC}\n";
        Answer valid = client.post("/api/v1/plans:validate", scheduled);
        assertThat(valid.status()).as(valid.response().body()).isEqualTo(200);
        assertThat(valid.json().get("notes")).as("its own runs are the scheduler's").isEmpty();

        String id = Submitter.submit(scene, "schedule", plan(plane.service(), "{approval: {within: 1h}}"));

        assertThat(client.post("/api/v1/runs/" + id + ":approve", REASON).status()).isEqualTo(202);
        scene.awaitPhase(id, "Finished");
    }

    @Test
    void a_run_is_paused_and_resumed_and_only_where_that_makes_sense() {
        FakeDataPlane plane = scene.plane(scene.newService());
        plane.holding = true;
        String id = scene.start(plane.service());
        scene.awaitPhase(id, "Ramping");
        assertThat(type(client.post("/api/v1/runs/" + id + ":resume", REASON))).isEqualTo("wrong-phase");
        JsonNode limit = client.get("/api/v1/runs/" + id).json().get("limit");
        assertThat(limit.get("code").asString()).isEqualTo("MaxDuration");

        client.post("/api/v1/runs/" + id + ":pause", REASON);
        JsonNode paused = scene.awaitPhase(id, "Paused");
        assertThat(paused.get("askedShare").asDouble()).isEqualTo(paused.get("naturalShare").asDouble());
        assertThat(paused.get("limit")).isEqualTo(limit);
        assertThat(paused.at("/pause/detail").asString()).contains("ends it at " + limit.get("at").asString());
        await().until(() -> client.get("/api/v1/runs/" + id).json().at("/pause/traffic").asString().equals("NATURAL"));
        client.post("/api/v1/runs/" + id + ":resume", REASON);
        assertThat(scene.awaitPhase(id, "Ramping").has("pause")).isFalse();
        plane.holding = false;

        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
    }
}
