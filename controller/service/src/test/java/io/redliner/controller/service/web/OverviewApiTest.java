// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The questions of the overview: services with their past and what comes next, a service by itself, the last hours. */
class OverviewApiTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private final Filled filled = new Filled(scene);

    private JsonNode fleetItem(String service) {
        JsonNode fleet = client.get("/api/v1/sizing/fleet?search=" + service).json();
        return StreamSupport.stream(fleet.get("items").spliterator(), false)
                .filter(item -> item.get("service").asString().equals(service)).findFirst().orElseThrow();
    }

    @Test
    void a_services_recent_capacities_are_those_that_can_be_compared_with_its_newest_oldest_first() {
        String service = scene.newService();
        filled.capacity(service, "a:1", 0, 205, "v1", "large");
        filled.capacity(service, "a:1", 1, 105, "v1", "small");
        filled.capacity(service, "b:1", 2, 115, "v2", "small");
        String unknown = scene.newService();
        filled.capacity(unknown, "a:1", 0, 55, null, null);
        filled.capacity(unknown, "b:1", 1, 65, null, null);

        assertThat(fleetItem(service).get("recent").valueStream().map(point -> point.get("capacity").asDouble()))
                .containsExactly(105.0, 115.0);
        assertThat(fleetItem(service).at("/lastRun/outcome").asString()).isEqualTo("CAPACITY_FOUND");
        assertThat(fleetItem(unknown).get("recent").valueStream().map(point -> point.get("capacity").asDouble()))
                .containsExactly(65.0);
    }

    @Test
    void a_service_says_which_of_its_plans_starts_next_by_itself() {
        String service = scene.newService();
        filled.capacity(service, "a:1", 0, 205, null, null);
        assertThat(fleetItem(service).has("nextStart")).isFalse();
        for (String plan : List.of("later, {interval: 9h}", "sooner, {interval: 2h}", "paused, {interval: 1h}")) {
            String name = service + "-" + plan.split(",", 2)[0];
            assertThat(client
                    .post("/api/v1/plans", Scene.plan(service, name) + "  schedule:" + plan.split(",", 2)[1] + "\n")
                    .status()).isEqualTo(201);
        }
        client.post("/api/v1/schedules/" + service + "-paused:pause", "{\"reason\": \"enough\"}");

        JsonNode next = fleetItem(service).get("nextStart");

        assertThat(next.get("plan").asString()).isEqualTo(service + "-sooner");
        assertThat(next.get("at").asString()).isGreaterThan(scene.now().toString());
    }

    @Test
    void of_many_services_the_answer_has_the_urgent_that_fit_and_how_many_there_are() {
        String one = scene.newService();
        filled.capacity(one + "-x", "a:1", 0, 205, null, null);
        filled.capacity(one + "-Y", "a:1", 0, 205, null, null);

        JsonNode fleet = client.get("/api/v1/sizing/fleet?limit=1&search=" + one + "-").json();

        assertThat(fleet.get("services").asInt()).isEqualTo(2);
        assertThat(fleet.get("items").size()).isEqualTo(1);
        assertThat(client.get("/api/v1/sizing/fleet?search=" + one + "-y").json().get("services").asInt()).isEqualTo(1);
        assertThat(client.get("/api/v1/sizing/fleet?limit=0").status()).isEqualTo(400);
    }

    @Test
    void a_service_by_itself_has_its_owner_and_budget_and_one_of_which_nothing_is_known_is_not_found() {
        String service = scene.newService();
        assertThat(client.get("/api/v1/services/" + service).status()).isEqualTo(404);
        client.put("/api/v1/services/" + service + "/owner", "{\"team\": \"shop\"}");
        client.put("/api/v1/services/" + service + "/harm-budget", "{\"requestsPerMonth\": 500}");

        JsonNode owned = client.get("/api/v1/services/" + service).json();
        assertThat(owned.get("team").asString()).isEqualTo("shop");
        assertThat(owned.at("/harmBudget/left").asDouble()).isEqualTo(500);
        assertThat(owned.get("tested").asBoolean()).isFalse();
        assertThat(owned.has("reported")).isFalse();

        filled.capacity(service, "a:1", 0, 205, null, null);
        assertThat(client.get("/api/v1/services/" + service).json().get("tested").asBoolean()).isTrue();
    }

    @Test
    void the_list_has_only_services_with_alarms_when_only_those_are_wanted() {
        String service = scene.newService();
        scene.plane(service);
        scene.awaitKnown(service);

        assertThat(client.get("/api/v1/services?alarmed=true").json().get("items").valueStream())
                .allSatisfy(one -> assertThat(one.get("alarms").size()).isPositive())
                .noneMatch(one -> one.get("name").asString().equals(service));
        assertThat(client.get("/api/v1/services?alarmed=perhaps").status()).isEqualTo(400);
    }

    @Test
    void the_last_hours_have_runs_freezes_and_deployments_of_all_services() {
        String service = scene.newService();
        scene.plane(service);
        scene.awaitKnown(service);
        String run = scene.start(service);
        scene.awaitPhase(run, "Finished");
        client.post("/api/v1/events/deployments", """
                {"service": "%s", "version": "2.4.1", "id": "%s-release"}""".formatted(service, service));
        client.post("/api/v1/freezes", """
                {"service": "%s", "from": "%s", "to": "%s", "reason": "sale"}""".formatted(service,
                scene.now().minus(Duration.ofHours(30)), scene.now().plus(Duration.ofMinutes(1))));

        JsonNode activity = client.get("/api/v1/activity").json();

        JsonNode span = own(activity.get("runs"), service);
        assertThat(span.get("id").asString()).isEqualTo(run);
        assertThat(span.get("outcome").asString()).isEqualTo(scene.run(run).get("outcome").asString());
        assertThat(span.get("to").asString()).isEqualTo(scene.run(run).get("finishedAt").asString());
        assertThat(own(activity.get("freezes"), service).get("reason").asString()).isEqualTo("sale");
        assertThat(own(activity.get("deployments"), service).get("version").asString()).isEqualTo("2.4.1");
        assertThat(activity.get("complete").asBoolean()).isTrue();
    }

    @Test
    void what_happened_before_the_asked_time_is_left_out_and_more_than_a_week_is_refused() {
        String service = scene.newService();
        client.post("/api/v1/events/deployments", """
                {"service": "%s", "version": "1", "id": "%s-old"}""".formatted(service, service));
        scene.pass(Duration.ofMinutes(2));

        JsonNode activity = client.get("/api/v1/activity?since=" + scene.now().minus(Duration.ofMinutes(1))).json();

        assertThat(activity.get("deployments").valueStream())
                .noneMatch(one -> one.get("service").asString().equals(service));
        Answer refused = client.get("/api/v1/activity?since=" + scene.now().minus(Duration.ofDays(8)));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("detail").asString()).contains("last 7 days");
    }

    private static JsonNode own(JsonNode items, String service) {
        return items.valueStream().filter(one -> one.path("service").asString("").equals(service)).findFirst()
                .orElseThrow();
    }
}
