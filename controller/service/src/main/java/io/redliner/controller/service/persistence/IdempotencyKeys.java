// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.safety.RunRejectedException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The uses of idempotency keys. Runs and series share the keys: each key belongs to one run or one series. */
public final class IdempotencyKeys {

    private static final List<String> RESERVED = List.of("schedule/", "deployment/", "series/", "kubernetes/");

    private final JdbcClient jdbc;

    public IdempotencyKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns true for keys that RedLiner makes itself, for firings and the runs of series: users may not use them. */
    public static boolean reserved(String key) {
        return RESERVED.stream().anyMatch(key::startsWith);
    }

    /** The kind of thing that a key belongs to. */
    public enum Owner {
        RUN("run_id", "run"), SERIES("series_id", "series");

        private final String column;

        private final String word;

        Owner(String column, String word) {
            this.column = column;
            this.word = word;
        }
    }

    /** The run or series that was started with a key, and the hash of the request's body. */
    public record Use(String bodyHash, Owner owner, String id) {

        /**
         * Requires that a request with a known key repeats the first one.
         *
         * @throws RunRejectedException when its body differs
         */
        public void requireBody(String key, String hash) {
            if (!bodyHash.equals(hash)) {
                throw conflict(key);
            }
        }

        private RunRejectedException conflict(String key) {
            return RunRejectedException.keyUsed(key, owner.word, id);
        }
    }

    /**
     * Returns the run or the series that a key was used for; empty without a key, and for a new one.
     *
     * @throws RunRejectedException when it was used with another body, or for the other of the two
     */
    public Optional<String> find(Owner owner, @Nullable String key, String bodyHash) {
        if (key == null) {
            return Optional.empty();
        }
        Optional<Use> use = find(key);
        if (use.isPresent()) {
            use.get().requireBody(key, bodyHash);
            if (use.get().owner() != owner) {
                throw use.get().conflict(key);
            }
        }
        return use.map(Use::id);
    }

    /** Returns the use of a key; empty for a new key. */
    public Optional<Use> find(String key) {
        return jdbc.sql("SELECT body_hash, run_id, series_id FROM idempotency_key WHERE key = :key")
                .param("key", key)
                .query((row, number) -> row.getString("run_id") != null
                        ? new Use(row.getString("body_hash"), Owner.RUN, row.getString("run_id"))
                        : new Use(row.getString("body_hash"), Owner.SERIES, row.getString("series_id")))
                .optional();
    }

    /**
     * Stores a key, in the transaction that stores the run or series of its request.
     *
     * @throws org.springframework.dao.DuplicateKeyException when the key is in use
     */
    public void add(Owner owner, String key, String bodyHash, String id, Instant at) {
        jdbc.sql("INSERT INTO idempotency_key (key, body_hash, " + owner.column
                + ", created_at) VALUES (:key, :hash, :id, :at)")
                .param("key", key)
                .param("hash", bodyHash)
                .param("id", id)
                .param("at", SqlTimestamps.sql(at))
                .update();
    }
}
