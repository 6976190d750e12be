// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.core.security.Caller;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedRuntimeException;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/** Authenticates callers by API token or bootstrap token; other credentials are left to the next provider. */
final class ApiTokenAuthenticationProvider implements AuthenticationProvider {

    private final BootstrapToken bootstrap;

    private final ApiTokenCache tokens;

    private final RateLimiter failureLimiter;

    private final InstantSource clock;

    ApiTokenAuthenticationProvider(BootstrapToken bootstrap, ApiTokenCache tokens, RateLimiter failureLimiter,
            InstantSource clock) {
        this.bootstrap = bootstrap;
        this.tokens = tokens;
        this.failureLimiter = failureLimiter;
        this.clock = clock;
    }

    @Override
    public @Nullable Authentication authenticate(Authentication given) {
        String text = ((BearerTokenAuthenticationToken) given).getToken();
        Caller admin = bootstrap.caller(text);
        if (admin != null) {
            return new CallerAuthenticationToken(admin);
        }
        return text.startsWith(ApiTokenFormat.PREFIX)
                ? new CallerAuthenticationToken(token(text, origin(given)))
                : null;
    }

    private static BearerTokenConverter.Origin origin(Authentication given) {
        return (BearerTokenConverter.Origin) Objects.requireNonNull(given.getDetails(), "the converter sets it");
    }

    private Caller token(String text, BearerTokenConverter.Origin origin) {
        if (!ApiTokenFormat.wellFormed(text)) {
            throw new BadCredentialsException("this is no token of RedLiner");
        }
        String hash = ApiTokenFormat.hash(text);
        if (!tokens.remembers(hash)) {
            // A client that guesses tokens must not keep the database busy. Clients with a known token are not limited.
            failureLimiter.exhausted(origin.address()).ifPresent(retryAfter -> {
                if (!origin.stops() || !tokens.exists(hash)) {
                    throw new TooManyFailedSignInsException(retryAfter);
                }
            });
        }
        Instant now = clock.instant();
        Optional<ApiToken> found;
        try {
            found = tokens.find(hash);
        } catch (NestedRuntimeException unreachable) {
            throw new AuthenticationServiceException("the database does not answer", unreachable);
        }
        ApiToken token = found.orElseThrow(() -> new BadCredentialsException("the token is unknown or revoked"));
        if (token.expired(now)) {
            throw new BadCredentialsException("the token has expired");
        }
        return token.caller();
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return BearerTokenAuthenticationToken.class.isAssignableFrom(authentication);
    }
}
