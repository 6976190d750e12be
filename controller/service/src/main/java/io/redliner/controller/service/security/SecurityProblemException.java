// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.ProblemDetail;

/** A request is refused; it becomes a problem of a stable type. */
public final class SecurityProblemException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final SecurityProblemType problem;

    private final transient Map<String, Object> members = new LinkedHashMap<>();

    public SecurityProblemException(SecurityProblemType problem, String detail) {
        super(detail);
        this.problem = problem;
    }

    public SecurityProblemException with(String name, Object value) {
        members.put(name, value);
        return this;
    }

    ProblemDetail detail() {
        return problem.detail(String.valueOf(getMessage()), members);
    }
}
