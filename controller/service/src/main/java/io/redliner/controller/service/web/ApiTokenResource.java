// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlParser;
import io.redliner.controller.core.port.TimestampRange;
import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.service.security.ApiTokenService;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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
    ResponseEntity<TokenView> create(InputStream body) throws InvalidDocumentException {
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

    /**
     * A request for an API token.
     *
     * @param role {@code viewer}, {@code operator} or {@code admin}
     * @param expiresAt null when nothing is said of it
     */
    private record ApiTokenRequest(String name, String role, Set<String> teams, @Nullable Instant expiresAt) {

        private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

        private static final Set<String> ROLES = Set.of("viewer", "operator", "admin");

        private static final int MAX_TEAMS = 100;

        ApiTokenRequest {
            teams = Set.copyOf(teams);
        }

        /**
         * Reads the body of a request.
         *
         * @throws InvalidDocumentException with all mistakes
         */
        static ApiTokenRequest read(String text) throws InvalidDocumentException {
            return NodeReader.read(YamlParser.read(text), fields -> {
                String name = fields.required("name", ApiTokenRequest::name);
                String role = fields.required("role", ApiTokenRequest::role);
                Set<String> teams = new HashSet<>(
                        fields.convert(fields.list("teams", false), ServiceOwnerRequestReader::team));
                Instant expiresAt = fields.optional("expiresAt", TimestampRange::parse);
                if (teams.size() > MAX_TEAMS) {
                    fields.mistake("has more than " + MAX_TEAMS + " teams");
                }
                return fields
                        .make(() -> new ApiTokenRequest(requireNonNull(name), requireNonNull(role), teams, expiresAt));
            });
        }

        private static String name(String text) {
            if (!NAME.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "is no name; use 1 to 63 lower-case letters, digits, dots, dashes and underscores");
            }
            return text;
        }

        private static String role(String text) {
            if (!ROLES.contains(text)) {
                throw new IllegalArgumentException("is no role; use viewer, operator or admin");
            }
            return text;
        }
    }
}
