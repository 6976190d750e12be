// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An instance that does what the path says: {@code ...?wait=20&status=200}, {@code /hang}, {@code /break}. */
public final class Upstream implements AutoCloseable {

    private final HttpServer server;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private final CountDownLatch release = new CountDownLatch(1);

    public Upstream() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String uri = exchange.getRequestURI().toString();
        try {
            if (uri.contains("break")) {
                exchange.close();
                return;
            }
            if (uri.contains("hang")) {
                release.await(30, TimeUnit.SECONDS);
            } else if (new CountDownLatch(1).await(number(uri, "wait", 0), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("nobody counts it down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (uri.contains("grpc=")) {
            // As of an answer without a body: the status is among the headers.
            exchange.getResponseHeaders().set("grpc-status", Integer.toString(number(uri, "grpc", 0)));
        }
        byte[] name = name().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(number(uri, "status", 200), name.length);
        exchange.getResponseBody().write(name);
        exchange.close();
    }

    private static int number(String uri, String parameter, int otherwise) {
        int from = uri.indexOf(parameter + "=");
        return from < 0 ? otherwise : Integer.parseInt(uri.substring(from + parameter.length() + 1).split("&", -1)[0]);
    }

    public String name() {
        return "127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Lets what hangs go on. */
    public void release() {
        release.countDown();
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
