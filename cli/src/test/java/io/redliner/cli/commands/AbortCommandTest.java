// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Aborts of all that is under way, of one service or of all. */
class AbortCommandTest {

    private static final List<String> PHASES = List.of("Pending", "Preparing", "Baseline", "Ramping", "Confirming",
            "Paused", "Restoring");

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("GET /api/v1/series?limit=200&phase=Running", 200,
                """
                        {"items": [{"id": "s1", "service": "cart", "phase": "Running", "members": [{"number": 1, "runId": "r3"}]}]}""")
                .on("GET /api/v1/services", 200, "{\"items\": [{\"name\": \"shop\"}, {\"name\": \"cart\"}]}");
        for (String query : List.of("", "&service=shop", "&service=cart", "&service=shpo")) {
            for (String phase : PHASES) {
                controller.on("GET /api/v1/runs?limit=200&phase=" + phase + query, 200, "{\"items\": []}");
            }
        }
        String shop = "{\"id\": \"r1\", \"service\": \"shop\", \"phase\": \"Ramping\"}";
        String second = "{\"id\": \"r2\", \"service\": \"shop\", \"phase\": \"Paused\"}";
        String ofSeries = "{\"id\": \"r3\", \"service\": \"cart\", \"phase\": \"Baseline\"}";
        for (String query : List.of("", "&service=shop")) {
            controller.on("GET /api/v1/runs?limit=200&phase=Ramping" + query, 200, "{\"items\": [" + shop + "]}")
                    .on("GET /api/v1/runs?limit=200&phase=Paused" + query, 200, "{\"items\": [" + second + "]}");
        }
        controller.on("GET /api/v1/runs?limit=200&phase=Baseline", 200, "{\"items\": [" + ofSeries + "]}")
                .on("POST /api/v1/runs/r1:abort", 202, shop).on("POST /api/v1/runs/r2:abort", 202, second)
                .on("POST /api/v1/series/s1:abort", 202,
                        "{\"id\": \"s1\", \"service\": \"cart\", \"phase\": \"Running\"}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private List<String> posted() {
        return controller.asked().stream().filter(asked -> asked.startsWith("POST")).toList();
    }

    @Test
    void all_that_is_under_way_is_aborted_with_the_reason_and_the_run_of_a_series_with_it() {
        FakeController.Ran ran = controller.run("abort", "--live", "--reason", "users complain");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Aborting s1 of cart, it was Running", "Aborting r1 of shop, it was Ramping",
                "Aborting r2 of shop, it was Paused");
        assertThat(posted()).containsExactly("POST /api/v1/series/s1:abort {\"reason\":\"users complain\"}",
                "POST /api/v1/runs/r1:abort {\"reason\":\"users complain\"}",
                "POST /api/v1/runs/r2:abort {\"reason\":\"users complain\"}");
    }

    @Test
    void the_runs_of_one_service_are_aborted_and_no_others() {
        assertThat(controller.run("abort", "--service", "shop").code()).isZero();
        assertThat(posted()).containsExactly("POST /api/v1/runs/r1:abort {}", "POST /api/v1/runs/r2:abort {}");
    }

    @Test
    void one_that_is_refused_does_not_keep_the_others_running_and_is_a_failure() {
        controller.on("POST /api/v1/runs/r1:abort", 403,
                "{\"title\": \"Your role does not allow this\", \"detail\": \"another team\"}");

        FakeController.Ran ran = controller.run("abort", "--service", "shop");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("NOT ABORTED: /api/v1/runs/r1", "another team");
        assertThat(ran.out()).contains("Aborting r2").doesNotContain("r1");
    }

    @Test
    void when_all_are_refused_it_does_not_say_that_nothing_is_under_way() {
        for (String id : List.of("r1", "r2")) {
            controller.on("POST /api/v1/runs/" + id + ":abort", 403, "{\"title\": \"Your role does not allow this\"}");
        }

        FakeController.Ran ran = controller.run("abort", "--service", "shop");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("NOT aborted: 2 of 2").doesNotContain("Nothing");
        JsonNode document = new JsonMapper()
                .readTree(controller.run("abort", "--service", "shop", "--output", "json").out());
        assertThat(document.path("aborted").isEmpty()).isTrue();
        assertThat(document.path("notAborted").valueStream().map(run -> run.path("id").asString()))
                .containsExactly("r1", "r2");
    }

    @Test
    void the_run_of_a_series_that_goes_on_is_aborted_by_itself() {
        controller.on("POST /api/v1/series/s1:abort", 503, "{\"title\": \"The database does not answer\"}")
                .on("POST /api/v1/runs/r3:abort", 202, "{\"id\": \"r3\", \"service\": \"cart\"}");

        FakeController.Ran ran = controller.run("abort", "--live");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("Aborting r3 of cart", "NOT aborted: 1 of 4");
    }

    @Test
    void what_is_behind_the_first_page_is_aborted_too() {
        controller.on("GET /api/v1/series?limit=200&phase=Running", 200, "{\"items\": [], \"nextPageToken\": \"a+b\"}")
                .on("GET /api/v1/series?limit=200&phase=Running&pageToken=a%2Bb", 200,
                        "{\"items\": [{\"id\": \"s9\", \"service\": \"shop\", \"phase\": \"Running\"}]}")
                .on("POST /api/v1/series/s9:abort", 202, "{\"id\": \"s9\", \"service\": \"shop\"}");

        assertThat(controller.run("abort", "--service", "shop").out()).contains("Aborting s9 of shop", "r1", "r2");
    }

    @Test
    void a_run_that_the_first_look_missed_is_found_by_the_next() {
        AtomicInteger looks = new AtomicInteger();
        controller.on("GET /api/v1/runs?limit=200&phase=Confirming&service=cart",
                exchange -> FakeController.send(exchange, 200, looks.incrementAndGet() == 1
                        ? "{\"items\": []}"
                        : "{\"items\": [{\"id\": \"r9\", \"service\": \"cart\", \"phase\": \"Confirming\"}]}"))
                .on("GET /api/v1/series?limit=200&phase=Running", 200, "{\"items\": []}")
                .on("POST /api/v1/runs/r9:abort", 202, "{\"id\": \"r9\", \"service\": \"cart\"}");

        FakeController.Ran ran = controller.run("abort", "--service", "cart");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Aborting r9");
        assertThat(looks).as("until nothing is new").hasValue(3);
    }

    @Test
    void what_was_aborted_is_said_although_the_next_look_fails() {
        AtomicInteger looks = new AtomicInteger();
        controller.on("GET /api/v1/series?limit=200&phase=Running", exchange -> FakeController.send(exchange,
                looks.incrementAndGet() == 1 ? 200 : 503, "{\"items\": [], \"title\": \"Busy\"}"));

        FakeController.Ran ran = controller.run("abort", "--service", "shop");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("Aborting r1", "Aborting r2");
        assertThat(ran.err()).contains("it is not known what is under way");
    }

    @Test
    void one_that_was_ending_already_is_no_failure() {
        controller.on("POST /api/v1/runs/r1:abort", 409, "{\"title\": \"The run is over\", \"detail\": \"r1\"}");

        FakeController.Ran ran = controller.run("abort", "--service", "shop");

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("r1 was ending already");
    }

    @Test
    void nothing_under_way_is_said_and_a_service_that_nobody_knows_is_named_with_those_that_are() {
        controller.on("GET /api/v1/series?limit=200&phase=Running", 200, "{\"items\": []}")
                .on("GET /api/v1/runs?limit=1&service=shpo", 200, "{\"items\": []}");

        assertThat(controller.run("abort", "--service", "cart").out()).contains("Nothing is under way of cart.");
        FakeController.Ran ran = controller.run("abort", "--service", "shpo");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("No service 'shpo' is known. Known are: cart, shop");
        assertThat(posted()).isEmpty();
    }

    @Test
    void without_the_list_it_says_what_ends_everything() {
        controller.on("GET /api/v1/series?limit=200&phase=Running", 503,
                "{\"title\": \"The database does not answer\"}");

        FakeController.Ran ran = controller.run("abort", "--live");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("The database does not answer", "everything is ended by: redliner stop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abort", "abort r1 --live", "abort --live --service shop", "abort --service"})
    void what_is_to_be_aborted_is_named_once(String line) {
        FakeController.Ran ran = controller.run(line.split(" ", -1));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(controller.asked()).isEmpty();
    }
}
