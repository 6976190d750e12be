// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.service.security.ApiTokenService;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** API tokens, for admins. */
@RestController
@RequestMapping("/api/v1/tokens")
class ApiTokenResource {

    private final ApiTokenService tokens;

    private final Permissions permissions;

    ApiTokenResource(ApiTokenService tokens, Permissions permissions) {
        this.tokens = tokens;
        this.permissions = permissions;
    }

    /** A token; {@code token} is its text, only in the answer to the request that made it. */
    record TokenView(String name, String role, Set<String> teams, String createdBy, Instant createdAt,
            Instant expiresAt, boolean expired, @Nullable Instant lastUsedAt, @Nullable String token) {}

    @GetMapping
    Page<TokenView> list() {
        return Page.whole(tokens.list().stream().map(token -> view(token, null)).toList());
    }

    @PostMapping
    ResponseEntity<TokenView> create(InputStream body) throws InvalidPlanException {
        ApiTokenRequest request = ApiTokenRequest.read(RequestBodyReader.read(body));
        ApiTokenService.Created created = tokens.create(request.name(),
                Role.of(request.role()).orElseThrow(() -> new IllegalStateException("the role was checked")),
                request.teams(), request.expiresAt(), permissions.caller());
        return ResponseEntity.created(URI.create("/api/v1/tokens/" + request.name()))
                .body(view(created.token(), created.text()));
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> revoke(@PathVariable String name) {
        tokens.revoke(name, permissions.caller());
        return ResponseEntity.noContent().build();
    }

    private TokenView view(ApiToken token, @Nullable String text) {
        return new TokenView(token.name(), token.role().wireName(), new TreeSet<>(token.teams()), token.createdBy(),
                token.createdAt(), token.expiresAt(), tokens.expired(token), token.lastUsedAt(), text);
    }
}
