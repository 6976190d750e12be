// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;

/**
 * The role that each request requires, by method and path. Unless a rule here says otherwise, a viewer may read, and an operator may
 * change: an operator may abort a run. Who owns the service is checked by {@link OwnershipPermissions}.
 */
public final class AuthorizationRules {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** Requests that compute, and change nothing. */
    private static final Set<String> COMPUTING = Set.of("/api/v1/plans:validate", "/api/v1/sizing");

    private static final Pattern ABORT = Pattern.compile("/api/v1/(?:runs|series)/.*:abort");

    private static final String[] PAGES = {"/", "/runs", "/runs/*", "/series/*", "/services", "/services/*", "/plans",
        "/plans:new",
        "/plans/*",
        "/schedules", "/notifications", "/kill-switch", "/audit", "/redliner.svg", "/favicon.ico", "/css/*", "/js/*",
        "/webjars/**"};

    private static final String SESSION = "/api/v1/session";

    private static final String KILL_SWITCH = "/api/v1/kill-switch";

    private static final String OWNER = "/api/v1/services/{service}/owner";

    private AuthorizationRules() {}

    static boolean reads(HttpServletRequest request) {
        return READING.contains(request.getMethod());
    }

    /** Returns true when the request is recorded in the audit log. */
    static boolean changes(HttpServletRequest request) {
        return !reads(request) && !COMPUTING.contains(request.getRequestURI());
    }

    /** Returns whether it aborts a run or engages the kill switch. Neither limits nor a missing database delay such a request. */
    public static boolean stops(HttpServletRequest request) {
        String path = request.getRequestURI();
        return request.getMethod().equals("POST")
                && (ABORT.matcher(path).matches() || path.equals(KILL_SWITCH));
    }

    static void apply(AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry rules) {
        String viewer = Role.VIEWER.name();
        String operator = Role.OPERATOR.name();
        String admin = Role.ADMIN.name();
        // Pages, scripts and styles hold no data.
        rules.requestMatchers(HttpMethod.GET, PAGES).permitAll();
        rules.requestMatchers(HttpMethod.DELETE, SESSION).permitAll();
        rules.requestMatchers(HttpMethod.GET, "/actuator/health", "/actuator/health/**").permitAll();
        rules.requestMatchers(HttpMethod.GET, "/actuator/prometheus")
                .access((caller, context) -> new AuthorizationDecision(ClientAddress.local(context.getRequest())
                        || caller.get().getAuthorities().stream().anyMatch(
                                authority -> String.valueOf(authority.getAuthority()).equals("ROLE_" + viewer))));
        rules.requestMatchers("/api/v1/whoami", SESSION).authenticated();
        rules.requestMatchers("/api/v1/tokens", "/api/v1/tokens/**", "/api/v1/audit", "/api/v1/audit/**")
                .hasRole(admin);
        rules.requestMatchers(HttpMethod.PUT, OWNER).hasRole(admin);
        rules.requestMatchers(HttpMethod.DELETE, OWNER, KILL_SWITCH, KILL_SWITCH + "/**").hasRole(admin);
        rules.requestMatchers(HttpMethod.POST, COMPUTING.toArray(String[]::new)).hasRole(viewer);
        for (String method : READING) {
            rules.requestMatchers(HttpMethod.valueOf(method), "/**").hasRole(viewer);
        }
        rules.anyRequest().hasRole(operator);
    }
}
