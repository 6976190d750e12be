// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(type.status(), detail);
        problem.setType(type.uri());
        problem.setTitle(type.title());
        properties.forEach(problem::setProperty);
        return problem;
    }
}
