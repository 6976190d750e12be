// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Scene;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class ScheduleApiTest {

    private static final String HOLIDAYS = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//test//EN
            BEGIN:VEVENT
            UID:a
            DTSTAMP:20260101T000000Z
            DTSTART;VALUE=DATE:20200101
            RRULE:FREQ=YEARLY
            END:VEVENT
            END:VCALENDAR
            """.replace("\n", "\r\n");

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    private static String plan(String service, String name, String schedule) {
        return Scene.plan(service, name) + "  schedule: " + schedule + "\n";
    }

    private static String type(Answer answer) {
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        String type = answer.json().get("type").asString();
        return type.substring(type.lastIndexOf('/') + 1);
    }

    @Test
    void a_plan_with_a_schedule_says_when_it_is_due_and_can_be_paused() {
        assertThat(client.post("/api/v1/plans", plan("shop", "nightly", "{cron: \"0 3 * * *\", zone: Europe/Berlin}"))
                .status()).isEqualTo(201);

        JsonNode schedule = client.get("/api/v1/schedules/nightly").json();
        assertThat(Instant.parse(schedule.get("nextFiring").asString())).isAfter(scene.now());
        assertThat(schedule.get("timing").asString()).isEqualTo("cron 0 3 * * *");
        assertThat(schedule.get("zone").asString()).isEqualTo("Europe/Berlin");
        assertThat(schedule.get("paused").asBoolean()).isFalse();
        assertThat(type(client.post("/api/v1/schedules/nightly:pause", "{}"))).isEqualTo("invalid-document");
        JsonNode paused = client.post("/api/v1/schedules/nightly:pause", "{\"reason\": \"Black Friday\"}").json();
        assertThat(paused.get("pauseReason").asString()).isEqualTo("Black Friday");
        assertThat(paused.has("nextFiring")).isFalse();
        assertThat(client.post("/api/v1/schedules/nightly:resume", "{\"reason\": \"over\"}").json().has("nextFiring"))
                .isTrue();
        assertThat(type(client.post("/api/v1/schedules/none:pause", "{\"reason\": \"x\"}"))).isEqualTo("not-found");
        assertThat(client.delete("/api/v1/plans/nightly").status()).isEqualTo(204);
        assertThat(type(client.get("/api/v1/schedules/nightly"))).isEqualTo("not-found");
        assertThat(type(client.get("/api/v1/schedules/nightly/firings"))).isEqualTo("not-found");
    }

    @Test
    void plans_schedules_and_versions_are_listed_by_pages() {
        for (int number = 0; number < 5; number++) {
            client.post("/api/v1/plans", plan("paged", "paged-" + number, "{interval: 6h}"));
        }
        client.put("/api/v1/plans/paged-0", plan("paged", "paged-0", "{interval: 7h}"));

        List<String> names = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = client.get("/api/v1/schedules?service=paged&limit=2" + token).json();
            page.get("items").forEach(item -> names.add(item.get("plan").asString()));
            token = page.has("nextPageToken") ? "&pageToken=" + page.get("nextPageToken").asString() : "";
        } while (!token.isEmpty());
        assertThat(names).containsExactly("paged-0", "paged-1", "paged-2", "paged-3", "paged-4");
        JsonNode plans = client.get("/api/v1/plans?limit=1").json();
        assertThat(plans.get("items").size()).isEqualTo(1);
        assertThat(client.get("/api/v1/plans?limit=1&pageToken=" + plans.get("nextPageToken").asString()).json()
                .get("items").get(0).get("name").asString())
                .isGreaterThan(plans.get("items").get(0).get("name").asString());
        JsonNode versions = client.get("/api/v1/plans/paged-0/versions").json().get("items");
        assertThat(versions.get(0).get("version").asInt()).isEqualTo(2);
        assertThat(versions.get(0).get("current").asBoolean()).isTrue();
        assertThat(client.get("/api/v1/plans/paged-0?version=1").json().at("/plan/spec/schedule/interval").asString())
                .isEqualTo("6h");
        assertThat(type(client.get("/api/v1/plans/paged-0?version=9"))).isEqualTo("unknown-plan");
        assertThat(type(client.get("/api/v1/plans/paged-0?version=x"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/plans?limit=0"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get("/api/v1/schedules?pageToken=%25"))).isEqualTo("invalid-parameter");
    }

    @Test
    void a_schedule_that_never_comes_is_refused_where_it_stands() {
        Answer february = client.post("/api/v1/plans:validate", plan("shop", "never", "{cron: \"0 0 31 2 *\"}"));
        Answer closed = client.post("/api/v1/plans", plan("shop", "never",
                "{cron: \"0 8 * * *\", only: [{days: [TUE], from: \"09:00\", to: \"17:00\"}]}"));
        Answer unknown = client.post("/api/v1/plans",
                plan("shop", "never", "{interval: 6h, except: [month-end, nowhere]}"));

        assertThat(type(february)).isEqualTo("invalid-document");
        assertThat(february.json().get("errors").get(0).get("message").asString()).contains("never comes");
        assertThat(closed.json().get("errors").get(0).get("message").asString()).contains("only and except");
        assertThat(unknown.json().get("field").asString()).isEqualTo("$.spec.schedule.except[1]");
        assertThat(unknown.json().get("line").asInt()).isEqualTo(12);
        assertThat(unknown.json().get("errors").get(0).get("message").asString()).contains("nowhere");
    }

    @Test
    void a_calendar_is_kept_used_and_not_removed_while_it_is_needed() {
        assertThat(client.put("/api/v1/calendars/holidays", HOLIDAYS).status()).isEqualTo(200);
        assertThat(client.post("/api/v1/plans", plan("shop", "careful", "{interval: 6h, except: [holidays]}")).status())
                .isEqualTo(201);

        assertThat(client.get("/api/v1/calendars/holidays").json().get("content").asString()).isEqualTo(HOLIDAYS);
        assertThat(client.get("/api/v1/calendars").json().get("items").get(0).has("content")).isFalse();
        assertThat(type(client.put("/api/v1/calendars/holidays", "nonsense"))).isEqualTo("invalid-calendar");
        assertThat(type(client.put("/api/v1/calendars/Bad", HOLIDAYS))).isEqualTo("invalid-parameter");
        Answer needed = client.delete("/api/v1/calendars/holidays");
        assertThat(type(needed)).isEqualTo("calendar-in-use");
        assertThat(needed.json().get("plans").get(0).asString()).isEqualTo("careful");
        client.delete("/api/v1/plans/careful");
        assertThat(client.delete("/api/v1/calendars/holidays").status()).isEqualTo(204);
        assertThat(type(client.get("/api/v1/calendars/holidays"))).isEqualTo("not-found");
    }

    @Test
    void a_due_plan_starts_a_real_run_and_says_so() {
        String service = scene.newService();
        scene.plane(service).holding = true;
        client.post("/api/v1/plans", plan(service, service, "{interval: 1h}"));
        String due = scene.now().toString();
        scene.context().getBean(JdbcClient.class).sql("""
                UPDATE scheduled_tasks SET execution_time = CAST(:due AS timestamptz), task_data = CAST(:data AS bytea)
                WHERE task_name = 'plan' AND task_instance = (SELECT CAST(id AS text) FROM plan_schedule
                                                              WHERE plan_name = :plan)""")
                .param("due", due)
                .param("data", due.getBytes(StandardCharsets.UTF_8))
                .param("plan", service)
                .update();

        scene.untilReal(() -> client.get("/api/v1/schedules/" + service).json().has("lastFiring"));
        JsonNode firing = client.get("/api/v1/schedules/" + service + "/firings").json().get("items").get(0);

        assertThat(firing.get("state").asString()).isEqualTo("Started");
        assertThat(client.get(firing.get("run").asString()).json().get("service").asString()).isEqualTo(service);
        client.post("/api/v1/runs/" + firing.get("runId").asString() + ":abort", "{\"reason\": \"enough\"}");
        client.delete("/api/v1/plans/" + service);
    }

    @Test
    void upcoming_firings_have_what_a_calendar_blocks_for_those_who_ask() {
        String service = scene.newService();
        client.put("/api/v1/calendars/closed", HOLIDAYS.replace("FREQ=YEARLY", "FREQ=DAILY;INTERVAL=2"));
        assertThat(client
                .post("/api/v1/plans", plan(service, service, "{cron: \"0 3 * * *\", zone: UTC, except: [closed]}"))
                .status()).isEqualTo(201);
        String ahead = "/api/v1/schedules:upcoming?service=" + service + "&to=" + scene.now().plus(Duration.ofDays(8));

        JsonNode upcoming = client.get(ahead + "&blocked=true").json();

        assertThat(upcoming.get("blocked").size()).isEqualTo(4);
        assertThat(upcoming.get("items").size()).isEqualTo(4);
        assertThat(upcoming.at("/blocked/0/by").asString()).isEqualTo("closed");
        assertThat(upcoming.at("/blocked/0/plan").asString()).isEqualTo(service);
        assertThat(upcoming.get("blockedTo")).isEqualTo(upcoming.get("to"));
        assertThat(client.get(ahead).json().has("blocked")).isFalse();
        client.delete("/api/v1/plans/" + service);
    }

    @Test
    void upcoming_firings_come_in_order_and_say_when_there_is_more() {
        String service = scene.newService();
        client.post("/api/v1/plans", plan(service, service + "-often", "{interval: 6h}"));
        client.post("/api/v1/plans", plan(service, service + "-daily", "{cron: \"0 3 * * *\"}"));
        String ahead = "/api/v1/schedules:upcoming?service=" + service;

        JsonNode week = client.get(ahead + "&to=" + scene.now().plus(Duration.ofDays(7))).json();
        JsonNode five = client.get(ahead + "&limit=5").json();

        List<Instant> times = new ArrayList<>();
        week.get("items").forEach(due -> times.add(Instant.parse(due.get("due").asString())));
        assertThat(times).hasSizeBetween(33, 35).isSorted();
        assertThat(week.get("complete").asBoolean()).isTrue();
        assertThat(five.get("items").size()).isEqualTo(5);
        assertThat(five.get("complete").asBoolean()).isFalse();
        assertThat(five.get("to").asString()).isEqualTo(times.get(5).toString());
        assertThat(five.get("items").get(0).get("due").asString())
                .isEqualTo(client.get("/api/v1/schedules?service=" + service).json().get("items").valueStream()
                        .map(schedule -> schedule.get("nextFiring").asString()).sorted().findFirst().orElseThrow());
        client.post("/api/v1/schedules/" + service + "-often:pause", "{\"reason\": \"enough\"}");
        assertThat(client.get(ahead).json().get("items").valueStream().map(due -> due.get("plan").asString()))
                .isNotEmpty()
                .containsOnly(service + "-daily");
        assertThat(type(client.get(ahead + "&to=x"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get(ahead + "&to=9000-01-01T00:00:00Z"))).isEqualTo("invalid-parameter");
        assertThat(type(client.get(ahead + "&limit=5001"))).isEqualTo("invalid-parameter");
    }

    @Test
    void a_plan_comes_back_as_yaml_that_is_the_same_plan() {
        String service = scene.newService();
        String careful = plan(service, service, "{cron: \"5 3 * * *\", zone: Europe/Berlin,"
                + " only: [{days: [TUE], from: \"00:00\", to: \"17:00\"}], except: [month-end]}").replace(
                        "metadata: {name: " + service + "}",
                        "metadata: {name: " + service
                                + ", labels: {a: \"on\", b: \"1e3\", c: \": #\", d: \"012\", e: \"\"}}");
        Answer stored = client.post("/api/v1/plans", careful);
        assertThat(stored.status()).as(stored.response().body()).isEqualTo(201);

        Answer yaml = client.get("/api/v1/plans/" + service, "Accept", "application/yaml");

        assertThat(yaml.header("Content-Type")).startsWith("application/yaml");
        assertThat(yaml.response().body()).startsWith("apiVersion: redliner.io/v1\nkind: CapacityTest\nmetadata:\n")
                .contains("\n  service: " + service + "\n", "cron: 5 3 * * *");
        assertThat(client.post("/api/v1/plans:validate", yaml.response().body()).json().get("hash").asString())
                .isEqualTo(stored.json().get("hash").asString());
        assertThat(
                client.get("/api/v1/plans/" + service + "?version=1", "Accept", "application/yaml").response().body())
                .isEqualTo(yaml.response().body());
        assertThat(client.get("/api/v1/plans/" + service, "Accept", "*/*").header("Content-Type"))
                .startsWith("application/json");
        assertThat(type(client.get("/api/v1/plans/no-such", "Accept", "application/yaml, application/problem+json")))
                .isEqualTo("unknown-plan");
        assertThat(type(client.get("/api/v1/plans/no-such", "Accept", "application/yaml"))).isEqualTo("unknown-plan");
    }
}
