// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.problem;

import io.redliner.controller.core.safety.RejectionReason;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/**
 * The kinds of error of the API, beside those of {@link RejectionReason}. Their URIs are stable;
 * the texts beside them are not.
 */
public enum ProblemType {

    INVALID_DOCUMENT(HttpStatus.BAD_REQUEST, "The document has mistakes"), //
    INVALID_PARAMETER(HttpStatus.BAD_REQUEST, "A parameter cannot be understood"), //
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such thing"), //
    PLAN_EXISTS(HttpStatus.CONFLICT, "There is a plan of this name"), //
    NAME_DIFFERS(HttpStatus.UNPROCESSABLE_CONTENT, "The plan has another name than the address"), //
    RUN_FINISHED(HttpStatus.CONFLICT, "The run is over"), //
    UNKNOWN_PLAN(HttpStatus.NOT_FOUND, "There is no such plan"), //
    WRONG_PHASE(HttpStatus.CONFLICT, "The run is in another phase"), //
    IMPOSSIBLE_SIZING(HttpStatus.UNPROCESSABLE_CONTENT, "No fleet of any size can do that"), //
    RUN_UNREADABLE(HttpStatus.CONFLICT, "What is stored of the run cannot be read"), //
    STORED_UNREADABLE(HttpStatus.CONFLICT, "What is stored of it cannot be read"), //
    DETAILS_REMOVED(HttpStatus.GONE, "The run's journal and windows were removed"), //
    PLAN_CHANGED(HttpStatus.PRECONDITION_FAILED, "The plan is not the one that If-Match names"), //
    ENCODED_BODY(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body is encoded"), //
    OWNED_BY_FOLDER(HttpStatus.CONFLICT, "It comes from the plan folder or from Kubernetes"), //
    CALENDAR_IN_USE(HttpStatus.CONFLICT, "Plans need the calendar"), //
    INVALID_CALENDAR(HttpStatus.BAD_REQUEST, "The calendar cannot be relied on"), //
    DEPLOYMENT_CONFLICT(HttpStatus.CONFLICT, "The deployment was reported before with other content"), //
    CROSS_SITE(HttpStatus.FORBIDDEN, "Pages of other sites may not do this"), //
    TOO_MANY_FOLLOWERS(HttpStatus.SERVICE_UNAVAILABLE, "Too many streams are open"), //
    DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer"), //
    REQUEST_REFUSED(HttpStatus.BAD_REQUEST, "The request cannot be served"), //
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "It is not known who you are"), //
    FORBIDDEN(HttpStatus.FORBIDDEN, "Your role does not allow this"), //
    NOT_OWNER(HttpStatus.FORBIDDEN, "Another team owns it"), //
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"), //
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too long"), //
    BODY_TIMEOUT(HttpStatus.REQUEST_TIMEOUT, "The body came too slowly"), //
    BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many requests at once"), //
    UNKNOWN_TOKEN(HttpStatus.NOT_FOUND, "There is no such token"), //
    TOKEN_EXISTS(HttpStatus.CONFLICT, "There is a token of this name"), //
    NO_OWNER(HttpStatus.NOT_FOUND, "Nobody owns the service"), //
    AUDIT_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The audit log cannot be written"), //
    IDENTITY_PROVIDER_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The identity provider does not answer"), //
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The controller made a mistake");

    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class).build();

    private final HttpStatus status;

    private final String title;

    ProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    public HttpStatus status() {
        return status;
    }

    public String title() {
        return title;
    }

    public URI uri() {
        return uri(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** Returns a problem of this kind, with further members. */
    public ProblemDetail problem(String detail, Map<String, ?> members) {
        return problem(status, uri(), title, detail, members);
    }

    /** Returns a run that is not started. */
    public static ProblemDetail problem(RejectionReason reason, String detail, Map<String, ?> members) {
        return problem(HttpStatus.valueOf(reason.httpStatus()), uri(reason.wireName()), reason.title(), detail,
                members);
    }

    private static ProblemDetail problem(HttpStatus status, URI type, String title, String detail,
            Map<String, ?> members) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(type);
        problem.setTitle(title);
        members.forEach(problem::setProperty);
        return problem;
    }

    /** Writes a problem as JSON, where no message converter is at hand. */
    public static String json(ProblemDetail problem) {
        return JSON.writeValueAsString(problem);
    }

    static URI uri(String wireName) {
        return URI.create("https://redliner.io/problems/" + wireName);
    }
}
