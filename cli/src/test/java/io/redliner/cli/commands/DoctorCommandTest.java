// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.commands.DoctorChecks.Status;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The checkup by what a controller says: connected, missing, and what to do. */
class DoctorCommandTest {

    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

    private static final String HEALTHY = """
            {"status": "UP", "components": {"db": {"status": "UP"}, "topics": {"status": "UP"}, "ping": {"status": "UP"}}}""";

    private static final String SERVICE = """
            {"items": [{"name": "shop", "fresh": true, "lastSeen": "2026-01-01T00:00:00Z", "redirectors": ["r-1"],
              "instances": [{"address": "a:1"}, {"address": "b:1"}], "proxies": [{"node": "p-1", "connected": true}],
              "proxiesConnected": 1, "alarms": []}]}""";

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("GET /actuator/health", 200, HEALTHY)
                .on("GET /api/v1/whoami", 200, "{\"name\": \"local\", \"role\": \"ADMIN\"}")
                .on("GET /api/v1/services", 200, SERVICE)
                .on("GET /api/v1/runs?limit=1&service=shop", 200, "{\"items\": []}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text);
    }

    @Test
    void what_is_connected_is_said_and_what_nobody_knows_is_not_called_well() {
        FakeController.Ran ran = controller.run("doctor");

        assertThat(ran.code()).isEqualTo(98);
        assertThat(ran.out()).contains("ok       controller: answers at " + controller.url(),
                "ok       clock: this machine's and the controller's agree",
                "ok       database: the controller reaches it", "ok       Kafka: the controller reaches it",
                "ok       caller: you are local, admin", "ok       kill switch: not engaged",
                "ok       redirector of shop: r-1, instances: 2", "ok       proxies of shop: 1 connected",
                "unknown  observations of shop: no run has asked for them yet\n         do: send its clients",
                "Nothing is missing as far as is known; not known: 1.");
        assertThat(controller.asked()).allMatch(asked -> asked.startsWith("GET"));
    }

    @Test
    void a_run_whose_windows_come_makes_everything_well() {
        Instant now = Instant.now();
        controller.on("GET /api/v1/runs?limit=1&service=shop", 200, "{\"items\": [{\"id\": \"r1\"}]}").on(
                "GET /api/v1/runs/r1", 200,
                "{\"id\": \"r1\", \"phase\": \"Ramping\", \"window\": {\"startedAt\": \"" + now
                        + "\", \"requestsPerSecond\": 212}}");

        FakeController.Ran ran = controller.run("doctor");

        assertThat(ran.code()).as(ran.out()).isZero();
        assertThat(ran.out()).contains("ok       observations of shop: 212 requests/s at the SUT of run r1",
                "All is there.");
        assertThat(json(controller.run("doctor", "--output", "json").out()).path("status").asString())
                .isEqualTo("OK");
    }

    @Test
    void what_is_missing_has_what_to_do_and_is_a_failure() {
        controller.on("GET /actuator/health", 503, """
                {"status": "DOWN", "components": {"db": {"status": "DOWN", "details": {"error": "connection refused"}},
                  "topics": {"status": "OUT_OF_SERVICE", "details": {"reason": "no broker answers"}},
                  "notifyHealth": {"status": "DOWN", "details": {"notifier": false}}}}""")
                .on("GET /api/v1/kill-switch", 200,
                        "{\"engaged\": true, \"actor\": \"ops\", \"reason\": \"incident\", \"at\": \"2026-01-01T00:00:00Z\"}")
                .on("GET /api/v1/services", 200, SERVICE.replace("\"fresh\": true", "\"fresh\": false")
                        .replace("Connected\": 1", "Connected\": 0").replace(", {\"address\": \"b:1\"}", "")
                        .replace("\"connected\": true}", "\"connected\": true, \"refusal\": \"no such cluster\"}")
                        .replace("\"alarms\": []", "\"alarms\": [\"Traffic was not natural.\"]"));

        FakeController.Ran ran = controller.run("doctor");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains(
                "FAULT    database: DOWN, error connection refused\n         do: start PostgreSQL",
                "FAULT    Kafka: OUT_OF_SERVICE, reason no broker answers\n         do: start Kafka",
                "FAULT    notifications: DOWN, notifier false", "FAULT    kill switch: engaged since",
                "kill-switch release --reason TEXT", "FAULT    redirector of shop: has not reported it since",
                "FAULT    proxies of shop: none is connected", "FAULT    proxy p-1: refuses the configuration of shop",
                "FAULT    instances of shop: there are fewer than two",
                "FAULT    alarm of shop: Traffic was not natural.",
                "Missing or at fault: 9; not known: 1.");
    }

    @Test
    void without_a_controller_and_without_a_service_the_first_step_is_named() {
        controller.on("GET /api/v1/services", 200, "{\"items\": []}");
        assertThat(controller.run("doctor").out()).contains("FAULT    redirectors: none reports a service",
                "redliner init writes one");

        controller.close();
        FakeController.Ran ran = controller.run("doctor");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("FAULT    controller: no answer", "redliner up --services FILE");
    }

    @Test
    void a_caller_that_the_controller_does_not_know_gets_unknowns() {
        controller.on("GET /actuator/health", 200, "{\"status\": \"UP\"}")
                .on("GET /api/v1/whoami", 401, "{\"title\": \"It is not known who you are\"}")
                .on("GET /api/v1/services", 401, "{\"title\": \"It is not known who you are\"}");

        FakeController.Ran ran = controller.run("doctor");

        assertThat(ran.code()).isEqualTo(98);
        assertThat(ran.out()).contains("unknown  database, Kafka", "unknown  caller:", "unknown  redirectors:",
                "REDLINER_TOKEN");
    }

    @ParameterizedTest
    @CsvSource({"404, {\"status\": 404}", "200, {}"})
    void another_program_that_answers_is_no_controller(int status, String body) {
        controller.on("GET /actuator/health", 200, "{\"status\": \"UP\"}").on("GET /api/v1/whoami", status, body);

        FakeController.Ran ran = controller.run("doctor");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("FAULT    controller: what answers at " + controller.url(), "is no controller")
                .doesNotContain("REDLINER_TOKEN", "unknown");
    }

    @Test
    void a_service_that_nobody_knows_is_refused() {
        controller.on("GET /api/v1/runs?limit=1&service=shpo", 200, "{\"items\": []}");

        assertThat(controller.run("doctor", "--service", "shpo").code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"2026-01-02T00:00:02Z, OK, agree", "2026-01-02T00:10:00Z, FAULT, this machine's is 10:00 ahead of the",
        "2026-01-01T23:00:00Z, FAULT, this machine's is 1:00:00 behind the"})
    void a_clock_that_is_off_is_a_fault(Instant here, Status status, String words) {
        DoctorChecks.Check check = DoctorChecks.clock(NOW, here);

        assertThat(check.status()).isEqualTo(status);
        assertThat(check.finding()).contains(words);
        assertThat(DoctorChecks.clock(null, here).status()).isEqualTo(Status.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"id\": \"r1\", \"phase\": \"Pending\"} | UNKNOWN | has only begun",
        "{\"id\": \"r1\", \"phase\": \"Baseline\"} | FAULT | has none",
        "{\"id\": \"r1\", \"phase\": \"Finished\", \"stopReason\": {\"detail\": \"no verdict shows requests\"}} | FAULT | has none: no verdict shows requests",
        "{\"id\": \"r1\", \"phase\": \"Ramping\", \"window\": {\"startedAt\": \"2026-01-01T23:59:55Z\"}} | OK | 0:05 ago",
        "{\"id\": \"r1\", \"phase\": \"Ramping\", \"window\": {\"startedAt\": \"2026-01-01T23:59:00Z\"}} | FAULT | is 1:00 old",
        "{\"id\": \"r1\", \"phase\": \"Ramping\", \"window\": {\"startedAt\": \"2026-01-01T23:59:35Z\", \"lengthSeconds\": 10}} | OK | 0:25 ago",
        "{\"id\": \"r1\", \"phase\": \"Finished\", \"finishedAt\": \"2026-01-01T20:00:00Z\", \"window\": {\"startedAt\": \"2026-01-01T19:59:00Z\"}} | OK | over since",
        "{\"id\": \"r1\", \"phase\": \"Finished\", \"finishedAt\": \"2025-12-01T20:00:00Z\", \"window\": {\"startedAt\": \"2025-12-01T19:59:00Z\"}} | UNKNOWN | over since"})
    void observations_are_judged_by_the_newest_run(String run, Status status, String words) {
        DoctorChecks.Check check = DoctorChecks.observations("shop", json(run), NOW);

        assertThat(check.status()).as(check.finding()).isEqualTo(status);
        assertThat(check.finding()).contains(words);
    }
}
