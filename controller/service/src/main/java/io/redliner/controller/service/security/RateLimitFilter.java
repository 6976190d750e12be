// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Caller;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/** Limits the requests of each caller, or of each address when it is not known who calls. A stream counts once. */
final class RateLimitFilter extends OncePerRequestFilter {

    private final RateLimiter limiter;

    private final SecurityProblemWriter problemWriter;

    RateLimitFilter(RateLimiter limiter, SecurityProblemWriter problemWriter) {
        this.limiter = limiter;
        this.problemWriter = problemWriter;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Caller caller = OwnershipPermissions.current();
        boolean known = caller.kind() != Caller.Kind.ANONYMOUS;
        Optional<Duration> retryAfter = known && AuthorizationRules.stops(request)
                ? Optional.empty()
                : limiter.take(known ? caller.key() : "address:" + ClientAddress.limited(request));
        if (retryAfter.isPresent()) {
            problemWriter.wait(request, response, retryAfter.get(), "slow down");
        } else {
            chain.doFilter(request, response);
        }
    }
}
