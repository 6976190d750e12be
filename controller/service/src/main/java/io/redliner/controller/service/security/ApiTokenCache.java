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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
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

    private static final Duration HASHES_EVERY = Duration.ofMillis(100);

    private static final int MAX_TOKENS = 10_000;

    private final Cache<String, Known> known = Caffeine.newBuilder().maximumSize(MAX_TOKENS).build();

    private final AtomicReference<@Nullable Hashes> hashes = new AtomicReference<>();

    private final Lock reading = new ReentrantLock();

    private final ApiTokenRepository tokens;

    private final InstantSource clock;

    ApiTokenCache(ApiTokenRepository tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    /** The hashes of all tokens, as they were at some time. */
    private record Hashes(Set<String> all, Instant readAt) {}

    private record Known(ApiToken token, Instant askedAt) {}

    /** Returns true when the token can be found without the database. */
    boolean remembers(String hash) {
        return known.getIfPresent(hash) != null;
    }

    /**
     * Returns true when there is a token with this hash. However many ask, the database gets one query in 100 ms, so that a
     * client which guesses tokens cannot keep it busy.
     */
    boolean exists(String hash) {
        if (stale(hashes.get())) {
            readHashes();
        }
        Hashes read = hashes.get();
        return read != null && read.all().contains(hash);
    }

    private boolean stale(@Nullable Hashes hashes) {
        return hashes == null || !clock.instant().isBefore(hashes.readAt().plus(HASHES_EVERY));
    }

    private void readHashes() {
        boolean locked = false;
        try {
            locked = reading.tryLock(HASHES_EVERY.toMillis(), TimeUnit.MILLISECONDS);
            if (locked && stale(hashes.get())) {
                Instant now = clock.instant();
                hashes.set(new Hashes(EmergencyQueries.run(tokens::hashes), now));
            }
        } catch (NestedRuntimeException unreachable) {
            LOG.warn("tokens are looked for among those of a while ago: the database does not answer");
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            if (locked) {
                reading.unlock();
            }
        }
    }

    /**
     * Returns the token with this hash, expired or not.
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
            Optional<ApiToken> found = EmergencyQueries.run(() -> tokens.byHash(hash));
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
            EmergencyQueries.write(() -> tokens.used(token.id(), now));
        }
    }

    /** Forgets all tokens, after one was revoked. */
    void forget() {
        known.invalidateAll();
    }
}
