// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** A controller without any configuration: it may not send messages into private networks, and sends no mail. */
class NotificationResourceTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private List<JsonNode> of(String run) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode item : client.get("/api/v1/notifications?limit=200").json().get("items")) {
            if (item.get("runId").asString().equals(run)) {
                found.add(item);
            }
        }
        return found;
    }

    private static String type(Answer answer) {
        String type = answer.json().get("type").asString();
        return type.substring(type.lastIndexOf('/') + 1);
    }

    @Test
    void a_whole_run_tells_of_itself_and_inner_addresses_get_nothing() throws Exception {
        String service = scene.newService();
        scene.plane(service);
        try (Hook hook = new Hook()) {
            String run = scene.startPlan(Scene.plan(service, service) + "  notify: [{webhook: \""
                    + hook.url("/secret-path") + "\", on: [started, breached, finished, capacity-changed]}]\n");
            scene.awaitPhase(run, "Finished");

            scene.untilReal(() -> of(run).size() == 3
                    && of(run).stream().allMatch(item -> item.get("state").asString().equals("dead")));
            assertThat(of(run)).extracting(item -> item.get("event").asString())
                    .containsExactly("finished", "breached", "started");
            JsonNode dead = of(run).getFirst();
            assertThat(dead.get("lastError").asString()).contains("loopback");
            assertThat(dead.get("receiver").asString()).matches("127\\.0\\.0\\.1:\\d+ #[0-9a-f]{6}");
            assertThat(client.get("/api/v1/notifications?state=dead").response().body()).contains(run)
                    .doesNotContain("secret-path");
            assertThat(client.get("/api/v1/runs/" + run).response().body()).doesNotContain("secret-path");
            JsonNode unreached = client.get("/api/v1/notifications:unreached").json().get("items").valueStream()
                    .filter(item -> item.get("receiver").equals(dead.get("receiver"))).findFirst().orElseThrow();
            assertThat(unreached.get("dead").asInt()).isEqualTo(3);
            assertThat(unreached.get("lastError").asString()).contains("loopback");
            String id = dead.get("id").asString();
            assertThat(client.post("/api/v1/notifications/" + id + ":retry", "").status()).isEqualTo(202);
            scene.untilReal(() -> client.get("/api/v1/notifications/" + id).json().get("attempts").asInt() == 1
                    && client.get("/api/v1/notifications/" + id).json().get("state").asString().equals("dead"));
            assertThat(hook.connections()).isZero();
        }
        assertThat(client.get("/actuator/prometheus").response().body())
                .contains("redliner_notifications_total{kind=\"webhook\",result=\"dead\"}");
        JsonNode health = client.get("/actuator/health").json();
        assertThat(health.get("status").asString()).isEqualTo("UP");
        assertThat(health.toString()).contains("\"notifier\":true");
    }

    @Test
    void a_changed_capacity_is_notified() {
        String service = scene.newService();
        scene.plane(service);
        String plan = Scene.plan(service, service)
                + "  notify: [{webhook: \"http://127.0.0.1:1/a\", on: [capacity-changed]}]\n";
        String first = scene.startPlan(plan);
        scene.awaitPhase(first, "Finished");
        assertThat(of(first)).isEmpty();
        JdbcClient jdbc = scene.context().getBean(JdbcClient.class);
        jdbc.sql("""
                UPDATE capacity SET content = content || '{"capacity": 800, "low": 780, "high": 820}'
                WHERE run_id = :run""").param("run", first).update();

        String second = scene.startPlan(plan);
        scene.awaitPhase(second, "Finished");

        assertThat(of(second)).extracting(item -> item.get("event").asString()).containsExactly("capacity-changed");
        assertThat(
                jdbc.sql("SELECT content -> 'previous' ->> 'requestsPerSecond' FROM notification WHERE run_id = :run")
                        .param("run", second)
                        .query(Double.class)
                        .single())
                .isEqualTo(800);
        String third = scene.startPlan(plan);
        scene.awaitPhase(third, "Finished");
        assertThat(of(third)).isEmpty();
    }

    @Test
    void pages_are_complete_and_in_order() {
        String service = scene.newService();
        scene.plane(service).holding = true;
        String run = scene.startPlan(Scene.plan(service, service) + """
                  notify:
                    - {webhook: "http://127.0.0.1:1/a", on: [started]}
                    - {slack: "http://127.0.0.1:1/b", on: [started]}
                    - {webhook: "http://127.0.0.1:1/c", on: [started]}
                """);
        scene.untilReal(() -> of(run).size() == 3);
        client.post("/api/v1/runs/" + run + ":abort", "{\"reason\": \"enough\"}");

        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = client.get("/api/v1/notifications?limit=2" + token).json();
            page.get("items").forEach(item -> ids.add(item.get("id").asString()));
            token = page.has("nextPageToken") ? "&pageToken=" + page.get("nextPageToken").asString() : "";
        } while (!token.isEmpty());

        assertThat(ids).doesNotHaveDuplicates()
                .containsAll(of(run).stream().map(item -> item.get("id").asString()).toList());
        scene.awaitPhase(run, "Finished");
    }

    @Test
    void a_receiver_that_is_not_configured_is_refused_when_the_plan_is_submitted() {
        String service = scene.newService();
        scene.plane(service);
        String mail = Scene.plan(service, service) + "  notify: [{target: nobody}, {email: [ops@example.com]}]\n";
        String noMail = Scene.plan(service, service) + "  notify: [{email: [ops@example.com]}]\n";

        for (String path : List.of("/api/v1/runs", "/api/v1/runs?dryRun=true", "/api/v1/plans",
                "/api/v1/plans:validate")) {
            Answer refused = client.post(path, noMail);
            assertThat(refused.status()).as(path).isEqualTo(422);
            assertThat(type(refused)).isEqualTo("receiver-not-configured");
            assertThat(refused.json().get("field").asString()).isEqualTo("$.spec.notify[0]");
            assertThat(refused.json().get("detail").asString()).contains("no mail server is configured");
            assertThat(client.post(path, mail).json().get("detail").asString()).contains("no target nobody");
        }
    }

    @Test
    void bad_parameters_are_reported() {
        assertThat(type(client.get("/api/v1/notifications?state=ended"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/notifications?limit=0"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/notifications?pageToken=x"))).isEqualTo("invalid-parameter");
        assertThat(client.get("/api/v1/notifications/none").status()).isEqualTo(404);
        assertThat(client.post("/api/v1/notifications/none:retry", "").status()).isEqualTo(404);
    }
}
