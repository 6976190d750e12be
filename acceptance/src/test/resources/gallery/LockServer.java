// SPDX-License-Identifier: Apache-2.0

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A service of many threads that hold one monitor for some ms for each request, for GalleryTest. Ends with its input. */
public final class LockServer {

    private static final int THREADS = 64;

    /** Empty metrics, so that the answer to a scrape is one. */
    private static final byte[] BODY = "# ok\n".getBytes(StandardCharsets.US_ASCII);

    private LockServer() {}

    public static void main(String[] arguments) throws IOException {
        long millis = Long.parseLong(arguments[0]);
        Store store = new Store();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.createContext("/", exchange -> {
            store.book(millis);
            exchange.getResponseHeaders().set("content-type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, BODY.length);
            try (exchange) {
                exchange.getResponseBody().write(BODY);
            }
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        System.in.readAllBytes();
        Runtime.getRuntime().halt(0);
    }

    /** The object that all requests wait for. */
    private static final class Store {

        synchronized void book(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
