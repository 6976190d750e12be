// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Instances that answer with their own address; on {@code /slow} after a fifth of a second. */
final class Fleet implements AutoCloseable {

    private static final int SLOW_MILLIS = 200;

    private final Set<String> broken = ConcurrentHashMap.newKeySet();

    private final List<HttpServer> servers = new ArrayList<>();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Fleet(int size) {
        for (int i = 0; i < size; i++) {
            servers.add(start());
        }
    }

    private HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            byte[] answer = ("127.0.0.1:" + server.getAddress().getPort()).getBytes(StandardCharsets.UTF_8);
            server.createContext("/", exchange -> {
                if (exchange.getRequestURI().getPath().equals("/slow")) {
                    CompletableFuture.delayedExecutor(SLOW_MILLIS, TimeUnit.MILLISECONDS, threads)
                            .execute(() -> answer(exchange, answer));
                } else {
                    answer(exchange, answer);
                }
            });
            server.setExecutor(threads);
            server.start();
            return server;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void answer(HttpExchange exchange, byte[] answer) {
        String self = new String(answer, StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(broken.contains(self) ? 500 : 200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** From now on the instance answers with status 500. */
    void breakDown(String address) {
        broken.add(address);
    }

    /** As {@code host:port}. */
    List<String> addresses() {
        return servers.stream().map(server -> "127.0.0.1:" + server.getAddress().getPort()).toList();
    }

    @Override
    public void close() {
        servers.forEach(server -> server.stop(0));
        threads.shutdownNow();
    }
}
