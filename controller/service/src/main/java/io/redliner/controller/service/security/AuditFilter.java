// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.service.problem.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Writes the audit log. An entry is written before its change, and the request is refused when the entry cannot be written.
 * Only an abort is done first and logged afterwards, as it has to work whatever is broken.
 */
final class AuditFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(AuditFilter.class);

    private static final int MISTAKE = 500;

    private final AuditLog log;

    private final SecurityProblemWriter problemWriter;

    AuditFilter(AuditLog log, SecurityProblemWriter problemWriter) {
        this.log = log;
        this.problemWriter = problemWriter;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (AuthorizationRules.stops(request)) {
            int status = MISTAKE;
            try {
                chain.doFilter(request, response);
                status = response.getStatus();
            } finally {
                log.writeInBackground(request, status);
            }
        } else if (AuthorizationRules.changes(request)) {
            audited(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void audited(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long id;
        try {
            id = log.begin(request);
        } catch (NestedRuntimeException unreachable) {
            LOG.error("a change was refused because the audit log cannot be written: {}", unreachable.getMessage());
            problemWriter.answer(request, response, ProblemType.AUDIT_UNAVAILABLE,
                    "nothing was changed; try again later");
            return;
        }
        int status = MISTAKE;
        try {
            chain.doFilter(request, response);
            status = response.getStatus();
        } finally {
            log.end(id, request, status);
        }
    }
}
