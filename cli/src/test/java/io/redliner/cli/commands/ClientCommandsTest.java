// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The verbs against answers as the controller's API documents them. */
class ClientCommandsTest {

    private static final String RUN = """
            {"id": "r1", "service": "shop", "sut": "a:1", "plan": "p", "profile": "capacity", "phase": "Finished",
             "outcome": "CAPACITY_FOUND", "stopReason": {"code": "CapacityFound", "detail": "confirmed"}, "exitCode": 0,
             "submittedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:02:00Z", "askedShare": 0.25,
             "naturalShare": 0.25, "maxShare": 0.6, "harm": {"requests": 12, "allowed": 300, "used": 0.04, "anyway": 7},
             "result": {"capacity": 284.2, "low": 262, "high": 310, "lowerBound": false, "limitingRule": "latency"},
             "restore": {"traffic": "NATURAL", "proof": "MEASURED", "seconds": 0.8, "detail": "ok"},
             "bottleneck": [{"resource": "CPU", "strength": 0.9, "words": "busy", "figures": []}],
             "validity": [{"name": "load", "verdict": "DOUBTFUL", "unit": "", "words": "noisy neighbours"}],
             "conditions": [{"type": "TrafficRestored", "status": "True", "reason": "Measured", "message": "ok"}]}""";

    private FakeController controller;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController();
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text);
    }

    @Test
    void status_of_a_run_tells_answer_cost_doubts_and_conditions() {
        controller.on("GET /api/v1/runs/r1", 200, RUN);

        FakeController.Ran ran = controller.run("status", "r1");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Finished: CAPACITY_FOUND, confirmed",
                "Capacity 284 requests/s (95 %: 262 to 310), limited by latency", "Bottleneck CPU: busy",
                "Doubtful: noisy neighbours",
                "Harm by the test 12 requests of 300 that the budget allows; harm anyway 7 requests",
                "Traffic restored: MEASURED after 800 ms",
                "TrafficRestored", "Exit code 0");
    }

    @Test
    void status_explains_a_capacity_when_it_is_asked_to() {
        controller.on("GET /api/v1/runs/r1", 200, RUN);

        assertThat(controller.run("status", "r1").out()).doesNotContain("curve");
        assertThat(controller.run("status", "r1", "--explain").out()).contains("Capacity 284 requests/s")
                .endsWith("\n\nNo curve was recorded: the search had no step, or the run is\nof an older version.\n");
        assertThat(json(controller.run("status", "r1", "--explain", "--output", "json").out())).isEqualTo(json(RUN));
        FakeController.Ran nameless = controller.run("status", "--explain");
        assertThat(nameless.code()).isEqualTo(2);
        assertThat(nameless.err()).contains("--explain is about one run: name it, as in status RUN --explain");
    }

    @Test
    void status_without_a_run_lists_what_is_live_and_what_was() {
        for (String phase : new String[]{"Pending", "Preparing", "Baseline", "Confirming", "Paused", "Restoring"}) {
            controller.on("GET /api/v1/runs?limit=200&phase=" + phase, 200, "{\"items\": []}");
        }
        controller.on("GET /api/v1/runs?limit=200&phase=Ramping", 200,
                "{\"items\": [" + RUN.replace("Finished", "Ramping")
                        .replace("\"r1\"", "\"r2\"") + "]}");
        controller.on("GET /api/v1/runs?phase=Finished&limit=10", 200, "{\"items\": ["
                + RUN + ", " + RUN.replace("\"r1\"", "\"r3\"").replace("\"latency\"}",
                        "\"latency\", \"certainty\": {\"level\": \"DOUBTFUL\"}}")
                + "]}");

        assertThat(controller.run("status").out()).containsPattern("r2 +shop +a:1 +capacity +Ramping")
                .containsPattern("r1 +shop +a:1 +capacity +CAPACITY_FOUND +284 requests/s  ")
                .containsPattern("r3 +shop +a:1 +capacity +CAPACITY_FOUND +284 requests/s, doubtful");
        JsonNode document = json(controller.run("status", "--output", "json").out());
        assertThat(document.at("/live/0/id").asString()).isEqualTo("r2");
        assertThat(document.at("/finished/0/id").asString()).isEqualTo("r1");
    }

    @Test
    void status_begins_with_an_engaged_kill_switch_and_what_became_of_the_traffic() {
        controller.on("GET /api/v1/kill-switch", 200, """
                {"engaged": true, "actor": "ops", "reason": "incident 4711", "at": "2026-01-01T07:54:16Z", "traffic":
                {"state": "NATURAL", "since": "2026-01-01T07:54:18Z", "words": "Traffic is natural, measured."}}""");
        controller.on("GET /api/v1/runs/r1", 200, RUN);
        for (String phase : new String[]{"Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Paused",
            "Restoring"}) {
            controller.on("GET /api/v1/runs?limit=200&phase=" + phase, 200, "{\"items\": []}");
        }
        controller.on("GET /api/v1/runs?phase=Finished&limit=10", 200, "{\"items\": []}");

        for (String out : new String[]{controller.run("status").out(), controller.run("status", "r1").out()}) {
            assertThat(out).startsWith("THE KILL SWITCH IS ENGAGED since 2026-01-01T07:54:16Z by ops: incident 4711")
                    .contains("Traffic is natural, measured.");
        }
        assertThat(json(controller.run("status", "--output", "json").out()).at("/killSwitch/engaged").asBoolean())
                .isTrue();
    }

    @Test
    void status_of_a_paused_run_says_whether_traffic_is_natural_and_when_a_limit_ends_it() {
        String paused = RUN.replace("Finished", "Paused").replace("\"id\": \"r1\"",
                "\"id\": \"r1\", \"limit\": {\"at\": \"2026-01-01T00:29:55Z\", \"code\": \"MaxDuration\"},"
                        + " \"pause\": {\"traffic\": \"GOING_BACK\", \"detail\": \"The run is paused, traffic is going back\"}");
        controller.on("GET /api/v1/runs/r1", 200, paused);
        for (String phase : new String[]{"Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Restoring"}) {
            controller.on("GET /api/v1/runs?limit=200&phase=" + phase, 200, "{\"items\": []}");
        }
        controller.on("GET /api/v1/runs?limit=200&phase=Paused", 200, "{\"items\": [" + paused + "]}");
        controller.on("GET /api/v1/runs?phase=Finished&limit=10", 200, "{\"items\": []}");

        assertThat(controller.run("status", "r1").out()).contains("The run is paused, traffic is going back");
        assertThat(controller.run("status").out()).contains("Paused, ends 2026-01-01T00:29:55Z");
    }

    @Test
    void a_status_in_json_is_one_document_as_the_controller_gave_it() {
        controller.on("GET /api/v1/runs/r1", 200, RUN);

        assertThat(json(controller.run("status", "r1", "--output", "json").out())).isEqualTo(json(RUN));
    }

    @Test
    void what_others_wrote_cannot_move_the_cursor() {
        controller.on("GET /api/v1/runs/r1", 200, RUN.replace("confirmed", "\\u001b[2Jgone\\u202e"));

        assertThat(controller.run("status", "r1").out()).contains(" [2Jgone").doesNotContain("\u001b", "\u202e");
    }

    @Test
    void an_id_of_a_series_is_one_too() {
        controller.on("GET /api/v1/series/s1", 200, """
                {"id": "s1", "profile": "regression", "service": "shop", "plan": "p", "phase": "Finished",
                 "outcome": "COMPLETED", "reason": "all runs are over", "exitCode": 99, "choices": [],
                 "members": [{"number": 1, "label": "old", "instance": "a:1", "runId": "r1"}],
                 "result": {"verdict": "WORSE", "words": "by a quarter", "figures": []}}""");

        assertThat(controller.run("status", "s1").out()).contains("Series s1", "WORSE: by a quarter", "Exit code 99");
    }

    @ParameterizedTest
    @CsvSource({"abort", "pause", "resume", "approve"})
    void a_verb_takes_its_reason_to_the_controller(String verb) {
        controller.on("POST /api/v1/runs/r1:" + verb, 202, RUN);

        assertThat(controller.run(verb, "r1", "--reason", "users \"complain\"").code()).isZero();
        assertThat(controller.asked())
                .contains("POST /api/v1/runs/r1:" + verb + " {\"reason\":\"users \\\"complain\\\"\"}");
    }

    @Test
    void a_series_can_be_aborted_like_a_run() {
        controller.on("POST /api/v1/series/s1:abort", 202, "{\"id\": \"s1\", \"phase\": \"Running\"}");

        assertThat(controller.run("abort", "s1", "--reason", "late").code()).isZero();
        assertThat(controller.run("abort", "s2", "--reason", "late").err()).contains("runs/s2:abort");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "approve"})
    void nothing_else_than_an_abort_is_done_without_a_reason(String verb) {
        assertThat(controller.run(verb, "r1").code()).isEqualTo(2);
        assertThat(controller.asked()).isEmpty();
    }

    @Test
    void an_abort_needs_no_reason() {
        controller.on("POST /api/v1/runs/r1:abort", 202, RUN);

        assertThat(controller.run("abort", "r1").code()).isZero();
        assertThat(controller.asked()).contains("POST /api/v1/runs/r1:abort {}");
    }

    @Test
    void an_abort_can_wait_until_traffic_is_restored() {
        controller.on("GET /api/v1/runs/r1", 200, RUN.replace("\"exitCode\": 0", "\"exitCode\": 105"))
                .on("POST /api/v1/runs/r1:abort", 202, RUN);

        FakeController.Ran ran = controller.run("abort", "r1", "--reason", "late", "--wait");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Traffic restored: MEASURED");
    }

    @Test
    void a_user_who_may_not_gets_an_error_that_says_what_to_do() {
        controller
                .on("GET /api/v1/runs/r1", 401,
                        "{\"title\": \"It is not known who you are\", \"detail\": \"no token\"}")
                .on("POST /api/v1/runs/r2:abort", 403,
                        "{\"title\": \"Your role does not allow this\", \"detail\": \"viewer\"}");

        assertThat(controller.run("status", "r1").code()).isEqualTo(1);
        assertThat(controller.run("status", "r1").err()).contains("It is not known who you are", "REDLINER_TOKEN",
                "--token-file");
        FakeController.Ran ran = controller.run("abort", "r2", "--reason", "x", "--output", "json");
        assertThat(ran.err()).contains("Your role does not allow this", "ask an admin");
        assertThat(json(ran.out()).path("detail").asString()).isEqualTo("viewer");
    }

    @Test
    void a_run_that_is_not_there_and_an_id_that_is_none_are_named() {
        assertThat(controller.run("status", "r9").err()).contains("answers 404").contains("r9");
        assertThat(controller.run("status", "../plans").code()).isEqualTo(2);
    }

    @Test
    void an_address_where_nobody_listens_is_reported_with_the_address_and_what_to_do() {
        controller.close();

        FakeController.Ran ran = controller.run("status", "--output", "json");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("no answer from the controller at " + controller.url(), "nothing listens there",
                "--url").doesNotContain("Exception");
        assertThat(json(ran.out()).path("detail").asString()).contains("nothing listens there");
    }

    @Test
    void something_else_at_the_address_is_no_controller() {
        controller.on("GET /api/v1/runs/r1", 200, "<html>");

        assertThat(controller.run("status", "r1").err()).contains("is no controller").doesNotContain("REDACTED",
                "StreamReadFeature");
        assertThat(FakeController.execute("status", "--url", "redliner").err()).contains("The controller's address");
    }

    @Test
    void a_token_comes_from_a_file_and_an_empty_one_is_refused() throws IOException {
        controller.on("GET /api/v1/runs/r1", 200, RUN);
        Path token = Files.writeString(folder.resolve("token"), "rl_secret\n");

        assertThat(controller.run("status", "r1", "--token-file", token.toString()).code()).isZero();
        assertThat(controller.tokens()).containsOnly("Bearer rl_secret");
        Files.writeString(token, " \n");
        assertThat(controller.run("status", "r1", "--token-file", token.toString()).err()).contains("is empty");
        assertThat(controller.run("status", "r1", "--token-file", "/nowhere").err()).contains("cannot be read");
        assertThat(controller.run("status", "r1", "--token-file", folder.toString()).err()).contains("cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rl_secret\nrl_secret2", "\uFEFFrl_secret", "rl_secret\u00e4", "rl_secret more",
        "rl_secret\u0007"})
    void what_is_no_token_is_refused_and_never_printed(String content) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), content);
        Path latin = Files.write(folder.resolve("latin"), content.getBytes(StandardCharsets.UTF_16));

        for (String[] line : new String[][]{{"status", "--token-file", token.toString()},
            {"status", "--token", content}, {"status", "--token-file", latin.toString()}}) {
            FakeController.Ran ran = controller.run(line);

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).containsAnyOf("has more than a token in it", "is not UTF-8");
            assertThat(ran.err() + ran.out()).doesNotContain("rl_secret", "Bearer");
        }
        assertThat(controller.tokens()).isEmpty();
    }

    @Test
    void a_plan_is_validated_and_its_mistakes_are_at_their_places() throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "kind: CapacityTest");
        controller.on("POST /api/v1/plans:validate", 200,
                "{\"valid\": true, \"hash\": \"abc\", \"notes\": [\"rule 'cpu' is a level\"], \"plan\": {},"
                        + " \"limits\": [{\"limit\": \"maxRaise\", \"text\": \"2 raises or more.\"}]}");
        assertThat(controller.run("validate", plan.toString()).out()).contains("Valid", "abc",
                "maxRaise: 2 raises or more.", "Note: rule 'cpu' is a level");

        controller.on("POST /api/v1/plans:validate", 400,
                "{\"errors\": [{\"field\": \"$.spec\", \"line\": 3, \"column\": 7, \"message\": \"is required\"}]}");
        FakeController.Ran bad = controller.run("validate", plan.toString(), "--output", "json");
        assertThat(bad.code()).isEqualTo(104);
        assertThat(bad.err()).endsWith("plan.yaml:3:7: $.spec: is required\n");
        assertThat(json(bad.out()).at("/errors/0/line").asInt()).isEqualTo(3);
    }

    @Test
    void a_report_goes_to_a_file_in_the_format_of_its_name_and_is_whole_or_not_there() throws IOException {
        controller.on("GET /api/v1/runs/r1/report?format=junit", 200, "<testsuite/>")
                .on("GET /api/v1/runs/r1/report?format=csv", 200, "a,b\n");
        Path file = folder.resolve("report.xml");

        assertThat(controller.run("report", "r1", "--out", file.toString()).code()).isZero();
        assertThat(file).hasContent("<testsuite/>");
        assertThat(controller.run("report", "r1", "--format", "csv").out()).isEqualTo("a,b\n");
        assertThat(controller.run("report", "r9", "--out", file.toString()).code()).isEqualTo(1);
        assertThat(file).hasContent("<testsuite/>");
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void a_fleet_is_sized_with_what_was_asked() {
        controller.on("POST /api/v1/sizing", 200,
                """
                        {"targetRequestsPerSecond": 1000, "classes": [{"low": 262, "instances": 6, "perDomain": [2, 2, 2],
                         "capacity": {"runId": "r1", "recordedAt": "2026-01-01T00:00:00Z", "lowerBound": false, "stale": true,
                                      "certainty": {"level": "DOUBTFUL", "words": "doubtful: host, collector"}},
                         "normal": {"instances": 6, "limit": 183, "load": 166.7, "utilisation": 0.64}}], "assumption": "even"}""");

        FakeController.Ran ran = controller.run("size", "--service", "shop", "--target", "1000", "--headroom", "30%",
                "--failure-domains", "3", "--survive-loss");

        assertThat(ran.out()).contains("6 instances, each takes 262 requests/s; per failure domain 2 + 2 + 2",
                "measured in run r1, recorded 2026-01-01T00:00:00Z, out of date, doubtful: host, collector",
                "167 requests/s each, 64.0 %", "Assumed: even");
        assertThat(controller.asked().getFirst()).contains("\"service\":\"shop\"", "\"headroom\":\"30%\"",
                "\"failureDomains\":3", "\"surviveLoss\":true", "\"targetRequestsPerSecond\":1000");
        assertThat(controller.run("size", "--target", "5").code()).as("neither service nor capacity").isEqualTo(2);
    }

    @Test
    void a_run_can_be_started_and_left() throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "kind: CapacityTest");
        controller.on("POST /api/v1/plans:validate", 200, "{\"valid\": true}").on("POST /api/v1/runs", exchange -> {
            exchange.getResponseHeaders().add("Location", "/api/v1/runs/r1");
            FakeController.send(exchange, 202, RUN);
        });

        FakeController.Ran ran = controller.run("run", plan.toString(), "--detach");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("redliner watch r1", "redliner abort r1");
        assertThat(json(controller.run("run", plan.toString(), "--detach", "--output", "json").out()).path("id")
                .asString()).isEqualTo("r1");
    }
}
