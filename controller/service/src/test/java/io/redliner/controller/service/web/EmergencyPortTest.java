// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aborts and the kill switch have a port of their own, and places at the main port. */
class EmergencyPortTest {

    private static final String REASON = "{\"reason\": \"it hurts\"}";

    private static final int MAX_CONNECTIONS = 50;

    private static Scene scene;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() {
        scene = Scene.virtual(Map.of("server.tomcat.max-connections", MAX_CONNECTIONS,
                "server.tomcat.connection-timeout", "2s"));
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
    }

    private static int port(String name) {
        return scene.context().getEnvironment().getRequiredProperty(name, Integer.class);
    }

    private static Client emergency() {
        return new Client(port("local.emergency.port"));
    }

    private Socket connect(String port, String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(port));
        sockets.add(socket);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static boolean closed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void the_kill_switch_and_an_abort_are_served_there() {
        assertThat(emergency().post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
        assertThat(scene.client().get("/api/v1/kill-switch").json().get("engaged").asBoolean()).isTrue();
        assertThat(emergency().post("/api/v1/runs/none:abort", REASON).status()).isEqualTo(404);
        assertThat(emergency().post("/api/v1/runs/none:abort", REASON).json().get("detail").asString())
                .contains("no run none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/plans:validate", "/api/v1/runs", "/api/v1/runs/x:pause", "/",
        "/api/v1/kill-switch/"})
    void nothing_else_is(String path) {
        Answer answer = emergency().post(path, REASON);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().get("detail").asString()).contains("/api/v1/kill-switch");
        assertThat(emergency().get("/api/v1/kill-switch").status()).isEqualTo(404);
        assertThat(emergency().delete("/api/v1/kill-switch?reason=x").status()).isEqualTo(404);
    }

    @Test
    @Tag("fault")
    void callers_learn_where_it_is() {
        assertThat(scene.client().get("/api/v1/whoami").json().get("emergencyPort").asInt())
                .isEqualTo(port("local.emergency.port"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "P", "POST /api/v1/plans HTTP/1.1\r\nHost: x\r\nX-A: "})
    void beside_more_silent_connections_than_there_is_room_for_both_ports_answer(String bytes) throws IOException {
        for (int number = 0; number < 4 * MAX_CONNECTIONS; number++) {
            connect("local.server.port", bytes);
        }

        assertThat(scene.client().post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
        assertThat(emergency().post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
        await().until(() -> sockets.stream().limit(3L * MAX_CONNECTIONS).allMatch(EmergencyPortTest::closed));
    }

    /** Tomcat's own limit lets nobody in before a silent connection has timed out, after 2 s. */
    @ParameterizedTest
    @CsvSource({"local.server.port, 50", "local.emergency.port, 500"})
    void silent_connections_that_fill_a_port_do_not_delay_the_stop(String port, int maxConnections) throws IOException {
        for (int number = 0; number < maxConnections + 50; number++) {
            connect(port, "");
        }

        long before = System.nanoTime();
        assertThat(new Client(port(port)).post("/api/v1/kill-switch", REASON).status()).isEqualTo(202);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"local.server.port", "local.emergency.port"})
    void a_connection_that_stays_silent_is_closed(String port) throws IOException {
        Socket silent = connect(port, "");

        await().until(() -> closed(silent));
    }

    @Test
    void a_stream_and_a_slow_request_keep_their_connections_beside_silent_ones() throws IOException {
        Socket stream = connect("local.server.port", "GET /api/v1/runs:live HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Socket slow = connect("local.server.port", "POST /api/v1/plans:validate HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Length: 2\r\n\r\na");
        await().until(() -> stream.getInputStream().available() > 0);
        for (int number = 0; number < 4 * MAX_CONNECTIONS; number++) {
            connect("local.server.port", "");
        }

        slow.getOutputStream().write('b');
        await().until(() -> slow.getInputStream().available() > 0);
        stream.getInputStream().skipNBytes(stream.getInputStream().available());
        assertThat(closed(stream)).isFalse();
    }
}
