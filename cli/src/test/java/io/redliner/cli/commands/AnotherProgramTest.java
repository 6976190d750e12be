// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another program listens where the controller is expected, and answers each request with an object. */
class AnotherProgramTest {

    private FakeController another;

    @BeforeEach
    void start() throws IOException {
        another = new FakeController().on("GET /api/v1/kill-switch", 200, "{}")
                .on("POST /api/v1/kill-switch", 200, "{}").on("POST /api/v1/runs/r1:abort", 200, "{}")
                .on("GET /api/v1/series?limit=200&phase=Running", 200, "{}").on("GET /api/v1/freezes", 200, "{}");
        for (String phase : List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming", "Paused",
                "Restoring")) {
            another.on("GET /api/v1/runs?limit=200&phase=" + phase, 200, "{}");
        }
    }

    @AfterEach
    void stop() {
        another.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "kill-switch", "kill-switch release --reason x", "abort --live", "abort r1",
        "status", "freeze"})
    void its_answers_are_not_taken_for_a_controllers(String line) {
        FakeController.Ran ran = another.run(line.split(" ", -1));

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("what answers at " + another.url() + " is no controller");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"engaged\": false}", "{\"engaged\": \"yes\"}"})
    void a_switch_that_is_not_engaged_afterwards_is_not_called_engaged(String answer) {
        another.on("POST /api/v1/kill-switch", 200, answer);

        FakeController.Ran ran = another.run("stop");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
    }
}
