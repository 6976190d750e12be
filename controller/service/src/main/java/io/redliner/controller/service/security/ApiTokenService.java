// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Caller;
import io.redliner.controller.core.security.Role;
import io.redliner.controller.service.persistence.ApiTokenRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Issues API tokens and revokes them. */
public final class ApiTokenService {

    private final ApiTokenRepository tokens;

    private final ApiTokenCache cache;

    private final TokenProperties properties;

    private final SecureRandom random;

    private final InstantSource clock;

    ApiTokenService(ApiTokenRepository tokens, ApiTokenCache cache, TokenProperties properties, SecureRandom random,
            InstantSource clock) {
        this.tokens = tokens;
        this.cache = cache;
        this.properties = properties;
        this.random = random;
        this.clock = clock;
    }

    /** A new token with its text, which is nowhere else and never shown again. */
    public record Created(ApiToken token, String text) {}

    public List<ApiToken> list() {
        return tokens.list();
    }

    public boolean expired(ApiToken token) {
        return token.expired(clock.instant());
    }

    /**
     * Returns a new token.
     *
     * @param expiresAt null for the lifetime that the settings give
     * @throws ProblemException when the name is taken or the expiry is not one
     */
    public Created create(String name, Role role, Set<String> teams, @Nullable Instant expiresAt, Caller caller) {
        Instant now = clock.instant();
        Instant expires = expiresAt == null ? now.plus(properties.tokenLifetime()) : expiresAt;
        if (!expires.isAfter(now) || expires.isAfter(now.plus(properties.longestTokenLifetime()))) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER,
                    "expiresAt is in the future, and at most "
                            + properties.longestTokenLifetime().toDays() + " days away")
                    .with("field", "$.expiresAt");
        }
        String text = ApiTokenFormat.random(random);
        if (!tokens.create(new ApiTokenRepository.NewToken(name, role, teams, caller.key(), now, expires),
                ApiTokenFormat.hash(text))) {
            throw new ProblemException(ProblemType.TOKEN_EXISTS,
                    "there is a token " + name + "; delete it to give a new one its name").with("field", "$.name");
        }
        return new Created(tokens.byName(name).orElseThrow(() -> unknown(name)), text);
    }

    /**
     * Ends a token; it is refused from now on.
     *
     * @throws ProblemException when there is none of this name
     */
    public void revoke(String name, Caller caller) {
        if (!tokens.revoke(name, caller.key(), clock.instant())) {
            throw unknown(name);
        }
        cache.forget();
    }

    private static ProblemException unknown(String name) {
        return new ProblemException(ProblemType.UNKNOWN_TOKEN, "there is no token " + name);
    }
}
