// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The command on a terminal of its own, with somebody at the keyboard. */
@Execution(ExecutionMode.CONCURRENT)
class TerminalTest {

    private static final String LIVE = "{\"id\": \"r1\", \"service\": \"shop\", \"phase\": \"Ramping\", \"maxShare\": 0.6}";

    private static final String ENDED = "{\"phase\": \"Finished\", \"outcome\": \"ABORTED\", \"exitCode\": 105,"
            + " \"stopReason\": {\"detail\": \"by hand\"}, \"restore\": {\"traffic\": \"NATURAL\", \"proof\": \"MEASURED\", \"seconds\": 0.5}}";

    private final CountDownLatch aborted = new CountDownLatch(1);

    private FakeController controller;

    /** What a terminal showed, and the status that the command ended with. */
    private record Shown(int status, String text) {}

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController().on("GET /api/v1/runs/r1", 200, LIVE).on("POST /api/v1/runs/r1:abort",
                exchange -> {
                    FakeController.send(exchange, 202, LIVE);
                    aborted.countDown();
                });
        controller.on("GET /api/v1/runs/r1/events", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                write(body, "id:1\ndata:{\"sequence\": 1, \"phase\": \"Ramping\", \"askedShare\": 0.31, \"window\":"
                        + " {\"startedAt\": \"" + Instant.EPOCH
                        + "\", \"lengthSeconds\": 1, \"requestsPerSecond\": 212,"
                        + " \"latencyP99Seconds\": 0.132, \"rules\": []}}\n\n");
                if (aborted.await(60, TimeUnit.SECONDS)) {
                    write(body, "event:end\ndata:" + ENDED + "\n\n");
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private static void write(OutputStream body, String text) throws IOException {
        body.write(text.getBytes(StandardCharsets.UTF_8));
        body.flush();
    }

    private Shown watch(Map<String, String> environment, String... steps) throws Exception {
        return watch("r1", environment, steps);
    }

    private Shown watch(String id, Map<String, String> environment, String... steps) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3",
                Path.of(Objects.requireNonNull(TerminalTest.class.getResource("/terminal.py")).toURI()).toString(),
                "100"));
        command.addAll(List.of(steps));
        command.addAll(List.of("--", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"),
                RedlinerCommand.class.getName(), "watch", id, "--url", controller.url()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Map.of("TERM", "xterm-256color", "LC_ALL", "C.UTF-8"));
        builder.environment().remove("NO_COLOR");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Shown(process.waitFor(), text);
    }

    @Test
    void ctrl_c_asks_and_a_aborts_and_waits_until_traffic_is_restored() throws Exception {
        Shown shown = watch(Map.of(), "212 requests/s", "^C", "keep watching", "a");

        assertThat(shown.status()).as(shown.text()).isEqualTo(105);
        assertThat(shown.text()).contains("\u001b[", "132 ms", "Finished: ABORTED, by hand",
                "Traffic restored: MEASURED");
        assertThat(controller.asked()).anySatisfy(request -> assertThat(request)
                .startsWith("POST /api/v1/runs/r1:abort").contains("aborted with Ctrl-C at the terminal by "));
    }

    @Test
    void ctrl_c_asks_and_d_detaches_and_the_run_goes_on() throws Exception {
        Shown shown = watch(Map.of(), "212 requests/s", "^C", "keep watching", "d");

        assertThat(shown.status()).as(shown.text()).isEqualTo(130);
        assertThat(shown.text()).contains("Detached.", "redliner watch r1");
        assertThat(controller.asked()).noneMatch(request -> request.startsWith("POST"));
    }

    /** Each has a picture of its own. */
    @Test
    void runs_of_a_series_are_drawn_one_after_the_other() throws Exception {
        controller.on("GET /api/v1/series/s1", 200, "{\"id\": \"s1\", \"phase\": \"Running\", \"members\": ["
                + "{\"number\": 1, \"runId\": \"r1\"}, {\"number\": 2, \"runId\": \"r2\"}]}");
        controller.on("GET /api/v1/runs/r2", 200, LIVE.replace("r1", "r2"));
        controller.on("GET /api/v1/runs/r2/events", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            write(body,
                    "id:1\ndata:{\"sequence\": 1, \"phase\": \"Ramping\", \"window\": {\"requestsPerSecond\": 313}}\n\n");
        });
        controller.on("POST /api/v1/series/s1:abort", exchange -> {
            FakeController.send(exchange, 202, LIVE);
            aborted.countDown();
        });

        Shown shown = watch("s1", Map.of(), "212 requests/s", "^C", "keep watching", "a", "313 requests/s", "^C");

        assertThat(shown.status()).as(shown.text()).isEqualTo(130);
        assertThat(shown.text()).contains("Finished: ABORTED", "313 requests/s");
    }

    @Test
    void a_second_ctrl_c_detaches_at_once() throws Exception {
        assertThat(watch(Map.of(), "212 requests/s", "^C", "keep watching", "^C").status()).isEqualTo(130);
    }

    @Test
    void a_terminal_that_cannot_move_its_cursor_gets_lines_and_asks_all_the_same() throws Exception {
        Shown shown = watch(Map.of("TERM", "dumb"), "212 requests/s", "^C", "keep watching", "d");

        assertThat(shown.status()).as(shown.text()).isEqualTo(130);
        assertThat(shown.text()).doesNotContain("\u001b[");
    }

    @Test
    void nothing_is_coloured_when_that_is_not_wanted() throws Exception {
        Shown shown = watch(Map.of("NO_COLOR", "1"), "212 requests/s", "^C", "keep watching", "d");

        assertThat(shown.text()).doesNotContainPattern("\u001b\\[[0-9;]*m");
    }
}
