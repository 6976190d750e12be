// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives out API tokens and takes them back. */
public final class TokenService {

    private final TokenStore store;

    private final TokenDirectory directory;

    private final AccessProperties properties;

    private final SecureRandom random;

    private final InstantSource clock;

    TokenService(TokenStore store, TokenDirectory directory, AccessProperties properties, SecureRandom random,
            InstantSource clock) {
        this.store = store;
        this.directory = directory;
        this.properties = properties;
        this.random = random;
        this.clock = clock;
    }

    /** A new token with its text, which is nowhere else and never shown again. */
    public record Created(ApiToken token, String text) {}

    public List<ApiToken> list() {
        return store.list();
    }

    public boolean expired(ApiToken token) {
        return token.expired(clock.instant());
    }

    /**
     * A new token.
     *
     * @param expiresAt null for the lifetime that the settings give
     * @throws AccessRefusedException when the name is taken or the expiry is not one
     */
    public Created create(String name, Role role, Set<String> teams, @Nullable Instant expiresAt, Caller by) {
        Instant now = clock.instant();
        Instant expires = expiresAt == null ? now.plus(properties.tokenLifetime()) : expiresAt;
        if (!expires.isAfter(now) || expires.isAfter(now.plus(properties.longestTokenLifetime()))) {
            throw new AccessRefusedException(AccessProblem.INVALID_PARAMETER, "expiresAt is in the future, and at most "
                    + properties.longestTokenLifetime().toDays() + " days away").with("field", "$.expiresAt");
        }
        String text = TokenText.random(random);
        if (!store.create(new TokenStore.NewToken(name, role, teams, by.key(), now, expires), TokenText.hash(text))) {
            throw new AccessRefusedException(AccessProblem.TOKEN_EXISTS,
                    "there is a token " + name + "; delete it to give a new one its name").with("field", "$.name");
        }
        return new Created(store.byName(name).orElseThrow(() -> unknown(name)), text);
    }

    /**
     * Ends a token; it is refused from now on.
     *
     * @throws AccessRefusedException when there is none of this name
     */
    public void revoke(String name, Caller by) {
        if (!store.revoke(name, by.key(), clock.instant())) {
            throw unknown(name);
        }
        directory.forget();
    }

    private static AccessRefusedException unknown(String name) {
        return new AccessRefusedException(AccessProblem.UNKNOWN_TOKEN, "there is no token " + name);
    }
}
