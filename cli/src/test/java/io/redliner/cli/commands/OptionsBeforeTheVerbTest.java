// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.text.ReleaseVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsBeforeTheVerbTest {

    private FakeController controller;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController();
        controller.on("GET /api/v1/runs/r1", 200, "{\"id\": \"r1\", \"phase\": \"Ramping\"}");
        controller.on("GET /api/v1/runs/status", 200, "{\"id\": \"status\", \"phase\": \"Ramping\"}");
        controller.on("POST /api/v1/plans:validate", 200, "{\"valid\": true, \"hash\": \"abc\", \"plan\": {}}");
        controller.on("POST /api/v1/runs/r1:abort", 202, "{\"id\": \"r1\"}");
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"status r1 --url URL --output json", "--url URL status r1 --output json",
        "--url=URL --output json status r1", "--output=json --url URL status r1", "--output json status --url URL r1",
        "--token status --url URL --output json status r1", "--url URL --output json status status"})
    void options_may_come_before_the_verb_after_it_and_on_both_sides(String line) {
        FakeController.Ran ran = run(line);

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("{").contains("\"Ramping\"");
    }

    @Test
    void options_of_one_verb_may_come_before_it_too() throws IOException {
        Path plan = Files.writeString(folder.resolve("run"), "kind: CapacityTest");

        assertThat(run("--reason changed abort r1 --url URL").code()).isZero();
        assertThat(controller.asked())
                .anyMatch(it -> it.startsWith("POST /api/v1/runs/r1:abort") && it.contains("changed"));
        assertThat(run("--url URL validate " + plan).out()).contains("Valid");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--reason x --url URL stop | POST /api/v1/kill-switch {\"reason\":\"x\"}",
        "--url URL kill-switch engage | POST /api/v1/kill-switch {}",
        "--service shop abort --url URL | GET /api/v1/series?limit=200&phase=Running",
        "--url URL --live abort | GET /api/v1/series?limit=200&phase=Running",
        "--url=URL --to 2h --reason x --service shop freeze add | GET /api/v1/services"})
    void so_may_those_of_verbs_that_have_actions_and_groups_of_options(String line, String asked) {
        run(line);

        assertThat(controller.asked()).as(line).contains(asked);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--help | 0", "--version | 0", "--help status | 0", "-h | 0", "-V status | 0"})
    void the_commands_own_options_stay_its_own(String line, int code) {
        FakeController.Ran ran = run(line);

        assertThat(ran.code()).isEqualTo(code);
        assertThat(ran.out()).containsAnyOf("How many requests per second", "RedLiner " + ReleaseVersion.get());
    }

    @Test
    void every_verb_has_the_version() {
        for (String verb : RedlinerCommand.VERBS.keySet()) {
            for (String option : List.of("-V", "--version")) {
                FakeController.Ran ran = run(verb + " " + option);

                assertThat(ran.code()).as(verb).isZero();
                assertThat(ran.out()).as(verb).isEqualTo(run("-V").out());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--controller URL status  | Unknown options: '--controller'",
        "--detach status --url URL | Unknown option: '--detach'",
        "--url URL                | Missing required subcommand",
        "--url URL statsu         | Did you mean: redliner status",
        "--url URL man            | Unknown option"})
    void what_does_not_fit_is_named_instead_of_options_that_do(String line, String words) {
        FakeController.Ran ran = run(line);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).as(line).contains(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--target 1.234,5 --capacity 100     | option '--target': '1.234,5' is no number; write it as 1234.5, with a point and without separators",
        "--target 1,234.5 --capacity 100     | option '--target': '1,234.5' is no number",
        "--target 1_000 --capacity 100       | option '--target': '1_000' is no number",
        "--target 12k --capacity 100         | option '--target': '12k' is no number",
        "--target NaN --capacity 100         | option '--target': 'NaN' is no number",
        "--target 100 --capacity 12,5        | option '--capacity': '12,5' is no number",
        "--target 1e20 --capacity 12.5       | option '--target': '1e20' has more than 15 digits",
        "--target 5 --capacity 1 --failure-domains 2,5 | '2,5' is not an int",
        "--target 5 --capacity 1 --failure-domains 99999999999 | '99999999999' is not an int"})
    void a_number_that_is_written_otherwise_gets_the_way_to_write_it(String options, String words) {
        FakeController.Ran ran = run("size " + options + " --url URL");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(words).doesNotContain("BigDecimal", "java.");
        assertThat(controller.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::1]:8080", "localhost:8080", "::1", "http://::1:8080", "http://[::1", "ftp://a",
        "http://a b"})
    void an_address_that_is_none_is_refused_in_words(String url) {
        FakeController.Ran ran = FakeController.execute("status", "r1", "--url", url);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("The controller's address is one like https://redliner.example.com", url)
                .doesNotContain("java.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://user:pa55@host", "HTTPS://user:pa55@host:8080/path", "http://pa55@host",
        "http://us@er:pa55@host", "user:pa55@host", "http://user:pa5 5@host", "http://user:pa55/pa55@host",
        "//user:pa55@host", "http://user:pa55@[::1", "ftp://user:pa55@host"})
    void a_secret_in_an_address_is_refused_and_not_shown(String url) {
        for (String line : List.of("status r1 --url %s", "--url %s status r1", "report r1 --output json --url %s")) {
            FakeController.Ran ran = FakeController
                    .execute(
                            Stream.of(line.split(" ", -1)).map(word -> word.replace("%s", url)).toArray(String[]::new));

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("has no user and no password in it", "--token-file", "REDLINER_TOKEN");
            assertThat(ran.err() + ran.out()).doesNotContain("pa5", "user:");
        }
    }

    @Test
    void a_secret_in_an_address_of_the_environment_is_refused_and_not_shown() throws Exception {
        for (String url : List.of("http://user:pa55@127.0.0.1:1", "http://user:pa5 5@host")) {
            Path err = folder.resolve("err");

            assertThat(InputAndOutputTest.shell(err, "REDLINER_URL='" + url + "' \"$@\" status r1")).isEqualTo(2);

            assertThat(Files.readString(err)).contains("REDLINER_URL: ", "has no user and no password in it")
                    .doesNotContain("pa5", "user:");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP://", "Http://"})
    void a_scheme_is_one_in_capitals_too(String scheme) {
        controller.on("GET /@team/api/v1/kill-switch", 200, "{\"engaged\": false}");
        controller.on("GET /@team/api/v1/runs/r1", 200, "{\"id\": \"r1\", \"phase\": \"Ramping\"}");
        String url = controller.url().replace("http://", scheme);

        assertThat(FakeController.execute("status", "r1", "--url", url).code()).isZero();
        assertThat(FakeController.execute("status", "r1", "--url", url + "/@team").code()).isZero();
        assertThat(FakeController.execute("status", "r1", "--token", "t", "--url", scheme + "redliner.invalid").err())
                .contains("the token goes to http://redliner.invalid unencrypted");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--max-raise 1,5x | --max-raise '1,5x' is no factor", "--max-share 30,5% | --max-share '30,5%' ",
        "--max-duration 10 | --max-duration '10' ", "--harm-budget 0,01% | --harm-budget '0,01%' is no ratio"})
    void a_bound_of_a_replay_that_is_written_otherwise_is_named(String options, String words) {
        FakeController.Ran ran = run("replay r1 " + options + " --url URL");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(words);
    }

    /** Its value may be left out. */
    @ParameterizedTest
    @ValueSource(strings = {"--survive-loss true --target 5 --capacity 3 size --url URL",
        "--survive-loss --target 5 --capacity 3 size --url URL",
        "--target 5 --capacity 3 --survive-loss size --url URL"})
    void an_option_whose_value_may_be_left_out_keeps_the_one_that_it_has(String line) {
        run(line);

        assertThat(controller.asked()).hasSize(1).first().asString().startsWith("POST /api/v1/sizing")
                .contains("5").contains("true");
    }

    private FakeController.Ran run(String line) {
        return FakeController.execute(line.replace("URL", controller.url()).split(" ", -1));
    }
}
