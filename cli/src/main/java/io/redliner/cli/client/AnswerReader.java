// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads answers, and rejects those of other programs than a controller.
 *
 * @param url of the controller, for messages
 */
record AnswerReader(String url) {

    /** Statuses of a plan that the controller rejects, for mistakes in it or because it cannot be carried out. */
    private static final Set<Integer> BAD_PLAN = Set.of(400, 422);

    private static final JsonMapper JSON = new JsonMapper();

    /** Rejects the answer to a plan unless the controller took the plan. */
    void accepted(HttpResponse<String> answer) throws PlanRejectedException, IOException {
        if (BAD_PLAN.contains(answer.statusCode())) {
            throw new PlanRejectedException(tree(answer));
        }
        successful(answer);
    }

    /** Returns the body of an answer that is no refusal. */
    JsonNode successful(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() >= 300) {
            throw refusal(answer.statusCode(), answer.body());
        }
        return tree(answer);
    }

    /** Returns the exception for an answer that is a refusal. */
    IOException refusal(int status, String body) throws IOException {
        JsonNode problem = tree(status, body);
        return RequestRejectedException.isLasting(status)
                ? new RequestRejectedException(url, status, problem)
                : new IOException(RequestRejectedException.explain(url, status, problem));
    }

    /** Returns an answer's body, an object. */
    JsonNode tree(HttpResponse<String> answer) throws IOException {
        return tree(answer.statusCode(), answer.body());
    }

    private JsonNode tree(int status, String body) throws IOException {
        JacksonException malformed = null;
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree.isObject()) {
                return tree;
            }
        } catch (JacksonException noJson) {
            malformed = noJson;
        }
        throw new NoControllerException(url, " with " + status, malformed);
    }

    /** Returns the body if it has the field that each such answer of a controller has. */
    JsonNode requireController(JsonNode body, boolean hasField) throws IOException {
        if (!hasField) {
            throw new NoControllerException(url, "", null);
        }
        return body;
    }

    /** Parses a JSON text. */
    JsonNode read(String text) throws IOException {
        try {
            return JSON.readTree(text);
        } catch (JacksonException malformed) {
            throw new IOException("what the controller at " + url + " sends is no JSON", malformed);
        }
    }
}
