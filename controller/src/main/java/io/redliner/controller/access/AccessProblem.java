// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.access;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** The kinds of refusal of this package. Their URIs are stable; the texts beside them are not. */
enum AccessProblem {

    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "It is not known who you are"), FORBIDDEN(HttpStatus.FORBIDDEN,
            "Your role does not allow this"), NOT_OWNER(HttpStatus.FORBIDDEN,
                    "Another team owns the service"), CROSS_SITE(HttpStatus.FORBIDDEN,
                            "Pages of other sites may not do this"), TOO_MANY_REQUESTS(HttpStatus.TOO_MANY_REQUESTS,
                                    "Too many requests"), REQUEST_REFUSED(HttpStatus.BAD_REQUEST,
                                            "The request cannot be served"), INVALID_PARAMETER(HttpStatus.BAD_REQUEST,
                                                    "A parameter cannot be understood"), UNKNOWN_TOKEN(
                                                            HttpStatus.NOT_FOUND,
                                                            "There is no such token"), TOKEN_EXISTS(HttpStatus.CONFLICT,
                                                                    "There is a token of this name"), NO_OWNER(
                                                                            HttpStatus.NOT_FOUND,
                                                                            "Nobody owns the service"), DATABASE_UNAVAILABLE(
                                                                                    HttpStatus.SERVICE_UNAVAILABLE,
                                                                                    "The database does not answer"), AUDIT_UNAVAILABLE(
                                                                                            HttpStatus.SERVICE_UNAVAILABLE,
                                                                                            "The audit log cannot be written"), IDENTITY_PROVIDER_UNAVAILABLE(
                                                                                                    HttpStatus.SERVICE_UNAVAILABLE,
                                                                                                    "The identity provider does not answer");

    private final HttpStatus status;

    private final String title;

    AccessProblem(HttpStatus status, String title) {
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
