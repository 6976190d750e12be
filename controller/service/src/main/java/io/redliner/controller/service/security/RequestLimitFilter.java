// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Bounds what slow clients and a slow database can hold: no more than so many requests are served at once. Requests that stop runs
 * are always served and have a {@link StopBody}; health has places of its own.
 */
final class RequestLimitFilter extends OncePerRequestFilter {

    /** Fewer than the main port has threads. */
    private static final int AT_ONCE = 200;

    private static final int OPERATIONS_AT_ONCE = 16;

    private static final String OPERATIONS = "/actuator/";

    private final Semaphore free = new Semaphore(AT_ONCE);

    private final Semaphore freeForOperations = new Semaphore(OPERATIONS_AT_ONCE);

    private final Duration retryAfter;

    private final SecurityProblemWriter problemWriter;

    RequestLimitFilter(Duration retryAfter, SecurityProblemWriter problemWriter) {
        this.retryAfter = retryAfter;
        this.problemWriter = problemWriter;
    }

    /** Returns whether a body may follow the headers. */
    static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (AuthorizationRules.stops(request)) {
            chain.doFilter(request, response);
            return;
        }
        Semaphore places = request.getRequestURI().startsWith(OPERATIONS) ? freeForOperations : free;
        if (places.tryAcquire()) {
            try {
                chain.doFilter(request, response);
            } finally {
                places.release();
            }
        } else {
            problemWriter.busy(request, response, retryAfter, "as many requests as possible are being served");
        }
    }
}
