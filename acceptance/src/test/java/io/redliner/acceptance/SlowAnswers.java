// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A service whose instances take a fixed time to answer, and its users: a new one comes every tenth of a second. */
final class SlowAnswers implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);

    private final HttpClient users = HttpClient.newHttpClient();

    private final Duration time;

    private final List<HttpServer> instances;

    SlowAnswers(int size, Duration time) {
        this.time = time;
        instances = IntStream.range(0, size).mapToObj(number -> instance()).toList();
    }

    private HttpServer instance() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
            server.createContext("/", exchange -> {
                var unused = timer.schedule(() -> answer(exchange), time.toMillis(), TimeUnit.MILLISECONDS);
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange) {
        try (exchange) {
            exchange.sendResponseHeaders(200, -1);
        } catch (IOException gone) {
            // The proxy did not wait for it.
        }
    }

    /** Sends requests to this port until {@link #close}. */
    void use(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).build();
        var unused = timer.scheduleAtFixedRate(() -> {
            var unusedAnswer = users.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        }, 0, 100, TimeUnit.MILLISECONDS);
    }

    /** The status of one answer. */
    int ask(int port) throws IOException, InterruptedException {
        return users.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Each as {@code host:port}. */
    List<String> addresses() {
        return instances.stream().map(server -> "127.0.0.1:" + server.getAddress().getPort()).toList();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        users.shutdownNow();
        instances.forEach(server -> server.stop(0));
    }
}
