// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.service.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.springframework.core.NestedRuntimeException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.security.web.firewall.RequestRejectedHandler;

/** Answers requests that are refused before they reach a resource, with a problem, and writes them to the audit log. */
final class SecurityProblemWriter
        implements
            AuthenticationEntryPoint,
            AuthenticationFailureHandler,
            AccessDeniedHandler,
            RequestRejectedHandler {

    private final SecurityHeaderWriter headers = new SecurityHeaderWriter();

    private final AuditLog audit;

    private final RateLimiter failureLimiter;

    private final OidcProperties oidc;

    SecurityProblemWriter(AuditLog audit, RateLimiter failureLimiter, OidcProperties oidc) {
        this.oidc = oidc;
        this.audit = audit;
        this.failureLimiter = failureLimiter;
    }

    /** Answers a request without a token. */
    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
            throws IOException {
        unauthenticated(request, response, "send a token: Authorization: Bearer <token>");
    }

    /** Answers a request whose token is not valid or cannot be checked. */
    @Override
    public void onAuthenticationFailure(HttpServletRequest request, HttpServletResponse response,
            AuthenticationException failure) throws IOException {
        if (failure instanceof TooManyFailedSignInsException many) {
            wait(request, response, many.retryAfter(), "too many failed sign-ins from this address");
        } else if (failure instanceof AuthenticationServiceException) {
            boolean database = failure.getCause() instanceof NestedRuntimeException;
            refuse(request, response, database
                    ? ProblemType.DATABASE_UNAVAILABLE
                    : ProblemType.IDENTITY_PROVIDER_UNAVAILABLE,
                    "your token cannot be checked; try again later");
        } else {
            Duration retryAfter = failureLimiter.take(ClientAddress.limited(request)).orElse(null);
            if (request.getHeader(HttpHeaders.AUTHORIZATION) == null) {
                // The token came in a cookie. The cookie is deleted, or the page would send it again with each request.
                response.addHeader(HttpHeaders.SET_COOKIE, BearerTokenConverter.cookie("", request, Duration.ZERO));
            }
            if (retryAfter == null) {
                unauthenticated(request, response, "the token is not valid");
            } else {
                wait(request, response, retryAfter, "too many failed sign-ins from this address");
            }
        }
    }

    private void unauthenticated(HttpServletRequest request, HttpServletResponse response, String detail)
            throws IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"redliner\"");
        if (HtmlRequestMatcher.wantPage(request)) {
            // Its page lets people sign in.
            int status = ProblemType.UNAUTHENTICATED.status().value();
            audit.refused(request, status);
            response.sendError(status);
        } else {
            refuse(request, response, ProblemType.UNAUTHENTICATED, detail);
        }
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        Caller caller = OwnershipPermissions.current();
        Role role = caller.role();
        String none = caller.kind() == Caller.Kind.OIDC ? ": " + oidc.withoutRole() : "";
        refuse(request, response, ProblemType.FORBIDDEN, role == null
                ? "you have no role here" + none
                : "the role " + role.wireName() + " is not enough");
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, RequestRejectedException rejected)
            throws IOException {
        // It did not come as far as the filter that writes them.
        headers.writeHeaders(request, response);
        if (HtmlRequestMatcher.wantPage(request)) {
            response.sendError(HttpStatus.NOT_FOUND.value());
        } else {
            answer(request, response, ProblemType.REQUEST_REFUSED, "the address or the method is not understood");
        }
    }

    /** Answers 429 with the header {@code Retry-After}. */
    void wait(HttpServletRequest request, HttpServletResponse response, Duration retryAfter, String detail)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.plusMillis(999).toSeconds()));
        refuse(request, response, ProblemType.TOO_MANY_REQUESTS, detail);
    }

    /** Answers 503 with the header {@code Retry-After}, and leaves the audit log alone. */
    void busy(HttpServletRequest request, HttpServletResponse response, Duration retryAfter, String detail)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds() + 1));
        answer(request, response, ProblemType.BUSY, detail);
    }

    void refuse(HttpServletRequest request, HttpServletResponse response, ProblemType problem, String detail)
            throws IOException {
        audit.refused(request, problem.status().value());
        answer(request, response, problem, detail);
    }

    /** Answers with a problem, and leaves the audit log alone. */
    void answer(HttpServletRequest request, HttpServletResponse response, ProblemType problem, String detail)
            throws IOException {
        // Else a client could send many requests at once, and each would be refused in turn by the same thread.
        response.setHeader(HttpHeaders.CONNECTION, "close");
        response.setStatus(problem.status().value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        String body = ProblemType.json(problem.problem(detail, Map.of("instance", request.getRequestURI())));
        response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
}
