// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.controller.service.scheduling.CachedCalendarLookup;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Rows that another version of RedLiner wrote, between rows that can be read. */
class UnreadableRowsApiTest {

    private final Scene scene = Scene.shared();

    private final JdbcClient jdbc = scene.context().getBean(JdbcClient.class);

    private final UnreadableRows unreadable = scene.context().getBean(UnreadableRows.class);

    private final String service = scene.newService();

    private String finishedRun() {
        scene.plane(service);
        String id = scene.start(service);
        scene.awaitPhase(id, "Finished");
        return id;
    }

    private Answer get(String path) {
        return scene.client().get("/api/v1" + path);
    }

    private void makeUnheard(String table, String id) {
        jdbc.sql("UPDATE " + table + " SET state = '{\"kind\": \"Unheard\"}' WHERE id = :id").param("id", id).update();
    }

    @Test
    void an_entry_of_a_journal_is_left_out_of_what_is_followed_and_listed_and_stays_in_the_export() {
        String id = finishedRun();
        long length = jdbc.sql("SELECT max(sequence) FROM journal WHERE run_id = :run").param("run", id)
                .query(Long.class).single();
        jdbc.sql(
                """
                        INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, event, decision)
                        SELECT run_id, sequence + 1, at, nanos, phase, true, asked_ppm, '{"kind": "Unheard"}', decision FROM journal
                        WHERE run_id = :run ORDER BY sequence DESC LIMIT 1""")
                .param("run", id).update();
        jdbc.sql("UPDATE run SET journal_sequence = journal_sequence + 1 WHERE id = :run").param("run", id).update();

        assertThat(get("/runs/" + id + "/events").response().body()).contains("event:end")
                .doesNotContain("id:" + (length + 1));
        JsonNode newest = get("/runs/" + id + "/decisions?all=true&limit=2&before=" + (length + 2)).json().get("items");
        assertThat(newest.valueStream().map(item -> item.get("sequence").asLong())).containsExactly(length, length - 1);
        assertThat(unreadable.named().get("journal-entry")).contains(id + "/" + (length + 1));

        String exported = get("/runs/" + id + "/journal").response().body();
        assertThat(exported.lines()).hasSize((int) length + 2);
        Assertions.assertThatThrownBy(() -> new RunJsonMapper().journal(exported.lines().iterator()))
                .hasMessageContaining("line " + (length + 2));
    }

    @Test
    void a_run_is_left_out_of_lists_without_making_a_page_look_like_the_last() {
        List<String> all = List.of(finishedRun(), finishedRun(), finishedRun());
        makeUnheard("run", all.get(1));

        List<String> listed = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = get("/runs?service=" + service + "&limit=1" + token).json();
            page.get("items").forEach(run -> listed.add(run.get("id").asString()));
            token = page.hasNonNull("nextPageToken") ? "&pageToken=" + page.get("nextPageToken").asString() : null;
        } while (token != null);

        assertThat(listed).containsExactly(all.get(2), all.get(0));
        Answer answer = get("/runs/" + all.get(1));
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().get("type").asString()).endsWith("/run-unreadable");
        assertThat(answer.json().get("detail").asString()).contains(all.get(1), "another version");
    }

    @Test
    void a_series_is_left_out_of_lists_and_the_others_go_on() {
        scene.plane(service);
        String plan = Scene.plan(service, service) + """
                  profile: regression
                  regression: {old: "10.0.0.1:8080", new: "10.0.0.2:8080"}
                """;
        String bad = scene.client().post("/api/v1/runs", plan).json().get("id").asString();
        makeUnheard("series", bad);
        scene.until(() -> unreadable.named().getOrDefault("series", List.of()).contains(bad));

        JsonNode items = get("/series?limit=50").json().get("items");

        assertThat(items.valueStream().map(item -> item.get("id").asString())).doesNotContain(bad);
        Answer answer = get("/series/" + bad);
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().get("type").asString()).endsWith("/stored-unreadable");
        jdbc.sql("UPDATE series SET finished_at = created_at WHERE id = :id").param("id", bad).update();
        scene.client().get("/api/v1/runs?service=" + service).json().get("items")
                .forEach(run -> scene.client().post("/api/v1/runs/" + run.get("id").asString() + ":abort",
                        "{\"reason\": \"the test is over\"}"));
    }

    @Test
    void windows_and_steps_are_left_out_of_pages_charts_and_reports() {
        String id = finishedRun();
        long windows = get("/runs/" + id + "/windows?limit=1000").json().get("items").size();
        long steps = get("/runs/" + id + "/steps").json().get("items").size();
        jdbc.sql("UPDATE judged_window SET content = '[]' WHERE run_id = :run AND sequence IN (2, "
                + "(SELECT max(sequence) FROM judged_window WHERE run_id = :run))").param("run", id).update();
        jdbc.sql("UPDATE step SET content = '[]' WHERE run_id = :run AND number = 1").param("run", id).update();

        assertThat(get("/runs/" + id + "/windows?limit=1000").json().get("items").size()).isEqualTo(windows - 2);
        assertThat(get("/runs/" + id + "/windows?limit=2").json().get("items").size()).isEqualTo(2);
        assertThat(get("/runs/" + id + "/steps").json().get("items").size()).isEqualTo(steps - 1);
        for (String path : List.of("", "/timeline")) {
            assertThat(get("/runs/" + id + path).status()).as(path).isEqualTo(200);
        }
        Answer report = get("/runs/" + id + "/report?format=json");
        assertThat(report.status()).as("it would not say what is missing").isEqualTo(409);
        assertThat(report.json().get("runId").asString()).isEqualTo(id);
        assertThat(unreadable.named().get("window")).contains(id + "/2");
        jdbc.sql(
                "UPDATE judged_window SET content = '{\"sut\": {\"share\": \"much\"}}' WHERE run_id = :run AND sequence = 2")
                .param("run", id).update();
        for (String path : List.of("/timeline", "/report?format=json")) {
            assertThat(get("/runs/" + id + path).status()).as(path).isEqualTo(409);
        }
        assertThat(unreadable.named().get("step")).contains(id + "/1");
    }

    @Test
    void the_newest_capacity_of_an_instance_is_the_newest_that_can_be_read() {
        Filled filled = new Filled(scene);
        filled.capacity(service, "a:1", 0, 100, "v1", "small");
        filled.capacity(service, "a:1", 1, 200, "v2", "small");
        jdbc.sql("UPDATE capacity SET content = '[]' WHERE service = :service AND version = 'v2'")
                .param("service", service).update();

        assertThat(scene.context().getBean(CapacityRepository.class).newest(service, "a:1")).get()
                .extracting(CapacityRecord::capacity).isEqualTo(100.0);
    }

    @Test
    void a_calendar_that_cannot_be_read_is_named() {
        jdbc.sql("""
                INSERT INTO calendar (name, content, hash, source, updated_at, busy_events, free_events, warnings)
                VALUES (:name, 'nothing', 'x', 'api', now(), 0, 0, '{}')""").param("name", service).update();

        assertThat(scene.context().getBean(CachedCalendarLookup.class).find(service, ZoneOffset.UTC)).isEmpty();

        assertThat(unreadable.named().get("calendar")).contains(service);
        jdbc.sql("DELETE FROM calendar WHERE name = :name").param("name", service).update();
    }

    @Test
    void a_stored_calendar_whose_rules_are_too_costly_starts_nothing_and_is_still_shown() {
        String heavy = """
                BEGIN:VCALENDAR
                BEGIN:VEVENT
                UID:a
                DTSTART:20260101T000000Z
                DURATION:PT1S
                RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8;BYMINUTE=1,2,3,4,5,6,7,8;BYSETPOS=-1
                END:VEVENT
                END:VCALENDAR
                """.replace("\n", "\r\n");
        jdbc.sql("""
                INSERT INTO calendar (name, content, hash, source, updated_at, busy_events, free_events, warnings)
                VALUES (:name, :content, 'x', 'api', now(), 0, 0, '{}')""").param("name", service)
                .param("content", heavy).update();
        Answer refused = scene.client().put("/api/v1/calendars/" + service, heavy);
        String plan = Scene.plan(service, "night") + "  schedule: {cron: '0 3 * * *', zone: UTC, except: [" + service
                + "]}\n";
        Answer planned = scene.client().post("/api/v1/plans:validate", plan);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("detail").asString()).contains("event a", "occurrences in a year", "list fewer");
        assertThat(scene.context().getBean(CachedCalendarLookup.class).find(service, ZoneOffset.UTC)).isEmpty();
        assertThat(planned.json().toString()).contains("is no stored calendar that can be read");
        assertThat(get("/calendars/" + service).json().get("content").asString()).contains("BYSETPOS");
        assertThat(get("/calendars").json().get("items").size()).isPositive();
        assertThat(unreadable.named().get("calendar")).contains(service);
        jdbc.sql("DELETE FROM calendar WHERE name = :name").param("name", service).update();
    }

    @Test
    void a_request_of_a_controller_that_speaks_otherwise_holds_up_no_other() {
        scene.plane(service).holding = true;
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");
        request(id, "{\"kind\": \"Unheard\"}");
        request(id, "{\"kind\": \"AbortRequested\", \"reason\": \"enough\"}");

        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("stopReason").get("detail").asString()).isEqualTo("enough");
        assertThat(unreadable.named().get("request")).anyMatch(name -> name.startsWith(id));
    }

    private void request(String run, String event) {
        jdbc.sql("""
                INSERT INTO run_request (run_id, event, at)
                VALUES (:run, CAST(:event AS jsonb), now())""")
                .param("run", run)
                .param("event", event)
                .update();
    }
}
