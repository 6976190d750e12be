// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run as it happens, over a stream that breaks off. */
@Execution(ExecutionMode.CONCURRENT)
class WatchCommandTest {

    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

    private static final String LIVE = """
            {"id": "r1", "service": "shop", "phase": "Ramping", "submittedAt": "2026-01-01T00:00:00Z", "journalSequence": 2,
             "harm": {"requests": 1, "allowed": 300}, "maxShare": 0.6}""";

    private final List<String> resumedAfter = new CopyOnWriteArrayList<>();

    private FakeController controller;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("GET /api/v1/runs/r1", 200, LIVE);
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private static String window(int sequence, double share) {
        return event(sequence,
                """
                        {"sequence": %d, "at": "%s", "event": "VerdictArrived", "phase": "Ramping", "askedShare": %s, "reason": "holds",
                         "window": {"startedAt": "%s", "lengthSeconds": 1, "judgement": "HOLDS", "requestsPerSecond": 212,
                          "serviceRequestsPerSecond": 700, "shareMeasured": %s, "latencyP99Seconds": 0.132, "harmRequests": 1,
                          "estimate": {"capacity": 284, "low": 262, "high": 310, "limitingRule": "latency"}, "rules": [
                           {"name": "latency", "expression": "latency.p99 <= duration('200ms')", "unit": "seconds", "guard": false,
                            "informational": false, "value": 0.132, "threshold": 0.2, "utilisation": 0.66}]}}"""
                        .formatted(sequence,
                                THEN.plusSeconds(sequence), share, THEN.plusSeconds(sequence), share));
    }

    private static String event(int sequence, String data) {
        return "id:" + sequence + "\ndata:" + data.replace("\n", "") + "\n\n";
    }

    private static String end() {
        return """
                event:end
                data:{"phase": "Finished", "outcome": "THRESHOLD_FAILED", "stopReason": {"detail": "too slow"}, "exitCode": 99, "headline": "The load test of a failed its threshold"}

                """;
    }

    /** Streams one part per connection; after the first one, the connection breaks off. */
    private void stream(String... parts) {
        controller.on("GET /api/v1/runs/r1/events", exchange -> {
            String after = exchange.getRequestHeaders().getFirst("Last-Event-ID");
            resumedAfter.add(after == null ? "" : after);
            send(exchange, parts[Math.min(parts.length, resumedAfter.size()) - 1]);
        });
    }

    private static void send(HttpExchange exchange, String part) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Date", DateTimeFormatter.RFC_1123_DATE_TIME
                .format(THEN.plusSeconds(6).atOffset(java.time.ZoneOffset.UTC)));
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write((": run r1\nretry:1000\n\n" + part).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void a_lost_connection_is_reported_and_resumed_behind_the_last_event() {
        stream(window(3, 0.25) + window(4, 0.25), window(5, 0.31) + end());

        FakeController.Ran ran = controller.run("watch", "r1");

        assertThat(ran.code()).isEqualTo(99);
        assertThat(resumedAfter).containsExactly("", "4");
        // On a busy machine, the windows may have become old meanwhile; the command reports that.
        assertThat(ran.out().lines().filter(line -> !line.startsWith("No new window"))).satisfiesExactly(
                line -> assertThat(line).startsWith("Watching /api/v1/runs/r1 of shop"),
                line -> assertThat(line).contains("0:03", "Ramping", "share 25.0 %  212 requests/s",
                        "p99 132 ms of 200 ms", "harm 2 of 300", "estimate 284 (262 to 310)"),
                line -> assertThat(line).startsWith("Lost the connection"),
                line -> assertThat(line).startsWith("Connected again"),
                line -> assertThat(line).contains("0:05", "share 31.0 %"),
                line -> assertThat(line).isEqualTo("Finished: THRESHOLD_FAILED, too slow"),
                line -> assertThat(line).isEqualTo("The load test of a failed its threshold"));
    }

    @Test
    void an_event_that_cannot_be_read_is_reported_once_and_passed_over() {
        stream(window(3, 0.25) + "id:4\ndata:{nonsense\n\n", window(5, 0.31) + end());

        FakeController.Ran ran = controller.run("watch", "r1");

        assertThat(ran.code()).isEqualTo(99);
        assertThat(resumedAfter).containsExactly("", "4");
        assertThat(ran.out()).contains("Lost the connection (what the controller", "is no JSON", "share 31.0 %");
    }

    @Test
    void a_doubted_capacity_fails_a_watch_that_asks_for_it() {
        String doubted = "{\"phase\": \"Finished\", \"outcome\": \"CAPACITY_FOUND\", \"exitCode\": 0,"
                + " \"result\": {\"capacity\": 395, \"certainty\": {\"level\": \"DOUBTFUL\", \"words\": \"doubtful: host\"}}}";
        controller.on("GET /api/v1/runs/r1", 200, doubted);
        stream("event:end\ndata:" + doubted + "\n\n");

        assertThat(controller.run("watch", "r1").code()).isZero();
        assertThat(controller.run("watch", "r1", "--fail-on-doubt").code()).isEqualTo(98);
    }

    @Test
    void a_watch_explains_the_capacity_when_it_is_asked_to_but_not_among_json() {
        String over = "{\"profile\": \"capacity\", \"phase\": \"Finished\", \"outcome\": \"CAPACITY_FOUND\", \"exitCode\": 0}";
        controller.on("GET /api/v1/runs/r1", 200, over);
        stream("event:end\ndata:" + over + "\n\n");

        assertThat(controller.run("watch", "r1", "--explain").out()).contains("\nNo curve was recorded: ");
        assertThat(controller.run("watch", "r1", "--explain", "--output", "json").out()).isEqualToIgnoringNewLines(
                new JsonMapper().readTree(over).toString());
    }

    @Test
    void for_programs_each_decision_is_a_line_and_the_run_is_the_last() {
        stream(window(3, 0.25), end());

        FakeController.Ran ran = controller.run("watch", "r1", "--output", "json");

        List<JsonNode> lines = ran.out().lines().map(line -> new JsonMapper().readTree(line)).toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst().path("sequence").asInt()).isEqualTo(3);
        assertThat(lines.getLast().path("exitCode").asInt()).isEqualTo(99);
        assertThat(ran.err()).contains("Lost the connection", "Connected again");
    }

    @Test
    void a_run_that_is_removed_meanwhile_is_no_success() {
        controller.on("GET /api/v1/runs/r1/events", exchange -> {
            if (resumedAfter.isEmpty()) {
                resumedAfter.add("");
                send(exchange, window(3, 0.25));
            } else {
                FakeController.send(exchange, 404,
                        "{\"title\": \"There is no such thing\", \"detail\": \"no run r1\"}");
            }
        });

        FakeController.Ran ran = controller.run("watch", "r1");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("no run r1");
    }
}
