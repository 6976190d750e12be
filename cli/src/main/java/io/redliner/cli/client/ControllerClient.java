// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The controller's REST API, as far as the command line needs it. Every method throws an {@link IOException} that a user can act
 * on.
 */
public final class ControllerClient implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Time without an answer after which an abort is sent to the emergency port. */
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration EMERGENCY_TIMEOUT = Duration.ofSeconds(5);

    /** The port of emergency calls is above the controller's by this number, unless its settings say otherwise. */
    private static final int EMERGENCY_PORT_OFFSET = 4;

    private static final int MAX_PORT = 65_535;

    /** The path of the kill switch. */
    public static final String KILL_SWITCH = "/api/v1/kill-switch";

    private static final int OK = 200;

    private static final int NO_CONTENT = 204;

    private static final Set<Integer> BUSY = Set.of(429, 503);

    /** Reports are written as they are read. */
    private static final Duration DOWNLOAD_TIMEOUT = Duration.ofMinutes(2);

    /** A start that got no answer is made again with the same key: it is one run, however often it arrives. */
    private static final int ATTEMPTS = 3;

    private final TimedHttpClient client;

    private final AnswerReader answerReader;

    private final String url;

    /** Absent where the address has no port: a proxy is in front of the controller. */
    private final @Nullable String emergencyUrl;

    private final @Nullable String token;

    private volatile @Nullable Instant answeredAt;

    /**
     * Creates a client of the controller at {@code http://host:port}, with a path before {@code /api/v1} where a proxy adds one.
     *
     * @param token to be sent with each request; blank or absent: none
     */
    public ControllerClient(URI url, @Nullable String token) {
        this.url = url.toString().replaceFirst("/+$", "");
        this.emergencyUrl = emergency(url, this.url);
        this.token = token;
        this.answerReader = new AnswerReader(this.url);
        this.client = new TimedHttpClient(url, TIMEOUT);
    }

    private static @Nullable String emergency(URI url, String text) {
        int port = url.getPort() + EMERGENCY_PORT_OFFSET;
        return url.getPort() < 0 || port > MAX_PORT
                ? null
                : text.replaceFirst(":" + url.getPort() + "(?=/|$)", ":" + port);
    }

    /**
     * A run or a series that the controller has started.
     *
     * @param path of the run or the series
     * @param body the controller's view of it
     */
    public record Started(String path, JsonNode body) {

        /** Returns the last part of the path. */
        public String id() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /**
     * Returns the address of the page of a run or a series.
     *
     * @param path of the run or the series, from {@code /api/v1} on
     */
    public String page(String path) {
        return url + path.substring(path.indexOf("/api/v1") + "/api/v1".length());
    }

    /**
     * Validates the text of a plan.
     *
     * @return its canonical form and hash
     * @throws PlanRejectedException when it is not a valid plan
     */
    public JsonNode validate(String plan) throws PlanRejectedException, IOException, InterruptedException {
        HttpResponse<String> answer = send(
                request(url + "/api/v1/plans:validate", TIMEOUT).POST(BodyPublishers.ofString(plan)));
        answerReader.accepted(answer);
        return answerReader.tree(answer);
    }

    /**
     * Starts a run or a series, once.
     *
     * @throws PlanRejectedException when the plan cannot be carried out
     */
    public Started start(String plan) throws PlanRejectedException, IOException, InterruptedException {
        HttpRequest.Builder request = request(url + "/api/v1/runs", TIMEOUT)
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(BodyPublishers.ofString(plan));
        IOException last = new IOException("the controller was not asked");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            HttpResponse<String> answer;
            try {
                answer = send(request);
            } catch (IOException lost) {
                last = lost;
                continue;
            }
            answerReader.accepted(answer);
            String path = answer.headers()
                    .firstValue("Location")
                    .orElseThrow(() -> new IOException("the controller at " + url + " does not say what it started"));
            return new Started(path, answerReader.tree(answer));
        }
        throw last;
    }

    /**
     * Sends a GET and returns the answer.
     *
     * @param path from {@code /api/v1} on
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return answerReader.successful(send(request(url + path, TIMEOUT).GET()));
    }

    /**
     * Sends a GET of a list and returns the answer, whose {@code items} are an array.
     *
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode list(String path) throws IOException, InterruptedException {
        JsonNode page = get(path);
        return answerReader.requireController(page, page.path("items").isArray());
    }

    /** Returns the kill switch, whose {@code engaged} is true or false. */
    public JsonNode killSwitch() throws IOException, InterruptedException {
        JsonNode state = get(KILL_SWITCH);
        return answerReader.requireController(state, state.path("engaged").isBoolean());
    }

    /**
     * Returns who the caller is.
     *
     * @throws NoControllerException also when another program answers that it knows no such address
     */
    public JsonNode whoAmI() throws IOException, InterruptedException {
        try {
            JsonNode caller = get("/api/v1/whoami");
            return answerReader.requireController(caller, caller.hasNonNull("name"));
        } catch (RequestRejectedException rejected) {
            throw rejected.notFound() ? new NoControllerException(url, " with 404", rejected) : rejected;
        }
    }

    /** Returns the controller's health, also one that is not good. */
    public JsonNode health() throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request(url + "/actuator/health", TIMEOUT).GET());
        return BUSY.contains(answer.statusCode()) ? answerReader.tree(answer) : answerReader.successful(answer);
    }

    /**
     * Sends a POST with JSON and returns the answer.
     *
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return answerReader.successful(send(post(url + path, body, TIMEOUT)));
    }

    /**
     * Sends an abort, and returns its answer. When the controller does not answer within a second, or is overloaded, the abort is
     * also sent to its emergency port.
     *
     * @param notice receives a line when the answer comes from there
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode abort(String path, JsonNode body, Consumer<String> notice)
            throws IOException, InterruptedException {
        JsonNode view = stop(path, body, "abort", notice);
        return answerReader.requireController(view, view.hasNonNull("id"));
    }

    /**
     * Engages the kill switch, at the emergency port when need be, as an abort.
     *
     * @param notice receives a line when the answer comes from there
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode engageKillSwitch(JsonNode body, Consumer<String> notice) throws IOException, InterruptedException {
        JsonNode engaged = stop(KILL_SWITCH, body, "call", notice);
        return answerReader.requireController(engaged, engaged.path("engaged").asBoolean(false));
    }

    private JsonNode stop(String path, JsonNode body, String noun, Consumer<String> notice)
            throws IOException, InterruptedException {
        HttpResponse<String> busy = null;
        try {
            busy = send(post(url + path, body, emergencyUrl == null ? TIMEOUT : ABORT_TIMEOUT));
        } catch (IOException unanswered) {
            if (emergencyUrl == null) {
                throw unanswered;
            }
        }
        if (busy != null && !BUSY.contains(busy.statusCode())) {
            return answerReader.successful(busy);
        }
        Optional<HttpResponse<String>> emergency = atEmergencyPort(path, body);
        if (emergency.isPresent()) {
            notice.accept("redliner: the controller at " + url + (busy == null
                    ? " did not answer within " + ABORT_TIMEOUT.toSeconds() + " s"
                    : " answers " + busy.statusCode()) + ": " + emergencyUrl + " took the " + noun);
            return answerReader.successful(emergency.get());
        }
        return answerReader.successful(busy == null ? send(post(url + path, body, TIMEOUT)) : busy);
    }

    /** Returns the answer of the port of emergency calls; empty when it gives none, or has too much to do itself. */
    private Optional<HttpResponse<String>> atEmergencyPort(String path, JsonNode body) throws InterruptedException {
        if (emergencyUrl == null) {
            return Optional.empty();
        }
        try {
            HttpResponse<String> answer = client.send(post(emergencyUrl + path, body, EMERGENCY_TIMEOUT).build(),
                    BodyHandlers.ofString());
            return Optional.of(answer).filter(other -> other.statusCode() < 500 && !BUSY.contains(other.statusCode()));
        } catch (IOException unanswered) {
            return Optional.empty();
        }
    }

    private HttpRequest.Builder post(String address, JsonNode body, Duration timeout) {
        return request(address, timeout).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()));
    }

    /**
     * Sends a PUT and returns the answer.
     *
     * @param type of the body, e.g. {@code application/yaml}
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode put(String path, String type, String body) throws IOException, InterruptedException {
        return answerReader.successful(send(request(url + path, TIMEOUT).header("Content-Type", type)
                .PUT(BodyPublishers.ofString(body))));
    }

    /**
     * Sends a DELETE and returns the answer; an empty object where the controller has nothing to say.
     *
     * @throws RequestRejectedException when asking again does not help
     */
    public JsonNode delete(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request(url + path, TIMEOUT).DELETE());
        return answer.statusCode() == NO_CONTENT ? object() : answerReader.successful(answer);
    }

    /** Returns the controller's clock at its newest answer, in whole seconds; empty before one, or without a readable Date. */
    public Optional<Instant> answeredAt() {
        return Optional.ofNullable(answeredAt);
    }

    /** Parses a JSON text. */
    JsonNode read(String text) throws IOException {
        return answerReader.read(text);
    }

    /** Returns an empty object, to be filled. */
    public ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Sends a GET and returns the answer as it is.
     *
     * @throws RequestRejectedException when asking again does not help
     */
    public byte[] download(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send(request(url + path, DOWNLOAD_TIMEOUT).GET(), BodyHandlers.ofByteArray());
        if (answer.statusCode() != OK) {
            throw answerReader.refusal(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer.body();
    }

    /**
     * Opens a stream of server-sent events.
     *
     * @param after id of the last event that is known; without: from the first one on
     * @throws RequestRejectedException when asking again does not help
     */
    HttpResponse<InputStream> events(String path, @Nullable String after) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(url + path, TIMEOUT).header("Accept", "text/event-stream");
        if (after != null) {
            request.header("Last-Event-ID", after);
        }
        return open(request);
    }

    private HttpResponse<InputStream> open(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer;
        try {
            answer = client.open(request.build());
        } catch (IOException failure) {
            throw unanswered(failure);
        }
        if (answer.statusCode() == OK) {
            return answer;
        }
        try (InputStream body = answer.body()) {
            throw answerReader.refusal(answer.statusCode(),
                    new String(body.readNBytes(1 << 16), StandardCharsets.UTF_8));
        }
    }

    private HttpRequest.Builder request(String address, Duration timeout) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address)).timeout(timeout);
        if (token != null && !token.isBlank()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return send(request, BodyHandlers.ofString());
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        try {
            HttpResponse<T> answer = client.send(request.build(), handler);
            answeredAt = RunEventClient.date(answer).orElse(null);
            return answer;
        } catch (IOException failure) {
            throw unanswered(failure);
        }
    }

    private IOException unanswered(IOException failure) {
        return new IOException("no answer from the controller at " + url + ": " + ConnectionFailure.reason(failure),
                failure);
    }

    @Override
    public String toString() {
        return url;
    }

    @Override
    public void close() {
        client.close();
    }
}
