// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.series;

import io.redliner.controller.jdbc.RunJson;
import io.redliner.controller.port.IdempotencyConflictException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keeps series. Whoever changes one names the version that was read; nobody's change is lost under another's. */
final class SeriesStore {

    private static final String SELECT = """
            SELECT id, service, plan_name, plan_hash, plan, state, version, created_at, finished_at FROM series""";

    private final JdbcClient jdbc;

    private final RunJson json;

    SeriesStore(JdbcClient jdbc, RunJson json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** False when the idempotency key is taken. */
    boolean add(StoredSeries series, @Nullable String idempotencyKey, String bodyHash) {
        return jdbc.sql("""
                INSERT INTO series (id, service, plan_name, plan_hash, plan, state, version, created_at,
                                    idempotency_key, body_hash)
                VALUES (:id, :service, :planName, :planHash, CAST(:plan AS jsonb), CAST(:state AS jsonb), :version,
                        :createdAt, :key, :bodyHash)
                ON CONFLICT (idempotency_key) DO NOTHING""")
                .param("id", series.id())
                .param("service", series.service())
                .param("planName", series.planName())
                .param("planHash", series.planHash())
                .param("plan", series.plan())
                .param("state", json.write(series.state()))
                .param("version", series.version())
                .param("createdAt", sql(series.createdAt()))
                .param("key", idempotencyKey)
                .param("bodyHash", bodyHash)
                .update() == 1;
    }

    /** The series that was made with this key. */
    Optional<String> repeated(@Nullable String key, String bodyHash) throws IdempotencyConflictException {
        if (key == null) {
            return Optional.empty();
        }
        Optional<KeyUse> use = jdbc.sql("SELECT id, body_hash FROM series WHERE idempotency_key = :key")
                .param("key", key)
                .query((row, number) -> new KeyUse(row.getString("id"), row.getString("body_hash")))
                .optional();
        if (use.isPresent() && !use.get().bodyHash().equals(bodyHash)) {
            throw new IdempotencyConflictException(key, use.get().id());
        }
        return use.map(KeyUse::id);
    }

    private record KeyUse(String id, String bodyHash) {}

    /** False when somebody else changed it since it was read. */
    boolean change(StoredSeries before, StoredSeries after) {
        return jdbc.sql("""
                UPDATE series SET state = CAST(:state AS jsonb), version = :next, finished_at = :finishedAt
                WHERE id = :id AND version = :version""")
                .param("state", json.write(after.state()))
                .param("next", after.version())
                .param("finishedAt", after.finishedAt() == null ? null : sql(after.finishedAt()))
                .param("id", before.id())
                .param("version", before.version())
                .update() == 1;
    }

    Optional<StoredSeries> find(String id) {
        return jdbc.sql(SELECT + " WHERE id = :id").param("id", id).query(this::read).optional();
    }

    /** Those that are not over, oldest first. */
    List<StoredSeries> live() {
        return jdbc.sql(SELECT + " WHERE finished_at IS NULL ORDER BY created_at").query(this::read).list();
    }

    /** Newest first, after a place in that order. */
    List<StoredSeries> list(@Nullable Instant before, String beforeId, int limit) {
        return jdbc.sql(SELECT + """
                 WHERE CAST(:before AS timestamptz) IS NULL OR (created_at, id) < (:before, :beforeId)
                ORDER BY created_at DESC, id DESC LIMIT :limit""")
                .param("before", before == null ? null : sql(before))
                .param("beforeId", beforeId)
                .param("limit", limit)
                .query(this::read)
                .list();
    }

    private StoredSeries read(ResultSet row, int number) throws SQLException {
        OffsetDateTime finished = row.getObject("finished_at", OffsetDateTime.class);
        return new StoredSeries(row.getString("id"), row.getString("service"), row.getString("plan_name"),
                row.getString("plan_hash"), row.getString("plan"),
                json.read(row.getString("state"), SeriesState.class), row.getLong("version"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                finished == null ? null : finished.toInstant());
    }

    private static OffsetDateTime sql(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
