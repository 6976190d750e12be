// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.redliner.controller.core.security.ApiToken;
import io.redliner.controller.service.persistence.ApiTokenRepository;
import io.redliner.controller.service.persistence.EmergencyQueries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;

/**
 * Finds tokens by their hash, and keeps them for five seconds. A token that another controller revoked still works here
 * for that long. While the database does not answer, known tokens stay valid: a user who could abort a run still can, and
 * everything else needs the database anyway.
 */
final class ApiTokenCache {

    private static final Logger LOG = LoggerFactory.getLogger(ApiTokenCache.class);

    private static final Duration REMEMBERED = Duration.ofSeconds(5);

    private static final Duration USED_EVERY = Duration.ofMinutes(1);

    private static final int MOST = 10_000;

    private final Cache<String, Known> known = Caffeine.newBuilder().maximumSize(MOST).build();

    private final ApiTokenRepository store;

    private final InstantSource clock;

    ApiTokenCache(ApiTokenRepository store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    private record Known(ApiToken token, Instant askedAt) {}

    /** Whether a token can be found without the database. */
    boolean remembers(String hash) {
        return known.getIfPresent(hash) != null;
    }

    /**
     * The token with this hash, expired or not.
     *
     * @throws NestedRuntimeException when the database does not answer and nothing is remembered
     */
    Optional<ApiToken> find(String hash) {
        Instant now = clock.instant();
        Known before = known.getIfPresent(hash);
        if (before != null && now.isBefore(before.askedAt().plus(REMEMBERED))) {
            return Optional.of(before.token());
        }
        try {
            Optional<ApiToken> found = EmergencyQueries.run(() -> store.byHash(hash));
            found.ifPresentOrElse(token -> known.put(hash, new Known(token, now)), () -> known.invalidate(hash));
            found.ifPresent(token -> noteUse(token, now));
            return found;
        } catch (NestedRuntimeException unreachable) {
            if (before == null) {
                throw unreachable;
            }
            LOG.warn("token {} is taken for valid as before: the database does not answer", before.token().name());
            known.put(hash, new Known(before.token(), now));
            return Optional.of(before.token());
        }
    }

    private void noteUse(ApiToken token, Instant now) {
        Instant last = token.lastUsedAt();
        if (!token.expired(now) && (last == null || now.isAfter(last.plus(USED_EVERY)))) {
            EmergencyQueries.write(() -> store.used(token.id(), now));
        }
    }

    /** After a token was revoked. */
    void forget() {
        known.invalidateAll();
    }
}
