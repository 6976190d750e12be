// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LineOutputTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final StringWriter printed = new StringWriter();

    private final LineOutput output = new LineOutput(new PrintWriter(printed, true));

    private final FollowedRun run = new FollowedRun();

    @BeforeEach
    void submit() {
        run.snapshot(json("{\"phase\": \"Preparing\", \"submittedAt\": \"" + START + "\"}"));
    }

    @Test
    void the_99th_percentile_stands_beside_its_limit() {
        assertThat(line("latency.p99 <= duration('200ms')", 0.132, 0.2))
                .contains("requests/s  p99 132 ms of 200 ms  HOLDS");
    }

    @Test
    void an_sla_on_another_percentile_is_shown_beside_the_99th() {
        assertThat(line("latency.p95 <= duration('150ms')", 0.091, 0.15))
                .contains("requests/s  p99 132 ms  latency 91 ms of 150 ms  HOLDS");
    }

    @Test
    void a_change_is_a_line_and_there_is_at_most_one_a_second() {
        window(0.0, "Ramping", 0.26, "HOLDS", 0.1);
        window(0.3, "Ramping", 0.27, "HOLDS", 0.1);
        window(0.6, "Ramping", 0.28, "HOLDS", 0.1);
        draw(0.9);
        assertThat(lines()).hasSize(1);
        draw(1.0);
        window(1.2, "Confirming", 0.29, "HOLDS", 0.1);

        assertThat(lines()).hasSize(2).last().asString().startsWith("0:00  Ramping  share 28.0 %");
        window(2.1, "Confirming", 0.30, "HOLDS", 0.1);
        assertThat(lines()).hasSize(3).last().asString().startsWith("0:02  Confirming  share 30.0 %");
    }

    @Test
    void while_nothing_changes_there_is_a_line_after_five_seconds() {
        for (int second = 0; second < 12; second++) {
            window(second, "Baseline", 0.25, "HOLDS", 0.1);
            draw(second + 0.5);
        }

        assertThat(lines()).extracting(line -> line.substring(0, 4)).containsExactly("0:00", "0:05", "0:10");
    }

    @Test
    void a_breach_between_two_lines_is_not_left_out() {
        window(0.0, "Confirming", 0.40, "HOLDS", 0.1);
        window(0.2, "Confirming", 0.41, "BREACHED", 0.3);
        window(0.4, "Confirming", 0.20, "HOLDS", 0.1);
        draw(1.1);

        assertThat(lines()).last().asString().contains("share 41.0 %", "p99 300 ms of 200 ms  BREACHED");
        window(1.3, "Confirming", 0.19, "BREACHED", 0.4);
        output.showEnd(json("{\"outcome\": \"INCONCLUSIVE\", \"stopReason\": {\"detail\": \"over\"}}"));
        assertThat(lines()).anyMatch(line -> line.contains("share 19.0 %")).last().asString()
                .isEqualTo("Finished: INCONCLUSIVE, over");
    }

    @Test
    void requests_without_an_answer_are_named_beside_the_breach_that_they_are() {
        window(0, "Confirming", 0.4, "BREACHED", Double.NaN);
        window(2, "Confirming", 0.2, "INCONCLUSIVE", Double.NaN);

        assertThat(lines()).first().asString().contains("p99 beyond 200 ms  BREACHED");
        assertThat(lines()).last().asString().contains("p99 unknown  INCONCLUSIVE");
        assertThat(lines()).noneMatch(line -> line.contains("p99 -"));
    }

    @Test
    void a_window_without_a_request_has_no_figures_while_the_run_is_prepared() {
        window(0, "Preparing", Double.NaN, "INCONCLUSIVE", Double.NaN);
        window(2, "Ramping", Double.NaN, "INCONCLUSIVE", Double.NaN);

        assertThat(lines()).first().asString().startsWith("0:00  Preparing  testing").doesNotContain("share");
        assertThat(lines()).last().asString().startsWith("0:02  Ramping  share -");
    }

    @Test
    void a_line_has_at_most_120_columns_and_as_many_words_as_fit() {
        window(0, "Baseline", 0.4, "HOLDS", 0.1);
        run.snapshot(json("{\"phase\": \"Preparing\", \"submittedAt\": \"" + START
                + "\", \"harm\": {\"requests\": 123456, \"allowed\": 1234567}}"));
        window(3_000, "Confirming", 0.4, "INCONCLUSIVE", 0.1);

        assertThat(lines().getFirst()).hasSizeLessThanOrEqualTo(LineOutput.WIDTH).contains("HOLDS  testing")
                .endsWith("...");
        assertThat(lines().getLast()).hasSizeLessThanOrEqualTo(LineOutput.WIDTH)
                .endsWith("INCONCLUSIVE  estimate 12345 (11111 to 23456)");
    }

    @Test
    void a_sentence_goes_on_in_the_next_line_and_a_word_is_never_broken() {
        String path = "/" + "p".repeat(130);
        output.print("word ".repeat(60) + path + " end");

        assertThat(lines()).hasSize(5).first().asString().hasSize(119);
        assertThat(lines().get(1)).hasSize(120 - 4).startsWith("  word");
        assertThat(lines().get(3)).isEqualTo("  " + path);
        assertThat(lines().get(4)).isEqualTo("  end");
        assertThat(String.join(" ", lines()).replaceAll(" +", " ")).isEqualTo("word ".repeat(60) + path + " end");
    }

    private void window(double second, String phase, double share, String judgement, double p99) {
        String value = orNull(p99);
        String estimate = phase.equals("Baseline")
                ? "null"
                : "{\"capacity\": 12345, \"low\": 11111, \"high\": 23456, \"limitingRule\": \"latency\"}";
        happened(second, phase, share, judgement, value, estimate, "latency.p99 <= duration('200ms')", value, 0.2);
    }

    private String line(String expression, double value, double threshold) {
        happened(2, "Ramping", 0.312, "HOLDS", "0.132", "null", expression, Double.toString(value), threshold);
        return printed.toString();
    }

    private void happened(double second, String phase, double share, String judgement, String p99, String estimate,
            String expression, String value, double threshold) {
        JsonNode decision = json("""
                {"sequence": 1, "phase": "%s", "askedShare": %s,
                 "reason": "testing 292 requests/s, a little below the knee as it is known by now",
                 "window": {"startedAt": "%s", "lengthSeconds": 1, "judgement": "%s", "requestsPerSecond": 212,
                  "shareMeasured": %s, "latencyP99Seconds": %s, "estimate": %s,
                  "rules": [{"name": "latency", "expression": "%s", "unit": "seconds", "guard": false,
                    "informational": false, "judgement": "%s", "value": %s, "threshold": %s, "utilisation": %s}]}}"""
                .formatted(phase, orNull(share), at(second), judgement, orNull(share), p99, estimate, expression,
                        judgement, value,
                        threshold, value.equals("null") ? value : Double.parseDouble(value) / threshold));
        run.happened(decision);
        output.showDecision(decision, run, at(second));
    }

    private static String orNull(double value) {
        return Double.isNaN(value) ? "null" : Double.toString(value);
    }

    private void draw(double second) {
        output.draw(run, at(second), null, false);
    }

    private List<String> lines() {
        return printed.toString().lines().toList();
    }

    private static Instant at(double second) {
        return START.plusMillis(Math.round(1_000 * second));
    }

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text);
    }
}
