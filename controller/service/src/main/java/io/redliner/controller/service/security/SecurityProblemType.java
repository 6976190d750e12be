// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** The kinds of refusal of this package. Their URIs are stable; the texts beside them are not. */
public enum SecurityProblemType {

    /** Nobody said who he is, or it is not true. */
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "It is not known who you are"),
    /** The caller's role is not enough. */
    FORBIDDEN(HttpStatus.FORBIDDEN, "Your role does not allow this"),
    /** The caller is of no team that owns the service. */
    NOT_OWNER(HttpStatus.FORBIDDEN, "Another team owns the service"),
    /** A browser asks on behalf of a page that is not ours. */
    CROSS_SITE(HttpStatus.FORBIDDEN, "Pages of other sites may not do this"),
    /** Comes with Retry-After. */
    TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS, "Too many requests"),
    /** The address, the method or the body is none. */
    REQUEST_REFUSED(HttpStatus.BAD_REQUEST, "The request cannot be served"),
    /** It is longer than any document that is taken. */
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too long"),
    /** It did not arrive in time as a whole. */
    BODY_TIMEOUT(HttpStatus.REQUEST_TIMEOUT, "The body came too slowly"),
    /** Comes with Retry-After. */
    TOO_MANY_BODIES(HttpStatus.SERVICE_UNAVAILABLE, "Too many requests with a body at once"),
    /** Names the field. */
    INVALID_PARAMETER(HttpStatus.BAD_REQUEST, "A parameter cannot be understood"),
    /** It may have been revoked. */
    UNKNOWN_TOKEN(HttpStatus.NOT_FOUND, "There is no such token"),
    /** It may have expired. */
    TOKEN_EXISTS(HttpStatus.CONFLICT, "There is a token of this name"),
    /** Any operator may operate the service. */
    NO_OWNER(HttpStatus.NOT_FOUND, "Nobody owns the service"),
    /** A token cannot be looked up. */
    DATABASE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer"),
    /** Nothing was changed. */
    AUDIT_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The audit log cannot be written"),
    /** A token cannot be verified. */
    IDENTITY_PROVIDER_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The identity provider does not answer");

    private final HttpStatus status;

    private final String title;

    SecurityProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    HttpStatus status() {
        return status;
    }

    private String uri() {
        return "https://redliner.io/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    ProblemDetail detail(String detail, Map<String, ?> more) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create(uri()));
        problem.setTitle(title);
        more.forEach(problem::setProperty);
        return problem;
    }

    /** The members of the answer, for where no message converter is at hand. */
    Map<String, Object> members(String detail, String instance) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", uri());
        members.put("title", title);
        members.put("status", status.value());
        members.put("detail", detail);
        members.put("instance", instance);
        return members;
    }
}
