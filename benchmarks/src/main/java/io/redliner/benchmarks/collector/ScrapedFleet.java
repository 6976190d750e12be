// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.collector;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.redliner.benchmarks.scale.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** Instances that expose metrics, each on a port of its own; in a process of its own it ends when nobody listens. */
public final class ScrapedFleet {

    private static final int WORKERS = 2;

    private ScrapedFleet() {}

    /** Prints its ports, and runs until its input ends. Arguments: how many, the format, whether it compresses. */
    public static void main(String[] arguments) throws IOException {
        int targets = Integer.parseInt(arguments[0]);
        var format = ExpositionFormat.valueOf(arguments[1]);
        boolean compressed = Boolean.parseBoolean(arguments[2]);
        var executor = Executors.newFixedThreadPool(WORKERS);
        List<HttpServer> servers = new ArrayList<>();
        for (int target = 0; target < targets; target++) {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(executor);
            var looks = new AtomicLong();
            server.createContext("/metrics", exchange -> answer(exchange, format, compressed, looks.incrementAndGet()));
            server.start();
            servers.add(server);
        }
        System.out.println(JavaProcess.READY + servers.stream().map(it -> "" + it.getAddress().getPort())
                .collect(Collectors.joining(",")));
        while (System.in.read() >= 0) {
            // Nothing is said; the end of the input is what is waited for.
        }
        System.exit(0);
    }

    private static void answer(HttpExchange exchange, ExpositionFormat format, boolean compressed, long look) {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            var body = format.body(look);
            exchange.getResponseHeaders().set("Content-Type", format.contentType());
            if (compressed) {
                body = zipped(body);
                exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            }
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] zipped(byte[] body) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(body);
        }
        return bytes.toByteArray();
    }
}
