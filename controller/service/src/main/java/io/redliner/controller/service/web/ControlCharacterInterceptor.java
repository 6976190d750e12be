// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.PlainText;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Refuses control and format characters in everything that is looked up or stored: the database cannot hold all of them, and
 * people cannot see them.
 */
final class ControlCharacterInterceptor implements HandlerInterceptor {

    private static final List<String> HEADERS = List.of("Idempotency-Key", "Last-Event-ID");

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables) {
            variables.forEach((name, value) -> require(String.valueOf(name), String.valueOf(value)));
        }
        request.getParameterMap().forEach((name, values) -> {
            for (String value : values) {
                require(name, value);
            }
        });
        for (String header : HEADERS) {
            String value = request.getHeader(header);
            if (value != null) {
                require(header, value);
            }
        }
        return true;
    }

    /** @throws ProblemException when the text has a control or format character */
    static void require(String field, String text) {
        if (!PlainText.line(text)) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    field + " has a control or format character in it")
                    .with("field", field);
        }
    }
}
