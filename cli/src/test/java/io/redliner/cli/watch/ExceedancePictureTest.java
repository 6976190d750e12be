// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExceedancePictureTest {

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text);
    }

    private static String group(double load, long requests, long exceeding, boolean censored) {
        return String.format(Locale.ROOT,
                "{\"requestsPerSecond\": %s, \"steps\": 3, \"requests\": %d, \"exceeding\": %d, \"censored\": %s}",
                load,
                requests, exceeding, censored);
    }

    private static String point(double load, double ratio, double low, double high) {
        return String.format(Locale.ROOT, "{\"requestsPerSecond\": %s, \"ratio\": %s, \"low\": %s, \"high\": %s}", load,
                ratio, low, high);
    }

    /** A run of the demo's service, whose capacity is scaled. */
    private static String found(double scale) {
        return "{\"profile\": \"capacity\", \"phase\": \"Finished\", "
                + "\"result\": {\"capacity\": " + 273 * scale + ", \"low\": " + 262 * scale + ", \"high\": "
                + 286 * scale
                + ", \"lowerBound\": false}"
                + ", \"exceedances\": {\"rule\": \"latency\", \"latencyLimitSeconds\": 0.4, \"allowedRatio\": 0.01,"
                + " \"shownPart\": 0.6, \"unfitted\": \"\", \"loads\": ["
                + String.join(",", group(61 * scale, 3_904, 0, false), group(252 * scale, 18_400, 70, false),
                        group(271 * scale, 33_210, 210, false), group(295 * scale, 880, 31, true))
                + "], \"fit\": ["
                + String.join(",", point(61 * scale, 0.0001, 0.00001, 0.0004),
                        point(252 * scale, 0.0055, 0.0035, 0.0082),
                        point(262 * scale, 0.0073, 0.0052, 0.01), point(271 * scale, 0.0095, 0.0071, 0.0123),
                        point(273 * scale, 0.01, 0.0075, 0.013), point(286 * scale, 0.0139, 0.01, 0.021),
                        point(295 * scale, 0.0182, 0.0112, 0.034), point(273 * scale * 1.1, 0.0213, 0.012, 0.044),
                        point(273 * scale * 1.2, 0.04, 0.016, 0.12))
                + "]}}";
    }

    @Test
    void a_capacity_is_explained_by_a_sentence_and_a_picture_of_sixty_columns() {
        List<String> lines = ExceedancePicture.lines(json(found(1)));

        assertThat(String.join("\n", lines)).isEqualTo("""
                At 273 requests/s 1.0 % of the requests take longer than 400
                ms, which is what the SLA allows; at 295 it would be 1.8 %
                (95 %: 1.1 % to 3.4 %).

                    req/s requests   counted   fitted 0.050 %      1.0 %
                       61     3904       0 %  0.010 % @              :
                      252    18400    0.38 %   0.55 %           o-*--:
                [     262        -         -   0.73 %             -*-+
                      271    33210    0.63 %   0.95 %              o-*-
                >     273        -         -    1.0 %              --*-
                ]     286        -         -    1.4 %                +*--
                      295      880   >=3.5 %    1.8 %                +--*--o
                o counted, * fitted, @ both, - interval of 95 %, : allowed;
                > is the capacity, [ and ] are the ends of its interval.
                Fitted is for a load that lasts: the short steps of a search
                show 60 % of it.""");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.0011, 1, 293})
    void no_load_is_too_small_or_too_large_for_the_picture(double scale) {
        List<String> lines = ExceedancePicture.lines(json(found(scale)));

        assertThat(lines).allMatch(line -> line.length() <= 60);
        assertThat(lines).filteredOn(line -> line.matches("[>\\[\\] ] +[0-9.]+ .*")).hasSize(7);
        assertThat(lines).anyMatch(line -> line.startsWith(">"));
    }

    @Test
    void traffic_that_ended_first_leaves_the_counts_and_says_why_there_is_no_curve() {
        List<String> lines = ExceedancePicture.lines(json("""
                {"profile": "capacity", "phase": "Finished",
                 "result": {"capacity": 310, "low": 310, "high": 0, "lowerBound": true},
                 "exceedances": {"rule": "latency", "latencyLimitSeconds": 0.4, "allowedRatio": 0.01, "shownPart": 1,
                 "unfitted": "the search did not reach the knee", "fit": [], "loads": [%s, %s]}}""".formatted(
                group(120, 900, 0, false), group(310, 9_000, 18, false))));

        assertThat(String.join(" ", lines)).startsWith("No curve was fitted: the search did not reach the knee."
                + " At 310 requests/s, the highest load tried, 0.20 % of the requests take longer than 400 ms; 1.0 % may.")
                .endsWith("o counted, : allowed.").doesNotContain("*");
        assertThat(lines).filteredOn(line -> line.contains("310     9000")).singleElement().asString().contains("o",
                ":");
    }

    @Test
    void one_step_without_an_exceedance_is_at_the_foot_of_the_scale() {
        List<String> lines = ExceedancePicture.lines(json("""
                {"profile": "capacity", "phase": "Finished", "outcome": "INCONCLUSIVE",
                 "exceedances": {"rule": "errors", "allowedRatio": 0.001, "shownPart": 1,
                 "unfitted": "the search did not reach the knee", "fit": [], "loads": [%s]}}""".formatted(
                group(0.3, 12, 0, false))));

        assertThat(String.join(" ", lines))
                .startsWith("The run has no result; this is what the search believed. No curve")
                .contains(
                        "At 0.30 requests/s, the highest load tried, 0 % of the requests break rule errors; 0.10 % may.");
        assertThat(lines).anyMatch(line -> line.startsWith("     0.30       12       0 %        - o"));
    }

    @Test
    void a_load_far_beyond_those_that_were_tried_is_not_spoken_of() {
        String nearer = found(1).replace(group(295, 880, 31, true), group(280, 880, 15, false));

        assertThat(String.join(" ", ExceedancePicture.lines(json(nearer)))).contains("; at 286 it would be 1.4 %")
                .doesNotContain("at 295").doesNotContain("at 300");
        String tried = found(1).replace(group(295, 880, 31, true), group(310, 880, 131, true));
        assertThat(String.join(" ", ExceedancePicture.lines(json(tried)))).contains("; at 300 it would be 2.1 %",
                ">=15 %");
    }

    @Test
    void a_run_without_a_result_marks_what_was_believed() {
        String believed = found(1).replace("\"result\"", "\"estimate\"");

        List<String> lines = ExceedancePicture.lines(json(believed));

        assertThat(String.join(" ", lines))
                .startsWith("The run has no result; this is what the search believed. At 273 ");
        assertThat(lines).anyMatch(line -> line.startsWith(">     273"));
        String aborted = believed.replace("\"estimate\"", "\"nothing\"");
        assertThat(ExceedancePicture.lines(json(aborted))).noneMatch(line -> line.startsWith(">"))
                .noneMatch(line -> line.contains("> is the capacity"));
    }

    @Test
    void many_groups_and_hostile_words_are_drawn_as_well() {
        String groups = IntStream.range(0, 400).mapToObj(i -> group(100 + i, 10, i % 11, false))
                .collect(Collectors.joining(","));
        List<String> lines = ExceedancePicture.lines(
                json("""
                        {"profile": "capacity", "phase": "Finished", "exceedances": {"rule": "\\u001b[2Jx", "allowedRatio": 0.999,
                         "shownPart": 1, "unfitted": "because", "fit": [], "loads": [%s]}}"""
                        .formatted(groups)));

        assertThat(lines).hasSizeGreaterThan(400).allMatch(line -> line.length() <= 60 && !line.contains("\u001b"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"profile\": \"capacity\", \"phase\": \"Ramping\"} | There is no curve yet: the run goes on.",
        "{\"profile\": \"capacity\", \"phase\": \"Finished\"} | No curve was recorded: the search had no step, or the run is of an older version.",
        "{\"profile\": \"smoke\", \"phase\": \"Finished\"} | There is no curve: a run of profile smoke searches no capacity.",
        "{\"members\": []} | A series has no curve. Each of its runs has one: redliner status RUN --explain",
        "{\"profile\": \"bottleneck\", \"phase\": \"Finished\", \"exceedances\": {\"loads\": [], \"unfitted\": \"it is what it is\"}} | There is no curve: it is what it is.",
        "{\"profile\": \"capacity\", \"phase\": \"Finished\", \"exceedances\": {\"loads\": [{}], \"allowedRatio\": 0}} | No curve was recorded: the search had no step, or the run is of an older version."})
    void without_a_curve_it_says_why(String view, String expected) {
        assertThat(String.join(" ", ExceedancePicture.lines(json(view)))).isEqualTo(expected);
    }
}
