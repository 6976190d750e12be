// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.service.security.AccessProperties;
import io.redliner.controller.service.security.AccessProperties.Mode;
import io.redliner.controller.service.security.BearerTokenConverter;
import io.redliner.controller.service.security.Permissions;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The caller of a request, and for browsers a cookie with the token: an event stream cannot send a header. */
@RestController
@RequestMapping("/api/v1")
public class WhoAmIResource {

    private final Permissions permissions;

    private final AccessProperties properties;

    private final ControllerWebServerFactory webServerFactory;

    private final DefaultBearerTokenResolver header = new DefaultBearerTokenResolver();

    WhoAmIResource(Permissions permissions, AccessProperties properties, ControllerWebServerFactory webServerFactory) {
        this.webServerFactory = webServerFactory;
        this.permissions = permissions;
        this.properties = properties;
    }

    /**
     * The caller; without a role there is nothing he may do.
     *
     * @param emergencyPort of this controller, which serves aborts and the kill switch alone
     */
    record CallerView(String name, String kind, @Nullable String role, Set<String> teams, String mode,
            int emergencyPort) {}

    @GetMapping("/whoami")
    CallerView whoAmI() {
        Caller caller = permissions.caller();
        Role role = caller.role();
        return new CallerView(caller.name(), caller.kind().wireName(), role == null ? null : role.wireName(),
                new TreeSet<>(caller.teams()), properties.mode().name().toLowerCase(Locale.ROOT),
                webServerFactory.emergencyPort());
    }

    /** Stores the token of the header Authorization in a cookie that scripts cannot read and other sites cannot send. */
    @PostMapping("/session")
    ResponseEntity<Void> signIn(HttpServletRequest request) {
        String token = properties.mode() == Mode.OPEN ? null : header.resolve(request);
        ResponseEntity.HeadersBuilder<?> answer = ResponseEntity.noContent();
        return (token == null
                ? answer
                : answer.header(HttpHeaders.SET_COOKIE, BearerTokenConverter.cookie(token, request, null))).build();
    }

    @DeleteMapping("/session")
    ResponseEntity<Void> signOut(HttpServletRequest request) {
        return ResponseEntity.noContent()
                .header(HttpHeaders.SET_COOKIE, BearerTokenConverter.cookie("", request, Duration.ZERO))
                .build();
    }
}
