// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TerminalFrameTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final FollowedRun run = new FollowedRun();

    @BeforeEach
    void submitted() {
        run.snapshot(
                json("""
                        {"id": "r1", "service": "shop", "sut": "a:1", "profile": "capacity", "phase": "Preparing", "maxShare": 0.6,
                         "submittedAt": "2026-01-01T00:00:00Z", "maxDurationSeconds": 210, "journalSequence": 5,
                         "harm": {"requests": 10, "allowed": 100}}"""));
    }

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text);
    }

    private void window(int sequence, double p99, String more) {
        run.happened(json("""
                {"sequence": %d, "phase": "Ramping", "askedShare": 0.31, "reason": "holds at 180 requests/s",
                 "window": {"startedAt": "%s", "lengthSeconds": 1, "judgement": "HOLDS", "requestsPerSecond": 212,
                  "serviceRequestsPerSecond": 700, "shareMeasured": 0.312, "latencyP99Seconds": %s, "harmRequests": 2,
                  "rules": [{"name": "latency", "expression": "latency.p99 <= duration('200ms')", "unit": "seconds",
                    "guard": false, "informational": false, "value": %s, "threshold": 0.2, "utilisation": %s},
                   {"name": "errors", "expression": "error_rate <= 0.001", "unit": "ratio", "guard": false,
                    "informational": false, "value": 0.0019, "threshold": 0.001, "utilisation": 1.9},
                   {"name": "fleet", "expression": "service.error_rate <= 0.05", "unit": "ratio", "guard": true,
                    "informational": false, "value": 0.4, "threshold": 0.05, "utilisation": 8}]%s}}""".formatted(
                sequence,
                START.plusSeconds(sequence), p99, p99, p99 / 0.2, more)));
    }

    private List<AttributedString> picture(int second, String trouble) {
        return new TerminalFrame(TerminalFrame.Symbols.ASCII, 100).draw(run, START.plusSeconds(second),
                trouble.isEmpty() ? null : trouble,
                new AttributedString("keys", TerminalFrame.DIM));
    }

    private static List<String> texts(List<AttributedString> picture) {
        return picture.stream().map(line -> line.toString().strip()).toList();
    }

    private static AttributedString line(List<AttributedString> picture, String label) {
        return picture.stream().filter(line -> line.toString().startsWith(label + " ")).findFirst().orElseThrow();
    }

    private static AttributedStyle barStyle(List<AttributedString> picture, String label) {
        return line(picture, label).styleAt(10);
    }

    @Test
    void a_run_without_a_window_shows_no_numbers() {
        assertThat(texts(picture(3, ""))).containsExactly(
                "shop  a:1  capacity  0:03 of 3:30 at most  run r1", "Preparing", "", "keys");
    }

    @Test
    void shows_share_latency_against_its_limit_harm_history_and_estimate() {
        window(6, 0.05, "");
        window(7, 0.132,
                ", \"estimate\": {\"capacity\": 284, \"low\": 262, \"high\": 310, \"limitingRule\": \"latency\"}");

        List<String> lines = texts(picture(9, ""));

        assertThat(lines).anySatisfy(line -> assertThat(line).matches(
                "Share +#+-+  31.2 % measured, 31.0 % asked, at most 60.0 %"));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("p99 +#+-+  132 ms of 200 ms"));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("errors +#+  0.19 % of 0.10 %"));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("Harm +#+-+  14 of 100 requests .*"));
        assertThat(lines).anySatisfy(line -> assertThat(line).matches("p99 then +:\\+  2 windows, highest 132 ms"));
        assertThat(lines).contains("Estimate  284 requests/s (95 %: 262 to 310), limited by latency");
        assertThat(barStyle(picture(9, ""), "errors")).isEqualTo(TerminalFrame.BAD);
        assertThat(barStyle(picture(9, ""), "p99")).isEqualTo(TerminalFrame.GOOD);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60})
    void a_narrow_terminal_loses_no_number_and_no_key(int width) {
        run.snapshot(json("""
                {"id": "6cfe0e3a-1111-4222-8333-444444444444", "service": "profile-backend", "sut": "10.0.3.17:8080",
                 "profile": "capacity", "maxShare": 0.6, "submittedAt": "2026-01-01T00:00:00Z",
                 "maxDurationSeconds": 210, "harm": {"requests": 10, "allowed": 100}}"""));
        window(7, 0.25,
                ", \"estimate\": {\"capacity\": 284, \"low\": 262, \"high\": 310, \"limitingRule\": \"latency\"}");

        List<AttributedString> lines = new TerminalFrame(TerminalFrame.Symbols.ASCII, width).draw(run,
                START.plusSeconds(9), null, new AttributedString(InterruptPrompt.QUESTION, TerminalFrame.STRONG));

        assertThat(lines).allSatisfy(line -> assertThat(line.columnLength()).isLessThanOrEqualTo(width));
        assertThat(String.join(" ", texts(lines))).contains("6cfe0e3a-1111-4222-8333-444444444444",
                "31.2 % measured, 31.0 % asked, at", "60.0 %", "250 ms of 200 ms", "284 requests/s (95 %: 262 to 310)",
                "[d] detach", "keep watching");
        assertThat(line(lines, "p99").styleAt(12)).isEqualTo(TerminalFrame.BAD);
    }

    @Test
    void old_numbers_are_dim_and_say_so() {
        window(7, 0.132, "");

        assertThat(texts(picture(60, ""))).anySatisfy(line -> assertThat(line).contains("OLD", "0:52 ago"));
        AttributedString p99 = line(picture(60, ""), "p99");
        assertThat(p99.styleAt(p99.length() - 1)).isEqualTo(TerminalFrame.DIM);
    }

    @Test
    void a_lost_connection_makes_all_numbers_dim_at_once() {
        window(7, 0.132, "");

        assertThat(texts(picture(9, "nothing listens there")))
                .anySatisfy(line -> assertThat(line).contains("LOST", "connecting again", "nothing listens there"));
        assertThat(barStyle(picture(9, "x"), "p99")).isEqualTo(TerminalFrame.DIM);
    }

    @Test
    void harm_goes_on_from_what_the_controller_counted() {
        window(4, 0.1, "");
        assertThat(run.harm()).as("counted already").isEqualTo(10);
        window(6, 0.1, "");
        assertThat(run.harm()).isEqualTo(12);
        run.snapshot(json("{\"journalSequence\": 6, \"harm\": {\"requests\": 12}}"));
        assertThat(run.harm()).isEqualTo(12);
    }
}
