// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** A small HTTP server in Java with one wall: {@code WalledServer WALL PORT [MORE]}. Its metrics are at {@code /metrics}. */
final class WalledServer {

    /** More threads than requests can wait, so that none waits for a thread. */
    private static final int THREADS = 400;

    /** 90 of them are 9 MB, or 72 Mbit. */
    private static final int ANSWER_BYTES = 100_000;

    private static final int PAGE = 4_096;

    private static final long ROUND_NANOS = Duration.ofSeconds(2).toNanos();

    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private WalledServer() {}

    /** The work of one request. */
    private interface Work {

        void serve() throws IOException, InterruptedException, SQLException, ExecutionException;
    }

    public static void main(String[] arguments) throws IOException {
        new WalledServer().listen(arguments);
    }

    private void listen(String[] arguments) throws IOException {
        String more = arguments.length > 2 ? arguments[2] : "";
        Work work = switch (arguments[0]) {
            case "monitor" -> new ReportsBehindOneLock()::serve;
            case "heap" -> new Sessions()::serve;
            case "pool" -> pooled(more);
            case "downstream" -> calling(URI.create(more));
            case "burn" -> () -> burn(Duration.ofMillis(Long.parseLong(more)));
            case "threads" -> queued();
            case "logging" -> logging(Path.of(more));
            case "disk" -> writing(Path.of(more));
            case "link" -> () -> {};
            case "synchronous-ends" ->
                () -> LockSupport.parkNanos(this, ROUND_NANOS - Math.floorMod(System.nanoTime(), ROUND_NANOS));
            default -> throw new IllegalArgumentException("No wall is called " + arguments[0]);
        };
        boolean link = arguments[0].equals("link");
        byte[] answer = new byte[link ? ANSWER_BYTES : 0];
        InetAddress address = link ? InetAddress.getByName("0.0.0.0") : InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(address, Integer.parseInt(arguments[1])), THREADS);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/metrics", exchange -> {
            byte[] text = metrics.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.createContext("/", exchange -> {
            try {
                work.serve();
                exchange.sendResponseHeaders(200, link ? answer.length : -1);
                exchange.getResponseBody().write(answer);
            } catch (SQLException | InterruptedException | ExecutionException failure) {
                exchange.sendResponseHeaders(500, -1);
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    /** Parses XML and waits for a slow file behind one monitor: 11 ms and more for a request. */
    private static final class ReportsBehindOneLock {

        private static final Duration FILE = Duration.ofMillis(10);

        private final byte[] report = ("<report>" + "<line amount='1'>paid</line>".repeat(200) + "</report>")
                .getBytes(StandardCharsets.UTF_8);

        synchronized void serve() throws IOException {
            try {
                SAXParserFactory.newDefaultInstance().newSAXParser()
                        .parse(new ByteArrayInputStream(report), new DefaultHandler());
            } catch (SAXException | ParserConfigurationException impossible) {
                throw new IOException(impossible);
            }
            LockSupport.parkNanos(this, FILE.toNanos());
        }
    }

    /** Keeps the sessions of the last users in memory: most of the old generation is full, and each user pushes an old session out. */
    private static final class Sessions {

        private static final int KEPT = 6_000;

        private static final int BYTES = 8 * 1024;

        private static final int NEW_ONES = 1_100;

        private final Queue<byte[]> kept = new ArrayDeque<>();

        Sessions() {
            while (kept.size() < KEPT) {
                kept.add(new byte[BYTES]);
            }
        }

        void serve() {
            for (int session = 0; session < NEW_ONES; session++) {
                byte[] added = new byte[BYTES];
                synchronized (kept) {
                    kept.add(added);
                    kept.remove();
                }
            }
        }
    }

    /** Four connections, 45 ms for a query: at most 89 requests/s. */
    private Work pooled(String jdbcUrl) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(jdbcUrl);
        settings.setMaximumPoolSize(4);
        settings.setConnectionTimeout(10_000);
        settings.setMetricRegistry(metrics);
        HikariDataSource pool = new HikariDataSource(settings);
        return () -> {
            try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
                statement.execute("SELECT pg_sleep(0.045)");
            }
        };
    }

    /** Four threads, 45 ms for a task: at most 89 requests/s. */
    private Work queued() {
        ExecutorService threads = ExecutorServiceMetrics.monitor(metrics, Executors.newFixedThreadPool(4), "reports");
        return () -> threads.submit(() -> LockSupport.parkNanos(threads, Duration.ofMillis(45).toNanos())).get();
    }

    /** Writes a line of a page for each request, and waits until somebody reads it. */
    private static Work logging(Path log) throws IOException {
        PrintStream lines = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8);
        String line = "x".repeat(PAGE - 1);
        return () -> lines.println(line);
    }

    /** Writes a page for each request, each to its own place, and waits until the disk has it. */
    private static Work writing(Path folder) throws IOException {
        int places = THREADS;
        Path file = folder.resolve("pages");
        Files.write(file, new byte[places * PAGE]);
        FileChannel pages = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
        AtomicInteger next = new AtomicInteger();
        return () -> pages.write(ByteBuffer.allocate(PAGE),
                (long) PAGE * Math.floorMod(next.getAndIncrement(), places));
    }

    private Work calling(URI other) {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(other).build();
        Timer calls = Timer.builder("http.client.requests").tag("client.name", "prices").register(metrics);
        return () -> {
            long start = System.nanoTime();
            client.send(request, BodyHandlers.discarding());
            calls.record(Duration.ofNanos(System.nanoTime() - start));
        };
    }

    private static void burn(Duration cpuTime) {
        var threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + cpuTime.toNanos();
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }
}
