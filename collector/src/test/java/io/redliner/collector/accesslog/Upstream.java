// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * An instance that does what the path says: {@code ...?wait=20&status=200}, {@code /hang}, {@code /break}, {@code /events} of a server; with
 * {@code only=PORT} the one at that port, while others answer at once. At another port it takes a WebSocket.
 */
public final class Upstream implements AutoCloseable {

    private final HttpServer server;

    private final ServerSocket webSocket;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private final CountDownLatch release = new CountDownLatch(1);

    public Upstream() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
            webSocket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        threads.execute(this::upgrade);
    }

    /** Takes one connection, and closes it when it is released. */
    private void upgrade() {
        try (Socket user = webSocket.accept()) {
            user.getOutputStream()
                    .write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            release.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            if (!webSocket.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Of the WebSocket. */
    public int webSocketPort() {
        return webSocket.getLocalPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String asked = exchange.getRequestURI().toString();
        String uri = number(asked, "only", port()) == port() ? asked : "/";
        try {
            if (uri.contains("break")) {
                exchange.close();
                return;
            }
            if (uri.contains("events")) {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=utf-8");
                stream(exchange);
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

    /** Answers at once, and goes on until it is released. */
    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        release.await(30, TimeUnit.SECONDS);
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
        try {
            webSocket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
