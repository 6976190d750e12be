// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks at messages, for people. Neither their content nor secret addresses are read. */
public final class NotificationQueries {

    private static final String SELECT = """
            SELECT id, run_id, service, trigger, kind, shown, state, attempts, created_at, due_at, settled_at, last_error
            FROM notification""";

    private final JdbcClient jdbc;

    public NotificationQueries(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The state of a message's delivery. */
    public enum State {
        WAITING, DELIVERED, DEAD
    }

    /**
     * A message as people see it.
     *
     * @param receiver name of the target, host, or mail addresses
     * @param nextAttemptAt absent unless it is waiting
     * @param settledAt when it was delivered or given up
     */
    public record View(String id, String runId, String service, String event, String kind, String receiver,
            String state, int attempts, Instant createdAt, @Nullable Instant nextAttemptAt, @Nullable Instant settledAt,
            @Nullable String lastError) {}

    /** The numbers of messages that are not delivered. */
    public record Counts(long waiting, long dead) {}

    /** Messages, newest first, from behind a place in that order. */
    public List<View> list(@Nullable State state, @Nullable Instant createdAt, @Nullable String id, int limit) {
        return jdbc.sql(SELECT + " WHERE true" + (state == null ? "" : " AND state = :state")
                + (createdAt == null ? "" : " AND (created_at, id) < (:createdAt, :id)")
                + " ORDER BY created_at DESC, id DESC LIMIT :limit")
                .param("state", state == null ? null : state.name())
                .param("createdAt", createdAt == null ? null : SqlTimestamps.sql(createdAt))
                .param("id", id)
                .param("limit", limit)
                .query(NotificationQueries::view)
                .list();
    }

    public Optional<View> find(String id) {
        return jdbc.sql(SELECT + " WHERE id = :id").param("id", id).query(NotificationQueries::view).optional();
    }

    public Counts counts() {
        return jdbc
                .sql("""
                        SELECT count(*) FILTER (WHERE state = 'WAITING') AS waiting, count(*) FILTER (WHERE state = 'DEAD') AS dead
                        FROM notification WHERE state IN ('WAITING', 'DEAD')""")
                .query((row, number) -> new Counts(row.getLong("waiting"), row.getLong("dead")))
                .single();
    }

    /** Returns the lateness of the oldest due delivery that no controller works on; zero when none is due. */
    public Duration oldestLateness(Instant now) {
        return ScheduledTaskRepository.oldestLateness(jdbc, ScheduledTaskRepository.DELIVERIES,
                List.of(ScheduledTaskRepository.DELIVERY), now);
    }

    /** A receiver that did not take a message, with its last error. */
    public record Unreached(String kind, String receiver, long waiting, long dead, String lastError) {}

    /** Receivers of what failed at least once and is not delivered, the newest failures first. */
    public List<Unreached> unreached(int limit) {
        return jdbc.sql("""
                SELECT kind, shown, count(*) FILTER (WHERE state = 'WAITING') AS waiting,
                    count(*) FILTER (WHERE state = 'DEAD') AS dead,
                    (array_agg(last_error ORDER BY due_at DESC))[1] AS last_error
                FROM notification WHERE state IN ('WAITING', 'DEAD') AND last_error IS NOT NULL
                GROUP BY kind, shown ORDER BY max(due_at) DESC LIMIT :limit""")
                .param("limit", limit)
                .query((row, number) -> new Unreached(word(row.getString("kind")), row.getString("shown"),
                        row.getLong("waiting"), row.getLong("dead"), row.getString("last_error")))
                .list();
    }

    private static View view(ResultSet row, int number) throws SQLException {
        String state = row.getString("state");
        return new View(row.getString("id"), row.getString("run_id"), row.getString("service"),
                word(row.getString("trigger")), word(row.getString("kind")), row.getString("shown"), word(state),
                row.getInt("attempts"), SqlTimestamps.read(row, "created_at"),
                state.equals(State.WAITING.name()) ? SqlTimestamps.read(row, "due_at") : null,
                SqlTimestamps.readIfAny(row, "settled_at"), row.getString("last_error"));
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
