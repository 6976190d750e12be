// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More users than an Envoy has file descriptors for: it refuses some of them, and lives. */
@Tag("fault")
class EnvoyConnectionsTest {

    private static final int DESCRIPTORS = 512;

    private static final int USERS = 900;

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: shop\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private final List<Socket> users = new ArrayList<>();

    private final int port = FreePort.next();

    private HttpServer instance;

    @BeforeEach
    void start() throws IOException {
        instance = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        instance.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        instance.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        instance.start();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket user : users) {
            user.close();
        }
        instance.stop(0);
    }

    /** Envoy with so few descriptors, whatever this process has. */
    private Path binary() throws IOException {
        Path script = folder.resolve("envoy");
        Files.writeString(script,
                "#!/bin/sh\nulimit -n " + DESCRIPTORS + "\nexec " + EnvoyBinary.locate() + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private EnvoyBootstrap bootstrap() {
        EnvoyBootstrap made = EnvoyBootstrap.of(EnvoyBootstrap.Level.RUNTIME_ONLY, "crowded", FreePort.next(),
                FreePort.next(), FreePort.next());
        return made.withYaml(made.yaml()
                .replace("address: 0.0.0.0, port_value: 10000", "address: 127.0.0.1, port_value: " + port)
                .replaceAll("address: 10\\.0\\.0\\.\\d, port_value: 8080",
                        "address: 127.0.0.1, port_value: " + instance.getAddress().getPort())
                .replaceAll("(max_active_downstream_connections:) \\d+",
                        "$1 " + EnvoyBootstrap.maxConnections(DESCRIPTORS)));
    }

    private Socket connect() throws IOException {
        Socket user = new Socket(InetAddress.getLoopbackAddress(), port);
        user.setSoTimeout(20_000);
        users.add(user);
        return user;
    }

    /** Returns whether the request was answered with 200; the connection stays open then. */
    private static boolean served(Socket user) {
        try {
            user.getOutputStream().write(REQUEST);
            byte[] status = user.getInputStream().readNBytes("HTTP/1.1 200".length());
            boolean ok = new String(status, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
            if (ok) {
                skipHead(user);
            }
            return ok;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void skipHead(Socket user) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = user.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed within an answer");
            }
            head.append((char) next);
        }
    }

    private static boolean answers(int adminPort) throws IOException {
        try (var answer = URI.create("http://127.0.0.1:" + adminPort + "/ready").toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII).startsWith("LIVE");
        }
    }

    @Test
    void connections_beyond_the_limit_are_refused_and_the_others_are_served() throws IOException {
        try (EnvoyProcess proxy = EnvoyProcess.start(binary(), bootstrap(), folder)) {
            proxy.awaitLive(Duration.ofSeconds(30));
            Socket first = connect();
            assertThat(served(first)).isTrue();

            int served = 1;
            for (int user = 1; user < USERS; user++) {
                served += served(connect()) ? 1 : 0;
            }

            assertThat(proxy.isAlive()).isTrue();
            assertThat(served).as("of %d users", USERS)
                    .isBetween(100, Math.toIntExact(EnvoyBootstrap.maxConnections(DESCRIPTORS)));
            assertThat(served(first)).as("the first user").isTrue();
            assertThat(answers(proxy.adminPort())).isTrue();
            for (Socket user : users.subList(1, users.size())) {
                user.close();
            }
            await("a place for another user").ignoreExceptions().until(() -> served(connect()));
            assertThat(served(first)).as("the first user").isTrue();
        }
    }
}
