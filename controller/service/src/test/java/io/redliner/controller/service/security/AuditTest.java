// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.controller.core.security.Role;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import tools.jackson.databind.JsonNode;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(GuardedScene.LOCK)
class AuditTest {

    private final GuardedScene guarded = GuardedScene.shared();

    private List<JsonNode> log(String query) {
        Answer answer = guarded.admin().get("/api/v1/audit?" + query);
        assertThat(answer.status()).isEqualTo(200);
        List<JsonNode> items = new ArrayList<>();
        answer.json().get("items").forEach(items::add);
        return items;
    }

    @Test
    void the_log_tells_who_did_what_to_what_when_why_and_with_what_outcome() {
        String service = guarded.scene.newService();
        guarded.scene.plane(service).holding = true;
        String name = guarded.newName();
        Client operator = guarded.bearer(guarded.token(name, Role.OPERATOR));
        Instant before = guarded.scene.now().minusSeconds(1);
        String id = operator.post("/api/v1/runs", Scene.plan(service, service)).json().get("id").asString();
        guarded.scene.awaitPhase(id, "Ramping");
        operator.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"wrong instance\"}");
        // Stops are written behind their answers.
        await().until(() -> log("actor=" + name + "&since=" + before).size() == 2);
        operator.put("/api/v1/services/" + service + "/owner", "{\"team\": \"mine\"}");
        operator.delete("/api/v1/plans/none", "X-Reason", "tidying\tup");

        List<JsonNode> log = log("actor=" + name + "&since=" + before);
        operator.delete("/api/v1/plans/none", "X-Reason", "UTF-8''aufger%C3%A4umt");
        operator.delete("/api/v1/plans/none", "X-Reason", "UTF-8''%zz");

        assertThat(log("actor=" + name + "&since=" + before).stream().limit(2)
                .map(entry -> entry.get("reason").asString()))
                .containsExactly("UTF-8''%zz", "aufgeräumt");
        assertThat(log).hasSize(4);
        assertThat(log.get(3).get("method").asString()).isEqualTo("POST");
        assertThat(log.get(3).get("resource").asString()).isEqualTo("/api/v1/runs");
        assertThat(log.get(3).get("status").asInt()).isEqualTo(202);
        assertThat(log.get(3).get("service").asString()).isEqualTo(service);
        assertThat(log.get(3).get("run").asString()).isEqualTo(id);
        assertThat(log.get(3).get("kind").asString()).isEqualTo("token");
        assertThat(log.get(3).get("address").asString()).isEqualTo("127.0.0.1");
        assertThat(Instant.parse(log.get(3).get("at").asString())).isAfter(before);
        assertThat(log.get(2).get("reason").asString()).isEqualTo("wrong instance");
        assertThat(log.get(2).get("run").asString()).isEqualTo(id);
        assertThat(log.get(2).get("service").asString()).isEqualTo(service);
        assertThat(log.get(1).get("status").asInt()).isEqualTo(403);
        assertThat(log.get(0).get("status").asInt()).isEqualTo(404);
        assertThat(log.get(0).get("reason").asString()).isEqualTo("tidying up");
        assertThat(log("service=" + service)).hasSize(2);
        guarded.scene.awaitPhase(id, "Finished");
    }

    @Test
    void reading_is_not_logged_and_refusals_are() {
        int before = log("actor=anonymous&limit=1000").size();
        guarded.anonymous().get("/api/v1/runs");
        guarded.anonymous().post("/api/v1/plans:validate", "x");
        guarded.anonymous().post("/api/v1/runs", "x");

        List<JsonNode> log = log("actor=anonymous&limit=1000");

        assertThat(log).hasSize(before + 1);
        assertThat(log.getFirst().get("status").asInt()).isEqualTo(401);
        assertThat(log.getFirst().get("resource").asString()).isEqualTo("/api/v1/runs");
    }

    @Test
    void a_flood_of_refusals_does_not_fill_the_log() {
        try (ConfigurableApplicationContext context = guarded.scene
                .startController(Map.of("redliner.controller.access.mode", "authenticated"))) {
            Client nobody = Scene.client(context);
            int before = count();
            for (int i = 0; i < 100; i++) {
                assertThat(nobody.post("/api/v1/runs", "x").status()).isEqualTo(401);
            }
            assertThat(count() - before).isBetween(30, 40);
        }
    }

    private int count() {
        return guarded.jdbc().sql("SELECT count(*) FROM audit_entry").query(Integer.class).single();
    }

    @Test
    void pages_go_on_where_the_last_one_ended() {
        String name = guarded.newName();
        Client operator = guarded.bearer(guarded.token(name, Role.OPERATOR));
        for (int i = 0; i < 5; i++) {
            operator.delete("/api/v1/plans/none-" + i);
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        for (int page = 0; page < 3; page++) {
            JsonNode answer = guarded.admin().get("/api/v1/audit?limit=2&actor=" + name + token).json();
            answer.get("items").forEach(entry -> seen.add(entry.get("resource").asString()));
            token = answer.get("nextPageToken") == null ? "" : "&pageToken=" + answer.get("nextPageToken").asString();
        }
        assertThat(seen).containsExactly("/api/v1/plans/none-4", "/api/v1/plans/none-3", "/api/v1/plans/none-2",
                "/api/v1/plans/none-1", "/api/v1/plans/none-0");
        assertThat(token).isEmpty();
        for (String wrong : List.of("limit=0", "limit=x", "since=yesterday", "pageToken=%21")) {
            assertThat(guarded.admin().get("/api/v1/audit?" + wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void nobody_changes_what_is_in_the_log() {
        guarded.holder(Role.OPERATOR).delete("/api/v1/plans/none");
        for (String change : List.of("UPDATE audit_entry SET actor = 'nobody'", "DELETE FROM audit_outcome",
                "DELETE FROM audit_entry", "UPDATE audit_outcome SET status = 200",
                "TRUNCATE audit_entry, audit_outcome")) {
            assertThatThrownBy(() -> guarded.jdbc().sql(change).update()).as(change)
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("append-only");
        }
    }

    @Test
    void nothing_is_changed_that_cannot_be_logged() {
        Client operator = guarded.holder(Role.OPERATOR);
        String name = guarded.newName();
        operator.get("/api/v1/runs");
        guarded.jdbc().sql("ALTER TABLE audit_entry RENAME TO away").update();
        try {
            Answer refused = operator.post("/api/v1/plans", Scene.plan("free", name));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(GuardedScene.type(refused)).isEqualTo("audit-unavailable");
            assertThat(operator.get("/api/v1/plans/" + name).status()).isEqualTo(404);
        } finally {
            guarded.jdbc().sql("ALTER TABLE away RENAME TO audit_entry").update();
        }
    }

    @Test
    void a_run_is_aborted_without_the_database_and_that_is_logged_as_an_error() throws InterruptedException {
        GuardedScene own = new GuardedScene(Map.of("spring.datasource.hikari.connection-timeout", 250));
        CapturedOutput output = new CapturedOutput();
        try (own; output) {
            own.scene.plane("shop").holding = true;
            own.admin().put("/api/v1/services/shop/owner", "{\"team\": \"shop\"}");
            Client operator = own.holder(Role.OPERATOR, "shop");
            String id = operator.post("/api/v1/runs", Scene.plan("shop", "shop")).json().get("id").asString();
            own.scene.awaitPhase(id, "Ramping");

            own.scene.stopDatabase();
            Answer aborted = operator.post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"it hurts\"}");
            Answer refused = operator.post("/api/v1/plans", Scene.plan("shop", "other"));

            assertThat(aborted.status()).isEqualTo(202);
            assertThat(aborted.json().get("id").asString()).isEqualTo(id);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(GuardedScene.type(refused)).isEqualTo("audit-unavailable");
            // The abort is answered before the database has failed to take its record.
            await().untilAsserted(() -> assertThat(output.text()).contains(
                    "AUDIT could not be written: POST /api/v1/runs/" + id + ":abort by token:",
                    "it hurts"));
        }
    }
}
