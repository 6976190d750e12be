// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stop waits for no body for long, and no client that is refused takes more than one request's work. */
class StopBodyTest {

    private static final String TOKEN = "a-token-for-the-first-admin-of-all";

    private static final String AUTHORIZED = "Authorization: Bearer " + TOKEN + "\r\n";

    private static final String MAIN = "local.server.port";

    private static final String EMERGENCY = "local.emergency.port";

    private static final Pattern ANSWER = Pattern.compile("HTTP/1\\.1 (\\d+)");

    private static Scene scene;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() {
        scene = Scene.virtual(Map.of("redliner.controller.access.mode", "authenticated",
                "redliner.controller.access.bootstrap-token", TOKEN), "Authorization", "Bearer " + TOKEN);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        scene.close();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        scene.client().delete("/api/v1/kill-switch?reason=over");
    }

    private Socket send(String port, String headers, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                scene.context().getEnvironment().getRequiredProperty(port, Integer.class));
        sockets.add(socket);
        write(socket, "POST /api/v1/kill-switch HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + body);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** All that comes until the connection is closed, which may be reset with requests that nobody reads. */
    private static String answers(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        try {
            for (int next = socket.getInputStream().read(); next >= 0; next = socket.getInputStream().read()) {
                text.append((char) next);
            }
        } catch (java.net.SocketException reset) {
            // What came before counts.
        }
        return text.toString();
    }

    private static List<String> statuses(String answers) {
        return ANSWER.matcher(answers).results().map(result -> result.group(1)).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 16000\r\n|", "Content-Length: 16000\r\n|{\"reason\"",
        "Transfer-Encoding: chunked\r\n|", "Transfer-Encoding: chunked\r\n|1", "Transfer-Encoding: chunked\r\n|1;a=b",
        "Transfer-Encoding: chunked\r\n|5\r\n{\"r", "Transfer-Encoding: chunked\r\n|2\r\n{}\r\n0\r\nX-A: b"})
    void a_body_that_does_not_arrive_is_not_waited_for(String request) throws IOException {
        for (String port : List.of(MAIN, EMERGENCY)) {
            String[] parts = (request + " ").split("\\|", 2);

            String answer = answers(send(port, AUTHORIZED + parts[0], parts[1].strip()));

            assertThat(statuses(answer)).as(port).containsExactly("202");
            assertThat(answer).contains("no reason arrived in time", "Connection: close");
        }
    }

    @Test
    void a_body_that_ends_before_its_length_is_none() throws IOException {
        Socket socket = send(EMERGENCY, AUTHORIZED + "Content-Length: 100\r\n", "{\"reason\": \"it");
        socket.shutdownOutput();

        assertThat(statuses(answers(socket))).isSubsetOf("202");
        await().until(() -> scene.client().get("/api/v1/kill-switch").json().get("reason").asString()
                .equals("no reason arrived in time"));
    }

    @ParameterizedTest
    @ValueSource(strings = {MAIN, EMERGENCY})
    void a_body_in_chunks_or_parts_has_its_reason(String port) throws IOException {
        String reason = "{\"reason\": \"it hurts\"}";
        String chunked = answers(send(port, AUTHORIZED + "Connection: close\r\nTransfer-Encoding: chunked\r\n",
                "16\r\n" + reason + "\r\n0\r\n\r\n"));
        Socket parts = send(port, AUTHORIZED + "Connection: close\r\nContent-Length: 22\r\n", reason.substring(0, 10));
        write(parts, reason.substring(10));

        assertThat(chunked).contains("it hurts");
        assertThat(answers(parts)).contains("it hurts");
        assertThat(statuses(answers(send(port, AUTHORIZED + "Connection: close\r\nContent-Length: 2\r\n", "[]"))))
                .as("a body that is there has to be one").containsExactly("400");
    }

    @ParameterizedTest
    @ValueSource(strings = {MAIN, EMERGENCY})
    void only_who_may_stop_is_asked_for_the_body(String port) throws IOException {
        String expecting = "Expect: 100-continue\r\nContent-Length: 22\r\n";
        Socket allowed = send(port, AUTHORIZED + "Connection: close\r\n" + expecting, "");
        byte[] first = allowed.getInputStream().readNBytes("HTTP/1.1 100".length());
        write(allowed, "{\"reason\": \"it hurts\"}");

        assertThat(new String(first, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 100");
        assertThat(answers(allowed)).contains("HTTP/1.1 202", "it hurts");
        assertThat(statuses(answers(send(port, expecting, "")))).containsExactly("401");
    }

    @ParameterizedTest
    @ValueSource(strings = {MAIN, EMERGENCY})
    void many_slow_bodies_hold_up_no_stop(String port) throws IOException {
        List<Socket> slow = new ArrayList<>();
        for (int number = 0; number < 4 * StopBodyValve.AT_ONCE; number++) {
            slow.add(send(port, AUTHORIZED + "Content-Length: 16000\r\n", "{"));
        }

        String reason = "{\"reason\": \"it hurts\"}";
        String answer = answers(send(port, AUTHORIZED + "Connection: close\r\nContent-Length: 22\r\n", reason));

        assertThat(answer).contains("HTTP/1.1 202", "it hurts");
        for (Socket socket : slow) {
            assertThat(statuses(answers(socket))).containsExactly("202");
        }
    }

    @Test
    void the_port_of_emergency_calls_serves_one_request_of_a_connection() throws IOException {
        String request = "Content-Length: 22\r\n";
        String next = "{\"reason\": \"it hurts\"}POST /api/v1/kill-switch HTTP/1.1\r\nHost: localhost\r\n" + AUTHORIZED
                + request + "\r\n";

        assertThat(statuses(answers(send(EMERGENCY, AUTHORIZED + request, next.repeat(20)))))
                .hasSizeLessThanOrEqualTo(1).isSubsetOf("202");
    }

    @ParameterizedTest
    @ValueSource(strings = {MAIN, EMERGENCY})
    void a_refused_request_is_the_last_one_of_its_connection(String port) throws IOException {
        String next = "{}POST /api/v1/runs/x:abort HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n";

        assertThat(statuses(answers(send(port, "Content-Length: 2\r\n", next.repeat(20)))))
                .hasSizeLessThanOrEqualTo(1).isSubsetOf("401", "429");
    }
}
