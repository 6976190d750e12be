// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.client;

import java.io.IOException;
import java.io.Serial;
import tools.jackson.databind.JsonNode;

/** The controller answers that it does not carry out the request, and asking again does not help. */
public final class RequestRejectedException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int UNAUTHENTICATED = 401;

    private static final int FORBIDDEN = 403;

    private static final int NOT_FOUND = 404;

    private static final int CONFLICT = 409;

    private static final int TOO_MANY_REQUESTS = 429;

    private final int status;

    private final transient JsonNode problem;

    RequestRejectedException(String url, int status, JsonNode problem) {
        super(explain(url, status, problem));
        this.status = status;
        this.problem = problem;
    }

    private RequestRejectedException(RequestRejectedException other, String advice) {
        super(other.getMessage() + ". " + advice, other);
        this.status = other.status;
        this.problem = other.problem;
    }

    /** Returns the same rejection with what the user can do about it. */
    public RequestRejectedException with(String advice) {
        return new RequestRejectedException(this, advice);
    }

    /** Returns whether the controller does not know what the request names. */
    public boolean notFound() {
        return status == NOT_FOUND;
    }

    /** Returns whether the request does not fit what is there now. */
    public boolean isConflict() {
        return status == CONFLICT;
    }

    /** Returns the problem that the controller answered (RFC 9457). */
    public JsonNode problem() {
        return problem;
    }

    /** Returns whether the same request would get the same answer later on. */
    static boolean isLasting(int status) {
        return status < 500 && status != TOO_MANY_REQUESTS;
    }

    /** Explains the answer in one line for people, with what to do about it. */
    static String explain(String url, int status, JsonNode problem) {
        String explanation = "the controller at " + url + " answers " + status + after(problem.path("title"))
                + after(problem.path("detail"));
        return switch (status) {
            case UNAUTHENTICATED ->
                explanation + ". Give a token that is valid there: in REDLINER_TOKEN, or in a file named by"
                        + " --token-file or REDLINER_TOKEN_FILE";
            case FORBIDDEN ->
                explanation + ". Use the token of somebody who may, or ask an admin for the role (operator to"
                        + " change something) or for the team that owns the service";
            default -> explanation;
        };
    }

    private static String after(JsonNode text) {
        String plain = TerminalSafeText.text(text);
        return plain.isEmpty() ? "" : ": " + plain;
    }
}
