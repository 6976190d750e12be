// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.cli.commands.FakeController.Ran;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

    private static final String NEW = "11111111-1111-1111-1111-111111111111";

    private static final String OLD = "22222222-2222-2222-2222-222222222222";

    private static final String PATH = "GET /api/v1/runs/" + NEW + "/comparison?with=" + OLD;

    @TempDir
    Path folder;

    private static FakeController controller() throws IOException {
        return new FakeController().on("GET /api/v1/runs/" + NEW, 200, "{\"id\": \"" + NEW + "\"}")
                .on("GET /api/v1/runs/" + OLD, 200, "{\"id\": \"" + OLD + "\"}")
                .on("GET /api/v1/runs?limit=200", 200, "{\"items\": [{\"id\": \"" + NEW + "\"}, {\"id\": \"" + OLD
                        + "\"}]}");
    }

    private static String comparison(String change) {
        return comparison(change, answer("SURE", 0), answer("SURE", 0));
    }

    private static String answer(String level, int exitCode) {
        return "{\"answer\": {\"exitCode\": " + exitCode + ", \"certainty\": {\"level\": \"" + level + "\"}}}";
    }

    private static String comparison(String change, String run, String other) {
        return "{\"summary\": \"What is so.\\u001b[2J\", \"comparable\": true, \"run\": " + run + ", \"other\": "
                + other + ", " + change
                + "\"differences\": [{\"name\": \"Version\", \"run\": \"v2\", \"other\": \"v1\", \"verdict\": "
                + "\"CHANGED\"}]}";
    }

    private static String change(String significance) {
        return "\"change\": {\"percent\": -21, \"significance\": \"" + significance + "\"}, ";
    }

    @Test
    void says_what_changed_also_of_runs_that_are_named_by_their_first_letters() throws IOException {
        try (FakeController controller = controller().on(PATH, 200, comparison(change("NOT_SIGNIFICANT")))) {
            Ran ran = controller.run("compare", "1111", "2222");

            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(ran.out()).startsWith("What is so.").doesNotContain("\u001b")
                    .containsPattern("Version +v2 +v1 +changed");
        }
    }

    @Test
    void a_pipeline_can_tell_a_fall_from_what_cannot_be_known() throws IOException {
        try (FakeController controller = controller()) {
            controller.on(PATH, 200, comparison(change("RISE")));
            assertThat(controller.run("compare", NEW, OLD).code()).isZero();
            controller.on(PATH, 200, comparison(change("FALL")));
            assertThat(controller.run("compare", NEW, OLD).code()).isEqualTo(99);
            controller.on(PATH, 200, comparison(change("UNKNOWN")));
            assertThat(controller.run("compare", NEW, OLD).code()).isEqualTo(98);
            controller.on(PATH, 200, comparison(""));
            assertThat(controller.run("compare", NEW, OLD, "--output", "json").code()).isEqualTo(98);
        }
    }

    @Test
    void a_capacity_that_is_not_sure_or_not_safe_is_not_taken_for_as_good() throws IOException {
        String good = answer("SURE", 0);
        try (FakeController controller = controller()) {
            for (String bad : List.of(answer("DOUBTFUL", 0), answer("CANNOT_BE_KNOWN", 0), answer("SURE", 106), "{}")) {
                for (String significance : List.of("RISE", "NOT_SIGNIFICANT")) {
                    controller.on(PATH, 200, comparison(change(significance), bad, good));
                    assertThat(controller.run("compare", NEW, OLD).code()).as(bad).isEqualTo(98);
                    controller.on(PATH, 200, comparison(change(significance), good, bad));
                    assertThat(controller.run("compare", NEW, OLD).code()).as(bad).isEqualTo(98);
                }
                controller.on(PATH, 200, comparison(change("FALL"), bad, good));
                assertThat(controller.run("compare", NEW, OLD).code()).isEqualTo(99);
            }
        }
    }

    @Test
    void writes_the_page_too() throws IOException {
        try (FakeController controller = controller().on(PATH, 200, comparison(change("RISE")))
                .on(PATH + "&format=html", 200, "<!DOCTYPE html>")) {
            Path file = folder.resolve("comparison.html");

            Ran ran = controller.run("compare", NEW, OLD, "--out", file.toString());

            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(file).hasContent("<!DOCTYPE html>");
        }
    }

    @Test
    void a_dash_is_the_standard_output() throws IOException {
        try (FakeController controller = controller().on(PATH, 200, comparison(change("FALL")))
                .on(PATH + "&format=html", 200, "<!DOCTYPE html>")) {
            Ran ran = controller.run("compare", NEW, OLD, "--out", "-");

            assertThat(ran.code()).as(ran.err()).isEqualTo(99);
            assertThat(ran.out()).isEqualTo("<!DOCTYPE html>");
            assertThat(ran.err()).isEmpty();
            assertThat(Path.of("-")).doesNotExist();
        }
    }

    @Test
    void a_missing_or_unknown_run_is_named() throws IOException {
        try (FakeController controller = controller()) {
            assertThat(controller.run("compare", NEW)).satisfies(ran -> {
                assertThat(ran.code()).isEqualTo(2);
                assertThat(ran.err()).contains("OTHER");
            });
            assertThat(controller.run("compare", NEW, "33333333-3333-3333-3333-333333333333").code()).isOne();
            assertThat(folder).isEmptyDirectory();
        }
    }
}
