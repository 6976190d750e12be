// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The controller rejects the plan. */
public final class PlanRejectedException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient JsonNode problem;

    PlanRejectedException(JsonNode problem) {
        super(String.join("; ", mistakes(problem)));
        this.problem = problem;
    }

    /**
     * Creates the rejection of a plan that is not sent to the controller.
     *
     * @param reason clause that follows the file's name
     */
    public static PlanRejectedException because(String reason) {
        return new PlanRejectedException(new JsonMapper().createObjectNode().put("type", "about:blank")
                .put("title", "The plan cannot be read").put("detail", reason));
    }

    /** Returns the mistakes, each as {@code :line:column: field: message}, to be put behind the file's name. */
    public List<String> mistakes() {
        return mistakes(problem);
    }

    /** Returns the problem that the controller answered (RFC 9457). */
    public JsonNode problem() {
        return problem;
    }

    private static List<String> mistakes(JsonNode problem) {
        List<String> mistakes = new ArrayList<>();
        for (JsonNode error : problem.path("errors")) {
            mistakes.add(":" + error.path("line").asInt(0) + ":" + error.path("column").asInt(0) + ": "
                    + TerminalSafeText.text(error.path("field")) + ": " + TerminalSafeText.text(error.path("message")));
        }
        if (mistakes.isEmpty()) {
            String field = TerminalSafeText.text(problem.path("field"));
            String detail = TerminalSafeText.text(problem.path("detail"));
            mistakes.add(": " + (field.isEmpty() ? "" : field + ": ") + (detail.isEmpty() ? "is refused" : detail));
        }
        return mistakes;
    }
}
