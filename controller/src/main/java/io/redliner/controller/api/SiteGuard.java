// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Says what browsers may do with the page, and keeps pages of other sites from starting or aborting runs: a browser adds
 * Origin to their requests, which then differs from the host.
 */
final class SiteGuard implements HandlerInterceptor {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        String origin = request.getHeader("Origin");
        if (origin != null && !READING.contains(request.getMethod()) && !sameHost(origin, request.getHeader("Host"))) {
            throw new ProblemException(ProblemType.CROSS_SITE, "origin " + origin + " is not this controller's");
        }
        return true;
    }

    private static boolean sameHost(String origin, @Nullable String host) {
        try {
            return URI.create(origin).getAuthority() != null
                    && URI.create(origin).getAuthority().equalsIgnoreCase(host);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
