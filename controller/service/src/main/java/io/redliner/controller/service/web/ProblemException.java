// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.safety.RejectionReason;
import java.io.Serial;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** Ends a request with a problem of a known kind. */
public final class ProblemException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ProblemType type;

    private final transient Map<String, Object> properties = new LinkedHashMap<>();

    /**
     * A problem.
     *
     * @param detail one sentence for people
     */
    public ProblemException(ProblemType type, String detail) {
        super(detail);
        this.type = type;
    }

    /** Adds a member to the problem; null adds nothing. */
    public ProblemException with(String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value);
        }
        return this;
    }

    ProblemDetail problem() {
        return problem(type, String.valueOf(getMessage()), properties);
    }

    static ProblemDetail problem(ProblemType type, String detail, Map<String, ?> properties) {
        return problem(type.status(), type.uri(), type.title(), detail, properties);
    }

    static ProblemDetail problem(RejectionReason reason, String detail, Map<String, ?> properties) {
        return problem(HttpStatus.valueOf(reason.httpStatus()), ProblemType.uri(reason.wireName()), reason.title(),
                detail, properties);
    }

    private static ProblemDetail problem(HttpStatus status, URI type, String title, String detail,
            Map<String, ?> properties) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(type);
        problem.setTitle(title);
        properties.forEach(problem::setProperty);
        return problem;
    }
}
