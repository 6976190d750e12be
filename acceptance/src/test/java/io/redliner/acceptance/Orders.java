// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What somebody else orders over the REST API while the visitors look on. */
public final class Orders implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();

    private final URI controller;

    private final @Nullable String token;

    /** Of the one with this token; null where everybody may do everything. */
    public Orders(URI controller, @Nullable String token) {
        this.controller = controller;
        this.token = token;
    }

    /** Sends a body, JSON or YAML, to a path below {@code /api/v1}, and returns what was answered. */
    public String send(String method, String path, String body) {
        return send(method, path, BodyPublishers.ofString(body));
    }

    /** Sends nothing but the order. */
    public String send(String method, String path) {
        return send(method, path, BodyPublishers.noBody());
    }

    private String send(String method, String path, BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(controller.resolve("/api/v1" + path))
                .header("Content-Type", "application/yaml").timeout(Duration.ofSeconds(30)).method(method, body);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(method + " " + path + ": " + answer.body()).isBetween(200, 299);
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException("No answer to " + method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
