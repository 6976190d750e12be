// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import static org.awaitility.Awaitility.await;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A real proxy of the service {@code shop} in front of two instances, configured by a file. */
public final class StaticEnvoy implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();

    private final int listenerPort = FreePort.next();

    private final int sampledPort = FreePort.next();

    private final Process process;

    public StaticEnvoy(Path folder, int collectorPort, Upstream first, Upstream second) throws IOException {
        this(EnvoyBinary.locate(), folder, collectorPort, first, second);
    }

    StaticEnvoy(Path binary, Path folder, int collectorPort, Upstream first, Upstream second) throws IOException {
        int adminPort = FreePort.next();
        Path configuration = folder.resolve("envoy.yaml");
        try (InputStream template = Objects.requireNonNull(StaticEnvoy.class.getResourceAsStream("envoy.yaml"))) {
            Files.writeString(configuration, new String(template.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${adminPort}", Integer.toString(adminPort))
                    .replace("${listenerPort}", Integer.toString(listenerPort))
                    .replace("${sampledPort}", Integer.toString(sampledPort))
                    .replace("${collectorPort}", Integer.toString(collectorPort))
                    .replace("${firstPort}", Integer.toString(first.port()))
                    .replace("${secondPort}", Integer.toString(second.port()))
                    .replace("${webSocketPort}", Integer.toString(first.webSocketPort()))
                    .replace("${deadPort}", Integer.toString(FreePort.next())));
        }
        process = new ProcessBuilder(binary.toString(), "--config-path", configuration.toString(),
                "--disable-hot-restart", "--concurrency", "2", "--log-level", "warning").redirectErrorStream(true)
                .redirectOutput(folder.resolve("envoy.log").toFile()).start();
        await().until(() -> ready(adminPort));
    }

    private boolean ready(int adminPort) throws InterruptedException {
        try {
            return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/ready")).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends a request through the proxy; the body of a good answer is the instance's name. */
    public CompletableFuture<HttpResponse<String>> send(String path) {
        return send(listenerPort, path);
    }

    /** Like {@link #send}, by the listener that reports a quarter of its requests, as of a service of its own. */
    public CompletableFuture<HttpResponse<String>> sendSampled(String path) {
        return send(sampledPort, path);
    }

    private CompletableFuture<HttpResponse<String>> send(int port, String path) {
        return client.sendAsync(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** A connection with a request on it, for a user who may hang up. */
    public Socket connect(String path) throws IOException {
        return connect("GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n", listenerPort);
    }

    /** A connection with a request on it whose body does not come: a route's timeout does not end it. */
    public Socket connectWithoutBody(String path) throws IOException {
        return connect("POST " + path + " HTTP/1.1\r\nHost: shop\r\nContent-Length: 1\r\n\r\n", listenerPort);
    }

    /** Like {@link #connect}, of a client that makes up the request's x-request-id. */
    public Socket connectAs(String requestId, String path) throws IOException {
        return connect("GET " + path + " HTTP/1.1\r\nHost: shop\r\nx-request-id: " + requestId + "\r\n\r\n",
                listenerPort);
    }

    /** Like {@link #connect}, with another header. */
    public Socket connectWith(String header, String path) throws IOException {
        return connect("GET " + path + " HTTP/1.1\r\nHost: shop\r\n" + header + "\r\n\r\n", listenerPort);
    }

    private static Socket connect(String request, int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Stops the process without ending it, as a machine does that hangs. */
    public void freeze() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        client.shutdownNow();
    }
}
