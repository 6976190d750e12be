// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.scene;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A user of the API. */
public final class Client {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newHttpClient();

    private final String base;

    private final List<String> always;

    private final Runnable before;

    public Client(int port, String... headers) {
        this("http://127.0.0.1:" + port, List.of(headers), () -> {});
    }

    private Client(String base, List<String> headers, Runnable before) {
        this.base = base;
        this.always = headers;
        this.before = before;
    }

    /** Another user, who sends these headers with each request. */
    public Client with(String... headers) {
        return new Client(base, List.of(headers), before);
    }

    /** Another user, before each of whose requests something happens. */
    Client after(Runnable action) {
        return new Client(base, always, action);
    }

    /** An answer with its body. */
    public record Answer(int status, HttpResponse<String> response) {

        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    public Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    public Answer post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    public Answer put(String path, String body, String... headers) {
        return send("PUT", path, body, headers);
    }

    public Answer delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    /** Any request. */
    public Answer send(String method, String path, @Nullable String body, String... headers) {
        return exchange(method, path,
                body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body),
                headers);
    }

    /** PUT of a body in any encoding. */
    public Answer put(String path, byte[] body, String... headers) {
        return exchange("PUT", path, HttpRequest.BodyPublishers.ofByteArray(body), headers);
    }

    private Answer exchange(String method, String path, HttpRequest.BodyPublisher publisher, String[] headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, publisher);
        add(request, headers);
        before.run();
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response);
        } catch (IOException failure) {
            throw new AssertionError(method + " " + path, failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** The lines of a stream until it ends. */
    public Stream<String> stream(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path)).header("Accept",
                "text/event-stream");
        add(request, headers);
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofLines()).body();
        } catch (IOException failure) {
            throw new AssertionError(path, failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private void add(HttpRequest.Builder request, String... headers) {
        List<String> all = new ArrayList<>(always);
        all.addAll(List.of(headers));
        if (!all.isEmpty()) {
            request.headers(all.toArray(String[]::new));
        }
    }
}
