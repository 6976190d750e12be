// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

/** A service on this machine that answers each path in a manner of its own. */
final class ScrapedService implements AutoCloseable {

    /** How many more there are in each answer. */
    static final int ORDERS = 100;

    static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final ExecutorService executor = Executors.newCachedThreadPool();

    private final CountDownLatch closed = new CountDownLatch(1);

    private final AtomicLong orders = new AtomicLong();

    private final AtomicInteger asked = new AtomicInteger();

    private volatile boolean back;

    private final HttpServer server;

    ScrapedService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        answer("/metrics", exchange -> send(exchange, TEXT, metrics()));
        answer("/gzip", exchange -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(bytes)) {
                gzip.write(metrics().getBytes(StandardCharsets.UTF_8));
            }
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            send(exchange, TEXT, bytes.toByteArray());
        });
        answer("/secret", this::secret);
        answer("/hangs", exchange -> hang());
        answer("/hangs-in-the-middle", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", TEXT);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("orders_total 5\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            hang();
        });
        answer("/html", exchange -> send(exchange, "text/html", "<html>Hello</html>"));
        answer("/html-as-text", exchange -> send(exchange, TEXT, "<html>Hello</html>"));
        answer("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "/metrics");
            exchange.sendResponseHeaders(302, -1);
        });
        answer("/broken", exchange -> exchange.sendResponseHeaders(500, -1));
        answer("/gigantic", exchange -> endless(exchange, exchange.getResponseBody()));
        answer("/bomb", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(bytes)) {
                gzip.write(new byte[10 << 20]);
            }
            send(exchange, TEXT, bytes.toByteArray());
        });
        answer("/cut-off", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", TEXT);
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write("orders_total 5\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            throw new IOException("cut off");
        });
        answer("/flood", exchange -> send(exchange, TEXT, "flood{id=\"x\"} 1\n".repeat(1_000) + metrics()));
        answerOddly();
        server.start();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    /** What was not there is from now on. */
    void comeBack() {
        back = true;
    }

    /** How often its metrics were asked for, well or badly. */
    int asked() {
        return asked.get();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        executor.shutdownNow();
    }

    /** A counter that goes up by a hundred with each look, and a gauge. */
    private String metrics() {
        return "# TYPE orders_total counter\norders_total " + orders.addAndGet(ORDERS)
                + "\n# TYPE process_cpu_usage gauge\nprocess_cpu_usage 0.25\n";
    }

    private void answerOddly() {
        answer("/back-later", exchange -> {
            if (back) {
                send(exchange, TEXT, metrics());
            } else {
                exchange.sendResponseHeaders(503, -1);
            }
        });
        answer("/odd", exchange -> send(exchange, TEXT, "# TYPE cpu gauge\ncpu 57\n"));
        answer("/hour-off", exchange -> send(exchange, TEXT,
                "a 1 " + (InstantSource.system().millis() - 3_600_000) + "\n"));
    }

    private void secret(HttpExchange exchange) throws IOException {
        String who = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (who.equals("Basic cmVhZGVyOnNlY3JldA==") || who.equals("Bearer token-2")) {
            send(exchange, TEXT, metrics());
        } else {
            exchange.sendResponseHeaders(401, -1);
        }
    }

    private void answer(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            asked.incrementAndGet();
            try (exchange) {
                handler.handle(exchange);
            }
        });
    }

    private static void endless(HttpExchange exchange, OutputStream body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", TEXT);
        exchange.sendResponseHeaders(200, 0);
        byte[] some = "a 1\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        // Until nobody reads any more; a gigabyte at most.
        for (int time = 0; time < 25_000; time++) {
            body.write(some);
        }
    }

    private void hang() throws IOException {
        try {
            closed.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void send(HttpExchange exchange, String type, String body) throws IOException {
        send(exchange, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }
}
