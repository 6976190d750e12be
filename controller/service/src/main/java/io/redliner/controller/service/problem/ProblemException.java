// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.problem;

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

    /** Returns the problem as the body of an answer. */
    public ProblemDetail problem() {
        return type.problem(String.valueOf(getMessage()), properties);
    }
}
