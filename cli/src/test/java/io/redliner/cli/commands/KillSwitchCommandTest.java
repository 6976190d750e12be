// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Stop everything with one word; let runs begin again on purpose. */
class KillSwitchCommandTest {

    private static final String PATH = " /api/v1/kill-switch";

    private static final String ENGAGED = "{\"engaged\": true, \"actor\": \"ops\", \"reason\": \"users complain\","
            + " \"at\": \"2026-01-01T07:54:16Z\"%s}";

    private static final String TAKEN = ENGAGED.formatted(", \"stored\": true");

    private FakeController controller;

    private static String withTraffic(String state, String words) {
        return ENGAGED.formatted(", \"traffic\": {\"state\": \"" + state + "\", \"words\": \"" + words + "\"}");
    }

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("POST" + PATH, 202, TAKEN).on("GET" + PATH, 200,
                withTraffic("NATURAL", "Traffic is natural, measured, since 2026-01-01T07:54:18Z."));
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private List<String> changes() {
        return controller.asked().stream().filter(asked -> !asked.startsWith("GET")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "kill-switch engage", "kill-switch ENGAGE"})
    void everything_is_stopped_without_a_reason_and_the_proof_follows(String line) {
        FakeController.Ran ran = controller.run(line.split(" ", -1));

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).containsSubsequence(
                "The kill switch is engaged, by ops, 2026-01-01T07:54:16Z: users complain.",
                "Say why when there is time: redliner kill-switch engage --reason TEXT",
                "Traffic is natural, measured, since 2026-01-01T07:54:18Z.");
        assertThat(changes()).containsExactly("POST" + PATH + " {}");
    }

    @Test
    void a_reason_goes_to_the_controller() {
        assertThat(controller.run("stop", "--reason", "users complain").out()).doesNotContain("Say why");

        assertThat(changes()).containsExactly("POST" + PATH + " {\"reason\":\"users complain\"}");
    }

    @Test
    void it_waits_while_traffic_is_being_restored() {
        AtomicInteger asked = new AtomicInteger();
        controller.on("GET" + PATH, exchange -> FakeController.send(exchange, 200, asked.incrementAndGet() < 3
                ? withTraffic("RESTORING", "Traffic is being restored: 1 run is not over yet.")
                : withTraffic("NOT_MOVED", "No run was live, and none had ended unproven in the day before.")));

        assertThat(controller.run("stop").out()).contains("No run was live").doesNotContain("being restored");
        assertThat(asked).hasValue(3);
    }

    /** Each look at the clock finds it 10 s later. */
    @Test
    void it_waits_for_half_a_minute_and_no_longer() throws Exception {
        String restoring = withTraffic("RESTORING", "Traffic is being restored: 1 run is not over yet.");
        AtomicInteger asked = new AtomicInteger();
        controller.on("GET" + PATH, exchange -> {
            asked.incrementAndGet();
            FakeController.send(exchange, 200, restoring);
        });
        AtomicInteger looks = new AtomicInteger();
        try (ControllerClient client = new ControllerClient(URI.create(controller.url()), null)) {
            JsonNode last = KillSwitchCommand.awaited(client, new JsonMapper().readTree(TAKEN),
                    () -> Instant.EPOCH.plusSeconds(10L * looks.getAndIncrement()));

            assertThat(last.at("/traffic/state").asString()).isEqualTo("RESTORING");
        }
        // At 10, 20 and 30 s.
        assertThat(asked).hasValue(3);
    }

    @Test
    void traffic_that_nobody_measured_is_not_called_natural() {
        controller.on("GET" + PATH, 200, withTraffic("UNKNOWN", "1 run is not measured to be natural."));
        assertThat(controller.run("stop").code()).isEqualTo(106);

        controller.on("POST" + PATH, 202, ENGAGED.formatted(", \"stored\": false")).on("GET" + PATH, 200,
                ENGAGED.formatted(""));
        FakeController.Ran unstored = controller.run("stop");
        assertThat(unstored.code()).isEqualTo(106);
        assertThat(unstored.out()).contains("The database does not answer. The switch is in force all the same",
                "It is not known whether traffic is natural");
    }

    @Test
    void a_stop_that_is_refused_is_a_failure() {
        controller.on("POST" + PATH, 403, "{\"title\": \"Your role does not allow this\"}");

        assertThat(controller.run("stop").code()).isEqualTo(1);
    }

    @Test
    void who_stopped_and_why_is_said() {
        FakeController.Ran ran = controller.run("kill-switch");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("ENGAGED since 2026-01-01T07:54:16Z by ops: users complain",
                "Traffic is natural, measured");
        assertThat(changes()).isEmpty();
        controller.on("GET" + PATH, 200, "{\"engaged\": false, \"actor\": \"boss\", \"reason\": \"fixed\","
                + " \"at\": \"2026-01-01T09:00:00Z\"}");
        assertThat(controller.run("kill-switch").out())
                .contains("The kill switch is not engaged. Last changed by boss, 2026-01-01T09:00:00Z: fixed");
        assertThat(new JsonMapper().readTree(controller.run("kill-switch", "--output", "json").out())
                .path("engaged").asBoolean(true)).isFalse();
    }

    @Test
    void a_release_has_a_word_of_its_own_and_says_who_had_stopped_and_why() {
        controller.on("DELETE" + PATH + "?reason=fixed%20%26%20watched", 200,
                "{\"engaged\": false, \"actor\": \"boss\","
                        + " \"reason\": \"fixed & watched\", \"at\": \"2026-01-01T09:00:00Z\"}");

        FakeController.Ran ran = controller.run("kill-switch", "release", "--reason", "fixed & watched");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("It had been engaged by ops, 2026-01-01T07:54:16Z: users complain",
                "Released by boss, 2026-01-01T09:00:00Z: fixed & watched. Runs can begin again.");
    }

    @Test
    void a_release_of_what_is_not_engaged_changes_nothing() {
        controller.on("GET" + PATH, 200, "{\"engaged\": false}");

        assertThat(controller.run("kill-switch", "release", "--reason", "x").out()).contains("is not engaged");
        assertThat(changes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"kill-switch release | A release needs a reason",
        "kill-switch release --reason= | A release needs a reason",
        "kill-switch --reason x | --reason goes with engage",
        "kill-switch off | Invalid value for positional parameter", "stop r1 | Unmatched argument"})
    void what_is_not_clear_changes_nothing(String line, String words) {
        FakeController.Ran ran = controller.run(line.split(" ", -1));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(words);
        assertThat(changes()).isEmpty();
    }
}
