// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Aborts at a controller that does not answer, or has too much to do, and that has a port of emergency calls. */
class EmergencyAbortTest {

    private static final int ATTEMPTS = 50;

    private static final String TAKEN = "{\"id\": \"r1\", \"phase\": \"Ramping\", \"engaged\": true}";

    private final CountDownLatch over = new CountDownLatch(1);

    private final List<String> emergencyCalls = new CopyOnWriteArrayList<>();

    private HttpServer main = server(0);

    private HttpServer emergency = server(0);

    private volatile int emergencyStatus = 202;

    EmergencyAbortTest() throws IOException {}

    @BeforeEach
    void listen() throws IOException {
        for (int attempt = 0; !paired() && attempt < ATTEMPTS; attempt++) {
            close(main, emergency);
            main = server(0);
            try {
                emergency = server(main.getAddress().getPort() + 4);
            } catch (BindException | IllegalArgumentException taken) {
                emergency = server(0);
            }
        }
        assertThat(paired()).isTrue();
        emergency.createContext("/", exchange -> {
            String reason = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            emergencyCalls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + reason + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            FakeController.send(exchange, emergencyStatus, emergencyStatus == 202
                    ? TAKEN
                    : "{\"title\": \"No\", \"detail\": \"at the port of emergency calls\"}");
        });
        emergency.start();
    }

    private boolean paired() {
        return emergency.getAddress().getPort() == main.getAddress().getPort() + 4;
    }

    private static void close(HttpServer... servers) {
        for (HttpServer server : servers) {
            server.stop(0);
        }
    }

    private static HttpServer server(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        return server;
    }

    private void onMain(int status) {
        main.createContext("/", exchange -> FakeController.send(exchange, status, status == 202
                ? TAKEN
                : "{\"title\": \"Busy\", \"detail\": \"later\"}"));
        main.start();
    }

    private String url() {
        return "http://127.0.0.1:" + main.getAddress().getPort();
    }

    private FakeController.Ran abort() {
        return FakeController.execute("abort", "r1", "--reason", "late", "--url", url(), "--token", "rl_x");
    }

    @AfterEach
    void close() {
        over.countDown();
        close(main, emergency);
    }

    private void assertTakenAtTheEmergencyPort(FakeController.Ran ran, String why) {
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("The run is being aborted.");
        assertThat(ran.err().lines().toList()).singleElement().asString()
                .contains(url(), why, ":" + emergency.getAddress().getPort() + " took the abort");
        assertThat(emergencyCalls)
                .containsExactly("POST /api/v1/runs/r1:abort {\"reason\":\"late\"} Bearer rl_x");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void a_controller_that_is_too_busy_is_asked_at_its_port_of_emergency_calls(int status) {
        onMain(status);

        assertTakenAtTheEmergencyPort(abort(), "answers " + status);
    }

    @Test
    void a_controller_that_does_not_answer_within_a_second_is_asked_at_its_port_of_emergency_calls() {
        main.createContext("/", this::hang);
        main.start();

        assertTakenAtTheEmergencyPort(abort(), "did not answer within 1 s");
    }

    @Test
    void the_kill_switch_is_engaged_at_the_port_of_emergency_calls_of_a_controller_that_is_too_busy() {
        onMain(503);

        FakeController.Ran ran = FakeController.execute("stop", "--url", url(), "--token", "rl_x");

        assertThat(ran.code()).as("nobody knows whether traffic is natural").isEqualTo(106);
        assertThat(ran.err()).contains("answers 503", ":" + emergency.getAddress().getPort() + " took the call");
        assertThat(ran.out()).contains("The kill switch is engaged");
        assertThat(emergencyCalls).containsExactly("POST /api/v1/kill-switch {} Bearer rl_x");
    }

    @Test
    void a_controller_whose_answer_breaks_off_after_its_headers_is_asked_at_its_port_of_emergency_calls() {
        main.createContext("/", exchange -> {
            exchange.sendResponseHeaders(202, 100);
            exchange.getResponseBody().write("{\"id\":".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            hang(exchange);
        });
        main.start();

        assertTakenAtTheEmergencyPort(abort(), "did not answer within 1 s");
    }

    private void hang(HttpExchange exchange) {
        try {
            over.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    @Test
    void a_controller_that_accepts_no_more_connections_is_asked_at_its_port_of_emergency_calls() {
        // The kernel takes the connection, and nobody reads from it.
        assertTakenAtTheEmergencyPort(abort(), "did not answer within 1 s");
    }

    @Test
    void a_controller_that_answers_is_asked_once() {
        onMain(202);

        assertThat(abort().code()).isZero();
        assertThat(emergencyCalls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 409, 500})
    void another_refusal_is_a_refusal(int status) {
        onMain(status);

        FakeController.Ran ran = abort();

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("answers " + status);
        assertThat(emergencyCalls).isEmpty();
    }

    @Test
    void a_port_of_emergency_calls_that_is_busy_too_leaves_the_first_answer() {
        onMain(503);
        emergencyStatus = 503;

        FakeController.Ran ran = abort();

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("answers 503", "Busy");
    }

    @Test
    void a_controller_that_takes_longer_and_has_no_such_port_is_waited_for() {
        emergency.stop(0);
        main.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (emergencyCalls.isEmpty()) {
                emergencyCalls.add("first");
                hang(exchange);
            } else {
                FakeController.send(exchange, 202, TAKEN);
            }
        });
        main.start();

        FakeController.Ran ran = abort();

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void a_refusal_of_the_port_of_emergency_calls_is_shown() {
        onMain(503);
        emergencyStatus = 403;

        assertThat(abort().err()).contains("answers 403", "at the port of emergency calls");
    }
}
