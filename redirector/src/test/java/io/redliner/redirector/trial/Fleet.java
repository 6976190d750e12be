// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Instances that answer with their own address. */
final class Fleet implements AutoCloseable {

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
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            server.setExecutor(threads);
            server.start();
            return server;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
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
