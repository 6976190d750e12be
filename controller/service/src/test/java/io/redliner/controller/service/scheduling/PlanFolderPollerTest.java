// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class PlanFolderPollerTest {

    private static final String CALENDAR = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//test//EN
            BEGIN:VEVENT
            UID:a
            DTSTAMP:20260101T000000Z
            DTSTART;VALUE=DATE:20260101
            RRULE:FREQ=YEARLY
            END:VEVENT
            END:VCALENDAR
            """.replace("\n", "\r\n");

    private final Client client = Scene.shared().client();

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext controller;

    private static Client watching;

    @BeforeAll
    static void start() {
        controller = Scene.shared().startController(
                Map.of("redliner.controller.plans.folder", folder, "redliner.controller.plans.look", "100ms"));
        watching = Scene.client(controller);
    }

    @AfterAll
    static void stop() {
        controller.close();
    }

    @AfterEach
    void empty() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(file);
                }
            }
        }
        awaitApplied(0);
    }

    private static String plan(String name) {
        return Scene.plan("shop", name);
    }

    private JsonNode status() {
        return watching.get("/api/v1/plans:folder").json();
    }

    private void awaitApplied(int plans) {
        Scene.shared().until(() -> status().has("appliedAt") && status().get("problems").isEmpty()
                && status().get("plans").asInt() == plans);
    }

    private JsonNode awaitProblem(String file) {
        Scene.shared().until(() -> !status().get("problems").isEmpty()
                && status().get("problems").get(0).get("file").asString().equals(file));
        return status().get("problems").get(0);
    }

    private int version(String plan) {
        Answer answer = client.get("/api/v1/plans/" + plan);
        return answer.status() == 404 ? 0 : answer.json().get("version").asInt();
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    @Test
    void plans_come_change_and_go_with_their_files() throws IOException {
        write("holidays.ics", CALENDAR);
        write("one.yaml", plan("folder-one") + "---\n" + plan("folder-two")
                + "  schedule: {interval: 6h, except: [holidays]}\n");
        awaitApplied(2);
        assertThat(client.get("/api/v1/plans/folder-two").json().get("file").asString()).isEqualTo("one.yaml");
        assertThat(client.get("/api/v1/schedules/folder-two").json().has("nextFiring")).isTrue();

        write("one.yaml", plan("folder-one") + "---\n---\n" + plan("folder-two").replace("60%", "50%"));
        Scene.shared().until(() -> version("folder-two") == 2);
        assertThat(version("folder-one")).isEqualTo(1);
        assertThat(client.get("/api/v1/schedules/folder-two").status()).isEqualTo(404);

        write("one.yaml", plan("folder-one"));
        awaitApplied(1);
        assertThat(version("folder-two")).isZero();
        assertThat(version("folder-one")).isEqualTo(1);
    }

    @Test
    void what_of_a_calendar_blocks_nothing_is_reported_although_it_is_taken() throws IOException {
        write("days.ics", CALENDAR.replace("RRULE:FREQ=YEARLY", "SUMMARY:New Year\r\nTRANSP:TRANSPARENT"));
        write("one.yaml", plan("folder-one") + "  schedule: {interval: 6h, except: [days]}\n");
        awaitApplied(1);

        JsonNode warnings = status().get("warnings");
        assertThat(warnings.get(0).get("file").asString()).isEqualTo("days.ics");
        assertThat(warnings.get(0).get("message").asString()).contains("'New Year' is marked as free");
        assertThat(warnings.get(1).get("message").asString()).contains("nothing in it blocks");

        write("days.ics", CALENDAR);
        Scene.shared().until(() -> status().get("warnings").isEmpty());

        write("days.ics", CALENDAR.substring(0, CALENDAR.indexOf("BEGIN:VEVENT")) + "END:VCALENDAR\r\n");
        Scene.shared().until(() -> status().get("warnings").size() == 1);
        assertThat(status().get("warnings").get(0).get("message").asString()).contains("nothing in it blocks");
    }

    @Test
    void a_calendar_in_another_encoding_is_refused_as_such() throws IOException {
        Files.write(folder.resolve("days.ics"),
                CALENDAR.replace("UID:a", "UID:a\r\nSUMMARY:für alle").getBytes(StandardCharsets.ISO_8859_1));
        write("one.yaml", plan("folder-one"));

        assertThat(awaitProblem("days.ics").get("message").asString()).contains("is not UTF-8");
        assertThat(client.get("/api/v1/calendars/days").status()).isEqualTo(404);
    }

    @Test
    void a_calendar_with_a_day_that_does_not_exist_holds_up_no_other_file() throws IOException {
        write("days.ics", CALENDAR.replace("20260101\r\nRRULE", "20270230\r\nRRULE"));
        write("holidays.ics", CALENDAR);
        write("one.yaml", plan("folder-one") + "  schedule: {interval: 6h, except: [holidays]}\n");

        assertThat(awaitProblem("days.ics").get("message").asString()).contains("event a", "20270230");
        Scene.shared().until(() -> version("folder-one") == 1);
        assertThat(client.get("/api/v1/calendars/holidays").status()).isEqualTo(200);
        assertThat(client.get("/api/v1/calendars/days").status()).isEqualTo(404);
        Answer put = client.put("/api/v1/calendars/x", CALENDAR.replace("20260101\r\nRRULE", "20270230\r\nRRULE"));
        assertThat(put.status()).isEqualTo(400);
        assertThat(put.json().get("type").asString()).endsWith("invalid-calendar");
        assertThat(put.json().get("detail").asString()).contains("event a");
    }

    @Test
    void one_bad_file_is_reported_with_its_place_and_holds_up_no_other() throws IOException {
        write("a.yaml", plan("folder-a"));
        awaitApplied(1);

        write("b.yaml", plan("folder-b") + "---\n" + plan("folder-c").replace("maxShare", "maxshare"));
        write("a.yaml", plan("folder-a").replace("60%", "50%"));
        JsonNode problem = awaitProblem("b.yaml");
        assertThat(problem.get("line").asInt()).isEqualTo(23);
        assertThat(problem.get("column").asInt()).isEqualTo(12);
        assertThat(problem.get("field").asString()).isEqualTo("$.spec.limits.maxshare");
        Scene.shared().until(() -> version("folder-a") == 2);
        assertThat(version("folder-b")).as("a file is taken whole or not at all").isZero();
        JsonNode health = watching.get("/actuator/health").json().at("/components/folderHealth");
        assertThat(health.path("status").asString()).as("a mistake in a plan is no illness").isEqualTo("UP");
        assertThat(health.path("details").toString()).contains("b.yaml, line 23, column 12");
        assertThat(watching.get("/actuator/prometheus").response().body())
                .contains("redliner_plan_folder_problems 1.0");

        write("b.yaml", plan("folder-b"));
        awaitApplied(2);
    }

    @Test
    void what_a_file_held_before_its_mistake_stays_while_others_come_and_go() throws IOException {
        write("holidays.ics", CALENDAR);
        write("a.yaml", plan("folder-a"));
        write("b.yaml", plan("folder-b") + "  schedule: {interval: 6h, except: [holidays]}\n");
        awaitApplied(2);

        write("b.yaml", "kind: Nothing");
        write("holidays.ics", "no calendar");
        Files.write(folder.resolve("c.yaml"), new byte[]{(byte) 0xff});
        write("d.yaml", plan("folder-d"));
        Scene.shared().until(() -> version("folder-d") == 1);
        assertThat(status().get("problems").valueStream().map(it -> it.get("file").asString()).distinct())
                .containsExactlyInAnyOrder("b.yaml", "c.yaml", "holidays.ics");
        assertThat(version("folder-b")).isEqualTo(1);
        assertThat(client.get("/api/v1/schedules/folder-b").json().has("nextFiring")).isTrue();

        Files.delete(folder.resolve("c.yaml"));
        Files.delete(folder.resolve("a.yaml"));
        Scene.shared().until(() -> version("folder-a") == 0);
        assertThat(version("folder-b")).isEqualTo(1);
    }

    @Test
    void a_file_that_is_named_anew_and_broken_loses_nothing() throws IOException {
        write("a.yaml", plan("folder-a"));
        awaitApplied(1);

        Files.delete(folder.resolve("a.yaml"));
        write("b.yaml", plan("folder-a").replace("maxShare", "maxshare"));
        awaitProblem("b.yaml");
        assertThat(version("folder-a")).isEqualTo(1);

        write("b.yaml", plan("folder-a"));
        awaitApplied(1);
        assertThat(client.get("/api/v1/plans/folder-a").json().get("file").asString()).isEqualTo("b.yaml");
    }

    @Test
    void a_plan_that_goes_over_into_a_file_with_a_mistake_is_not_lost() throws IOException {
        write("a.yaml", plan("folder-a") + "---\n" + plan("folder-b"));
        write("z.yaml", plan("folder-z"));
        awaitApplied(3);

        write("a.yaml", plan("folder-a"));
        write("b.yaml", plan("folder-b").replace("maxShare", "maxshare"));
        write("kustomization.yaml", "resources: [a.yaml, folder-z]");
        Files.delete(folder.resolve("z.yaml"));
        Scene.shared().until(() -> version("folder-z") == 0);
        assertThat(version("folder-b")).isEqualTo(1);
        assertThat(status().get("problems").toString()).contains("may have the plan folder-b");
        assertThat(status().get("plans").asInt()).isEqualTo(1);

        Files.delete(folder.resolve("kustomization.yaml"));
        write("b.yaml", plan("folder-b"));
        awaitApplied(2);
    }

    @Test
    void a_copy_of_a_file_with_a_mistake_does_not_take_its_plans() throws IOException {
        write("b.yaml", plan("folder-b"));
        awaitApplied(1);

        write("b.yaml", plan("folder-b").replace("maxShare", "maxshare"));
        write("c.yaml", plan("folder-b").replace("60%", "50%"));
        Scene.shared().until(() -> status().get("problems").toString().contains("which has mistakes"));
        assertThat(client.get("/api/v1/plans/folder-b").json().get("file").asString()).isEqualTo("b.yaml");
        assertThat(version("folder-b")).isEqualTo(1);
    }

    @Test
    void a_file_that_is_refused_takes_no_name_from_another() throws IOException {
        write("a.yaml", plan("folder-x"));
        write("b.yaml", plan("folder-x") + "---\n" + plan("folder-y"));
        write("c.yaml", plan("folder-y"));

        assertThat(awaitProblem("b.yaml").get("message").asString()).contains("a.yaml");
        Scene.shared().until(() -> version("folder-y") == 1);
        assertThat(client.get("/api/v1/plans/folder-y").json().get("file").asString()).isEqualTo("c.yaml");
    }

    @Test
    void a_name_that_is_there_twice_stays_where_it_was() throws IOException {
        write("b.yaml", plan("folder-a"));
        awaitApplied(1);

        write("a.yaml", plan("folder-a").replace("60%", "50%"));
        assertThat(awaitProblem("a.yaml").get("message").asString()).contains("b.yaml");
        write("b.yaml", plan("folder-a").replace("60%", "40%"));
        Scene.shared().until(() -> version("folder-a") == 2);
        assertThat(client.get("/api/v1/plans/folder-a").json().get("file").asString()).isEqualTo("b.yaml");
    }

    @Test
    void a_calendar_that_a_plan_needs_does_not_go_and_comes_back_as_a_problem() throws IOException {
        write("holidays.ics", CALENDAR);
        write("a.yaml", plan("folder-a") + "  schedule: {interval: 6h, except: [holidays]}\n");
        awaitApplied(1);

        Files.delete(folder.resolve("holidays.ics"));
        write("b.yaml", plan("folder-b"));
        Scene.shared().until(() -> version("folder-b") == 1);
        assertThat(status().get("problems").toString()).contains("holidays");
        assertThat(version("folder-a")).isEqualTo(1);
        assertThat(client.get("/api/v1/calendars/holidays").status()).isEqualTo(200);
    }

    @Test
    void what_the_folder_owns_nobody_else_changes_and_the_other_way_round() throws IOException {
        write("a.yaml", plan("folder-owned"));
        awaitApplied(1);

        Answer put = client.put("/api/v1/plans/folder-owned", plan("folder-owned").replace("60%", "50%"));
        assertThat(put.status()).isEqualTo(409);
        assertThat(put.json().get("type").asString()).endsWith("owned-by-folder");
        assertThat(put.json().get("detail").asString()).contains("plan folder");
        assertThat(client.delete("/api/v1/plans/folder-owned").status()).isEqualTo(409);

        client.post("/api/v1/plans", plan("api-owned"));
        write("b.yaml", plan("api-owned"));
        write("c.yaml", plan("folder-beside"));
        assertThat(awaitProblem("b.yaml").get("message").asString()).contains("came from the API");
        Scene.shared().until(() -> version("folder-beside") == 1);
        assertThat(client.delete("/api/v1/plans/api-owned").status()).isEqualTo(204);
        awaitApplied(3);
    }

    private static void sql(String statement) {
        controller.getBean(JdbcClient.class).sql(statement).update();
    }

    @Test
    void a_file_that_the_database_does_not_take_holds_up_no_other_and_is_tried_again() throws IOException {
        write("b.yaml", plan("folder-b") + "---\n" + plan("folder-gone"));
        awaitApplied(2);
        sql("ALTER TABLE plan_version ADD CONSTRAINT folder_test CHECK (plan_name <> 'folder-bad') NOT VALID");
        sql("ALTER TABLE calendar ADD CONSTRAINT folder_test CHECK (name <> 'bad') NOT VALID");
        try {
            write("a.yaml", plan("folder-a"));
            write("b.yaml", plan("folder-b").replace("60%", "50%") + "---\n" + plan("folder-bad"));
            write("bad.ics", CALENDAR);
            write("c.yaml", plan("folder-c") + "  schedule: {interval: 6h, except: [good]}\n");
            write("good.ics", CALENDAR);

            Scene.shared().until(() -> version("folder-a") == 1 && version("folder-c") == 1);
            Scene.shared().until(() -> status().get("problems").size() == 2);
            assertThat(status().get("problems").valueStream().map(it -> it.get("file").asString()))
                    .containsExactly("bad.ics", "b.yaml");
            assertThat(status().get("problems").get(1).get("message").asString())
                    .contains("could not be stored; it is tried again").contains("folder_test");
            assertThat(version("folder-b")).as("a file is taken whole or not at all").isEqualTo(1);
            assertThat(version("folder-gone")).isEqualTo(1);
            assertThat(client.get("/api/v1/calendars/good").status()).isEqualTo(200);
            assertThat(status().get("plans").asInt()).isEqualTo(2);
            assertThat(status().get("calendars").asInt()).isEqualTo(1);
        } finally {
            sql("ALTER TABLE plan_version DROP CONSTRAINT folder_test");
            sql("ALTER TABLE calendar DROP CONSTRAINT folder_test");
        }
        awaitApplied(4);
        assertThat(version("folder-gone")).isZero();
        assertThat(version("folder-b")).isEqualTo(2);
    }

    @Test
    void a_config_map_that_is_swapped_is_taken_over() throws IOException {
        Path first = Files.createDirectory(folder.resolve("..2026_01"));
        Files.writeString(first.resolve("plans.yaml"), plan("folder-map"));
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_01"));
        Files.createSymbolicLink(folder.resolve("plans.yaml"), Path.of("..data", "plans.yaml"));
        awaitApplied(1);

        Path second = Files.createDirectory(folder.resolve("..2026_02"));
        Files.writeString(second.resolve("plans.yaml"), plan("folder-map").replace("60%", "50%"));
        Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..2026_02"));
        Files.move(folder.resolve("..data_tmp"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);

        Scene.shared().until(() -> version("folder-map") == 2);
        Files.delete(folder.resolve("plans.yaml"));
        awaitApplied(0);
    }
}
