// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids by their first letters, as people read them from a screen. */
class RunIdPrefixTest {

    private static final String ONE = "6cfe0e3a-1111-4222-8333-444444444444";

    private static final String OTHER = "6cfe0e99-1111-4222-8333-444444444444";

    private static final String SERIES = "77aa0e99-1111-4222-8333-444444444444";

    private FakeController controller;

    private static String view(String id, String phase) {
        return "{\"id\": \"" + id + "\", \"service\": \"shop\", \"phase\": \"" + phase
                + "\", \"submittedAt\": \"2026-01-01T00:00:00Z\"}";
    }

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController();
        controller.on("GET /api/v1/runs?limit=200", 200,
                "{\"items\": [" + view(ONE, "Ramping") + "], \"nextPageToken\": \"a+b\"}")
                .on("GET /api/v1/runs?limit=200&pageToken=a%2Bb", 200,
                        "{\"items\": [" + view(OTHER, "Finished") + "]}")
                .on("GET /api/v1/series?limit=200", 200,
                        "{\"items\": [{\"id\": \"" + SERIES
                                + "\", \"service\": \"cart\", \"phase\": \"Running\", \"createdAt\": \"2026-01-02T00:00:00Z\"}]}");
        for (String id : new String[]{ONE, OTHER}) {
            controller.on("GET /api/v1/runs/" + id, 200, view(id, "Ramping"))
                    .on("POST /api/v1/runs/" + id + ":abort", 202, view(id, "Ramping"))
                    .on("POST /api/v1/runs/" + id + ":pause", 202, view(id, "Ramping"))
                    .on("GET /api/v1/runs/" + id + "/report?format=csv", 200, "a,b\n");
        }
        controller.on("POST /api/v1/series/" + SERIES + ":abort", 202, "{\"id\": \"" + SERIES + "\"}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6cfe0e3", "6CFE0E3A", "6cfe0e3a-1111"})
    void a_run_is_found_by_the_first_letters_of_its_id(String letters) {
        assertThat(controller.run("status", letters).out()).contains("Run " + ONE);
        assertThat(controller.run("report", letters, "--format", "csv").out()).isEqualTo("a,b\n");
        assertThat(controller.run("pause", letters, "--reason", "look").out()).contains("redliner status " + ONE);
        assertThat(controller.run("abort", letters).out()).contains("redliner status " + ONE);
        assertThat(controller.asked()).contains("POST /api/v1/runs/" + ONE + ":abort {}");
    }

    @Test
    void an_older_run_and_a_series_are_found_too() {
        assertThat(controller.run("status", "6cfe0e9").out()).contains("Run " + OTHER);
        assertThat(controller.run("abort", "77aa").code()).isZero();
        assertThat(controller.asked()).contains("POST /api/v1/series/" + SERIES + ":abort {}");
    }

    @ParameterizedTest
    @CsvSource({"status, ''", "abort, ''", "pause, --reason=x", "report, ''"})
    void letters_that_could_be_several_runs_change_nothing_and_name_them(String verb, String option) {
        FakeController.Ran ran = option.isEmpty()
                ? controller.run(verb, "6cfe")
                : controller.run(verb, "6cfe", option);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("'6cfe' could be one of 2, give more letters",
                ONE + "  shop  Ramping  2026-01-01T00:00:00Z", OTHER + "  shop  Finished");
        assertThat(controller.asked()).noneMatch(asked -> asked.startsWith("POST") && !asked.contains("/6cfe:"));
    }

    @Test
    void too_few_letters_and_letters_of_no_run_are_explained() {
        FakeController.Ran few = controller.run("abort", "6cf");
        assertThat(few.code()).isEqualTo(1);
        assertThat(few.err()).contains("Give the id, or at least its first 4 letters");
        FakeController.Ran none = controller.run("status", "ffff");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("answers 404", "No id of the newest 1000 runs begins so", "redliner status");
    }

    @Test
    void a_whole_id_is_not_looked_up() {
        controller.run("abort", ONE);

        assertThat(controller.asked()).containsExactly("POST /api/v1/runs/" + ONE + ":abort {}");
    }
}
