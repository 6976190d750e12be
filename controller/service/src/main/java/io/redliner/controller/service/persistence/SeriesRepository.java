// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.series.SeriesState;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.plan.CanonicalPlan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Keeps series. A change names the version that was read, so that no change overwrites another. */
public final class SeriesRepository {

    private static final String SELECT = """
            SELECT id, service, plan_name, plan_hash, plan, state, version, created_at, finished_at FROM series""";

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    private final IdempotencyKeys keys;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public SeriesRepository(JdbcClient jdbc, TransactionTemplate transaction, RunJsonMapper json,
            UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.keys = new IdempotencyKeys(jdbc);
        this.json = json;
        this.unreadable = unreadable;
    }

    /** A place in the order of series, newest first. */
    public record Position(Instant createdAt, String id) {}

    /** Adds a series. Returns false when the idempotency key is taken. */
    public boolean add(StoredSeries series, @Nullable String idempotencyKey, String bodyHash) {
        try {
            transaction.executeWithoutResult(status -> insert(series, idempotencyKey, bodyHash));
            return true;
        } catch (DuplicateKeyException taken) {
            return false;
        }
    }

    private void insert(StoredSeries series, @Nullable String idempotencyKey, String bodyHash) {
        jdbc.sql("""
                INSERT INTO series (id, service, plan_name, plan_hash, plan, state, version, created_at)
                VALUES (:id, :service, :planName, :planHash, CAST(:plan AS jsonb), CAST(:state AS jsonb), :version,
                        :createdAt)""")
                .param("id", series.id())
                .param("service", series.service())
                .param("planName", series.plan().name())
                .param("planHash", series.plan().hash())
                .param("plan", series.plan().json())
                .param("state", json.write(series.state()))
                .param("version", series.version())
                .param("createdAt", SqlTimestamps.sql(series.createdAt()))
                .update();
        if (idempotencyKey != null) {
            keys.add(IdempotencyKeys.Owner.SERIES, idempotencyKey, bodyHash, series.id(), series.createdAt());
        }
    }

    /** Returns the series that was made with this key. */
    public Optional<String> findByIdempotencyKey(@Nullable String key, String bodyHash) {
        return keys.find(IdempotencyKeys.Owner.SERIES, key, bodyHash);
    }

    /** Stores a changed series. Returns false when another process changed it since it was read. */
    public boolean change(StoredSeries before, StoredSeries after) {
        return jdbc.sql("""
                UPDATE series SET state = CAST(:state AS jsonb), version = :next, finished_at = :finishedAt
                WHERE id = :id AND version = :version""")
                .param("state", json.write(after.state()))
                .param("next", after.version())
                .param("finishedAt", after.finishedAt() == null ? null : SqlTimestamps.sql(after.finishedAt()))
                .param("id", before.id())
                .param("version", before.version())
                .update() == 1;
    }

    /**
     * Returns the series with this id; empty without one.
     *
     * @throws UnreadableRowException when its row cannot be read
     */
    public Optional<StoredSeries> find(String id) {
        return jdbc.sql(SELECT + " WHERE id = :id").param("id", id).query(Stored::of).optional()
                .map(row -> unreadable.require(UnreadableRows.Kind.SERIES, id, () -> read(row)));
    }

    /** Returns the newest series of a stored plan's versions since an instant; empty, too, when it cannot be read. */
    public Optional<StoredSeries> newestOfPlan(String plan, Instant since) {
        return jdbc.sql(SELECT + " WHERE plan_name = :plan AND created_at >= :since AND plan_hash IN"
                + " (SELECT stored.hash FROM plan_version stored WHERE stored.plan_name = :plan) ORDER BY created_at DESC, id DESC LIMIT 1")
                .param("plan", plan)
                .param("since", SqlTimestamps.sql(since))
                .query(Stored::of)
                .optional()
                .flatMap(row -> row(row).content());
    }

    /** Returns the series that are not over, oldest first, without those that cannot be read. */
    public List<StoredSeries> live() {
        return jdbc.sql(SELECT + " WHERE finished_at IS NULL ORDER BY created_at").query(Stored::of).list().stream()
                .flatMap(row -> row(row).content().stream()).toList();
    }

    /**
     * Series, newest first, after a place in that order, without those that cannot be read.
     *
     * @param over true for those that are over, false for those that are not; absent for all
     */
    public List<StoredSeries> list(@Nullable Position before, int limit, @Nullable Boolean over) {
        String wanted = over == null ? "" : over ? " AND finished_at IS NOT NULL" : " AND finished_at IS NULL";
        return Row.page(before, limit, (position, rows) -> rows(position, rows, wanted));
    }

    private List<Row<Position, StoredSeries>> rows(@Nullable Position before, int limit, String wanted) {
        return jdbc.sql(SELECT + """
                 WHERE (CAST(:before AS timestamptz) IS NULL OR (created_at, id) < (:before, :beforeId))%s
                ORDER BY created_at DESC, id DESC LIMIT :limit""".formatted(wanted))
                .param("before", before == null ? null : SqlTimestamps.sql(before.createdAt()))
                .param("beforeId", before == null ? "" : before.id())
                .param("limit", limit)
                .query(Stored::of)
                .list().stream()
                .map(this::row)
                .toList();
    }

    private Row<Position, StoredSeries> row(Stored row) {
        return new Row<>(new Position(row.createdAt(), row.id()),
                unreadable.read(UnreadableRows.Kind.SERIES, row.id(), () -> read(row)));
    }

    private StoredSeries read(Stored row) {
        return new StoredSeries(row.id(), row.service(), row.plan(),
                json.read(row.state(), SeriesState.class), row.version(), row.createdAt(), row.finishedAt());
    }

    /** A row whose state is still text. */
    private record Stored(String id, String service, CanonicalPlan plan, String state,
            long version, Instant createdAt, @Nullable Instant finishedAt) {

        static Stored of(ResultSet row, int number) throws SQLException {
            return new Stored(row.getString("id"), row.getString("service"),
                    new CanonicalPlan(row.getString("plan_name"), row.getString("plan_hash"), row.getString("plan")),
                    row.getString("state"), row.getLong("version"),
                    SqlTimestamps.read(row, "created_at"),
                    SqlTimestamps.readIfAny(row, "finished_at"));
        }
    }
}
