// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.remote;

import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the command line needs of a controller. */
public final class Controller implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A start that got no answer is made again with the same key: it is one run, however often it arrives. */
    private static final int ATTEMPTS = 3;

    /** What can be read as a plan and yet cannot be carried out, for reasons in the plan. */
    private static final Set<Integer> BAD_PLAN = Set.of(400, 422);

    private static final int TOO_MANY_REQUESTS = 429;

    private final JsonMapper json = new JsonMapper();

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    private final URI url;

    private final @Nullable String token;

    /**
     * A controller at {@code http://host:port}.
     *
     * @param token to be sent with each request; blank or absent: none
     */
    public Controller(URI url, @Nullable String token) {
        this.url = url;
        this.token = token;
    }

    /** The controller does not take the plan. */
    public static final class BadPlanException extends Exception {

        @Serial
        private static final long serialVersionUID = 1;

        private final transient List<String> mistakes;

        BadPlanException(List<String> mistakes) {
            super(String.join("; ", mistakes));
            this.mistakes = List.copyOf(mistakes);
        }

        /** Each as {@code :line:column: field: message}, to be put behind the file's name. */
        public List<String> mistakes() {
            return mistakes;
        }
    }

    /** The controller answers, and does not do it: asking again does not help. */
    static final class RefusedException extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * Asks whether a text is a plan.
     *
     * @throws BadPlanException when it is none
     * @throws IOException when the controller does not answer, or refuses for another reason
     */
    public void validate(String plan) throws BadPlanException, IOException, InterruptedException {
        accepted(send(request("/api/v1/plans:validate").POST(BodyPublishers.ofString(plan))));
    }

    /**
     * Starts a run or a series, once.
     *
     * @return its path
     * @throws BadPlanException when the plan cannot be carried out
     * @throws IOException when the controller does not answer, or refuses for another reason
     */
    public String start(String plan) throws BadPlanException, IOException, InterruptedException {
        HttpRequest.Builder request = request("/api/v1/runs").header("Idempotency-Key", UUID.randomUUID().toString())
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
            accepted(answer);
            return answer.headers()
                    .firstValue("Location")
                    .orElseThrow(() -> new IOException("the controller at " + url + " does not say what it started"));
        }
        throw last;
    }

    /**
     * How a run or a series is now.
     *
     * @param path of it
     * @throws IOException when the controller does not answer, or not with that
     */
    JsonNode look(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request(path).GET());
        if (answer.statusCode() != 200) {
            throw refusal(answer);
        }
        return tree(answer);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path)).timeout(PATIENCE);
        if (token != null && !token.isBlank()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new IOException("no answer from the controller at " + url, failure);
        }
    }

    private void accepted(HttpResponse<String> answer) throws BadPlanException, IOException {
        if (BAD_PLAN.contains(answer.statusCode())) {
            throw new BadPlanException(mistakes(tree(answer)));
        }
        if (answer.statusCode() >= 300) {
            throw refusal(answer);
        }
    }

    private static List<String> mistakes(JsonNode problem) {
        List<String> mistakes = new ArrayList<>();
        for (JsonNode error : problem.path("errors")) {
            mistakes.add(":" + error.path("line").asInt() + ":" + error.path("column").asInt() + ": "
                    + error.path("field").asString() + ": " + error.path("message").asString());
        }
        if (mistakes.isEmpty()) {
            String field = problem.path("field").asString("");
            mistakes.add(": " + (field.isEmpty() ? "" : field + ": ") + problem.path("detail").asString("is refused"));
        }
        return mistakes;
    }

    private IOException refusal(HttpResponse<String> answer) throws IOException {
        JsonNode problem = tree(answer);
        String message = "the controller at " + url + " answers " + answer.statusCode() + ": "
                + problem.path("title").asString("") + ": " + problem.path("detail").asString("");
        return answer.statusCode() >= 500 || answer.statusCode() == TOO_MANY_REQUESTS
                ? new IOException(message)
                : new RefusedException(message);
    }

    private JsonNode tree(HttpResponse<String> answer) throws IOException {
        try {
            return json.readTree(answer.body());
        } catch (JacksonException other) {
            throw new IOException("what answers at " + url + " with " + answer.statusCode() + " is no controller",
                    other);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
