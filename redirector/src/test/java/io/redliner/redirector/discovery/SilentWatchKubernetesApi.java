// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceListBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An API server that lists the slices it was given, and whose watches never send an event. */
final class SilentWatchKubernetesApi implements AutoCloseable {

    private static final String FORBIDDEN = """
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "reason": "Forbidden",
             "message": "endpointslices is forbidden"}""";

    private final ExecutorService threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    private final HttpServer server;

    private volatile String list = "";

    private final AtomicInteger watches = new AtomicInteger();

    private final AtomicInteger lists = new AtomicInteger();

    SilentWatchKubernetesApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** How often it was asked to be followed. */
    int watches() {
        return watches.get();
    }

    /** How often it was asked for a list. */
    int lists() {
        return lists.get();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    void forbid() {
        list = "";
    }

    void list(EndpointSlice... slices) {
        list = new KubernetesSerialization().asJson(new EndpointSliceListBuilder()
                .withMetadata(new ListMetaBuilder().withResourceVersion("1").build()).withItems(slices).build());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = list;
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        if (!body.isEmpty() && exchange.getRequestURI().getQuery().contains("watch=true")) {
            watches.incrementAndGet();
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            return;
        }
        lists.incrementAndGet();
        byte[] bytes = (body.isEmpty() ? FORBIDDEN : body).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(body.isEmpty() ? 403 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
