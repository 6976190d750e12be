// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.service.problem.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Keeps pages of other sites from using a browser that can reach the controller. A browser says where a request comes from, in
 * Sec-Fetch-Site and Origin; programs send neither and are let through. In open mode the address has to name this machine too: else
 * a site could give its own name our address, and be of one origin with us.
 */
final class CrossSiteRequestFilter extends OncePerRequestFilter {

    private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

    private final boolean open;

    private final SecurityProblemWriter problemWriter;

    CrossSiteRequestFilter(boolean open, SecurityProblemWriter problemWriter) {
        this.open = open;
        this.problemWriter = problemWriter;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String reason = refusal(request);
        if (reason == null) {
            chain.doFilter(request, response);
        } else {
            problemWriter.refuse(request, response, ProblemType.CROSS_SITE, reason);
        }
    }

    private @Nullable String refusal(HttpServletRequest request) {
        if (open && !thisMachine(request.getServerName())) {
            return "while no authentication is configured, the address has to be localhost or a loopback address";
        }
        if (AuthorizationRules.reads(request)) {
            return null;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && OTHER_SITES.contains(site.toLowerCase(Locale.ROOT))) {
            return "the request comes from a page of another site";
        }
        String origin = request.getHeader("Origin");
        return origin == null || sameHost(origin, request.getHeader("Host"))
                ? null
                : "the request comes from a page that is not this controller's";
    }

    private static boolean thisMachine(String name) {
        String bare = name.toLowerCase(Locale.ROOT).replace("[", "").replace("]", "");
        return bare.equals("localhost") || bare.endsWith(".localhost") || ClientAddress.loopback(bare);
    }

    private static boolean sameHost(String origin, @Nullable String host) {
        try {
            String authority = URI.create(origin).getAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
