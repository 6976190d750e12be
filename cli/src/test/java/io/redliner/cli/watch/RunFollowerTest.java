// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class RunFollowerTest {

    private static final String PATH = "/api/v1/runs/r1";

    private final List<String> printed = new ArrayList<>();

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** Keeps the lines, and moves the clock by two minutes when the connection is lost. */
    private class Output implements RunOutput {

        @Override
        public void print(String line) {
            printed.add(line);
            now = now.plus(Duration.ofSeconds(121));
        }

        @Override
        public void showDecision(JsonNode decision, FollowedRun run, Instant at) {}

        @Override
        public void showEnd(JsonNode run) {}
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_controller_without_an_answer_is_out_of_sight_after_two_minutes_however_often_it_was_asked(boolean watch)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(503, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (ControllerClient controller = new ControllerClient(url, null)) {
            RunFollower runFollower = new RunFollower(controller, new Output(), new InterruptPrompt(null), () -> now);

            assertThatThrownBy(() -> runFollower.follow(PATH, controller.object(), watch))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(PATH + " was lost from sight, and may be going on", "answers 503",
                            "redliner watch r1");
        } finally {
            server.stop(0);
        }
        assertThat(printed).singleElement().asString().startsWith("Lost the connection (");
    }

    @Test
    void a_controller_that_restarts_between_a_series_and_its_run_is_asked_again_and_both_are_said() throws Exception {
        List<String> answers = new CopyOnWriteArrayList<>(List.of(
                "{\"phase\": \"Running\", \"members\": [{\"number\": 1, \"label\": \"old\", \"instance\": \"a:1\", \"runId\": \"r1\"}]}",
                "503", "{\"phase\": \"Finished\", \"exitCode\": 0, \"members\": []}"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.equals("503") ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (ControllerClient controller = new ControllerClient(url, null)) {
            RunOutput patient = new Output() {
                @Override
                public void print(String line) {
                    printed.add(line);
                }
            };
            RunFollower runFollower = new RunFollower(controller, patient, new InterruptPrompt(null), () -> now);

            assertThat(runFollower.follow("/api/v1/series/s1", controller.object().set("members", controller.object()),
                    true)).isZero();
        } finally {
            server.stop(0);
        }
        assertThat(printed).anySatisfy(line -> assertThat(line).startsWith("Lost the connection ("))
                .anySatisfy(line -> assertThat(line).startsWith("Connected again"));
    }
}
