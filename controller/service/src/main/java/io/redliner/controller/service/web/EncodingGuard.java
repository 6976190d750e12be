// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerInterceptor;

/** Refuses bodies with a Content-Encoding: nothing here decompresses, since a small body could become a huge one. */
final class EncodingGuard implements HandlerInterceptor {

    private static final String IDENTITY = "identity";

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String encoding = Collections.list(request.getHeaders(HttpHeaders.CONTENT_ENCODING)).stream()
                .collect(Collectors.joining(", "));
        if (Stream.of(encoding.split(",")).map(String::strip)
                .anyMatch(one -> !one.isEmpty() && !one.equalsIgnoreCase(IDENTITY))) {
            response.setHeader(HttpHeaders.ACCEPT_ENCODING, IDENTITY);
            throw new ProblemException(ProblemType.ENCODED_BODY, "bodies with Content-Encoding " + encoding
                    + " are not read: send the text itself, without Content-Encoding")
                    .with("field", HttpHeaders.CONTENT_ENCODING);
        }
        return true;
    }
}
