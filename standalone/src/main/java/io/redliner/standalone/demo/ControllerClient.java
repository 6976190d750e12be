// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the controller's REST API, as any user of it could write one. */
public final class ControllerClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String DATA = "data:";

    private final JsonMapper json = new JsonMapper();

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private final URI controller;

    /** A client of the controller at {@code http://host:port}. */
    public ControllerClient(URI controller) {
        this.controller = controller;
    }

    /** What a GET of a path below {@code /api/v1} answers. */
    public JsonNode get(String path) {
        return send(request(path).GET());
    }

    /** Stores a plan, YAML. */
    public void putPlan(String name, String yaml) {
        send(request("/plans/" + name).header("Content-Type", "application/yaml").PUT(BodyPublishers.ofString(yaml)));
    }

    /** Says of what hardware an instance is. */
    public void putHardware(String service, String instance, String hardware) {
        String facts = json.writeValueAsString(json.createObjectNode().put("hardware", hardware));
        send(request("/services/" + service + "/instances/" + instance).header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(facts)));
    }

    /** Starts a run of a stored plan. Returns the run's id. */
    public String startRun(String plan) {
        String order = json.writeValueAsString(json.createObjectNode().put("plan", plan));
        return send(request("/runs").header("Content-Type", "application/json").POST(BodyPublishers.ofString(order)))
                .path("id").asString();
    }

    /** Ends a run from outside. */
    public void abortRun(String run, String reason) {
        String order = json.writeValueAsString(json.createObjectNode().put("reason", reason));
        send(request("/runs/" + run + ":abort").header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(order)));
    }

    /** Hands over each decision of a run as it is made, and returns when the run is over. */
    public void follow(String run, Consumer<JsonNode> decision) {
        HttpRequest events = HttpRequest.newBuilder(uri("/runs/" + run + "/events"))
                .header("Accept", "text/event-stream")
                .build();
        try (Stream<String> lines = client.send(events, BodyHandlers.ofLines()).body()) {
            lines.filter(line -> line.startsWith(DATA)).map(line -> json.readTree(line.substring(DATA.length())))
                    .filter(data -> data.has("event"))
                    .forEach(decision);
        } catch (IOException e) {
            throw new UncheckedIOException("Lost the events of run " + run, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while following run " + run, e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(PATIENCE);
    }

    private URI uri(String path) {
        return controller.resolve("/api/v1" + path);
    }

    private JsonNode send(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 400) {
                throw new ControllerRefusedException(request.method() + " " + request.uri().getPath(),
                        response.statusCode(), response.body());
            }
            return response.body().isEmpty() ? json.createObjectNode() : json.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException("No answer from the controller at " + controller, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the controller", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
