// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.security.Caller;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the audit log. Each request is written before it is carried out, and its outcome afterwards. No entry is ever changed.
 */
public final class AuditRepository {

    private final JdbcClient jdbc;

    public AuditRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A request, with its caller and the address that it came from. */
    public record AuditedRequest(Instant at, Caller caller, String address, String method, String resource) {}

    /** The outcome of a request. */
    public record Outcome(Instant at, int status, @Nullable String service, @Nullable String run,
            @Nullable String reason) {}

    /** Selects entries; null selects all. {@code before} is an id: only entries with smaller ids are selected. */
    public record Filter(@Nullable String service, @Nullable String actor, @Nullable Instant since,
            @Nullable Long before,
            int limit) {}

    public long begin(AuditedRequest entry) {
        return Objects.requireNonNull(jdbc.sql("""
                INSERT INTO audit_entry (at, actor, kind, address, method, resource)
                VALUES (:at, :actor, :kind, :address, :method, :resource) RETURNING id""")
                .param("at", SqlTimestamps.sql(entry.at()))
                .param("actor", entry.caller().name())
                .param("kind", entry.caller().kind().wireName())
                .param("address", entry.address())
                .param("method", entry.method())
                .param("resource", entry.resource())
                .query(Long.class)
                .single());
    }

    public void end(long id, Outcome outcome) {
        jdbc.sql("""
                INSERT INTO audit_outcome (entry_id, at, status, service, run_id, reason)
                VALUES (:id, :at, :status, :service, :run, :reason)""")
                .param("id", id)
                .param("at", SqlTimestamps.sql(outcome.at()))
                .param("status", outcome.status())
                .param("service", outcome.service())
                .param("run", outcome.run())
                .param("reason", outcome.reason())
                .update();
    }

    /** Returns the selected entries, newest first. */
    public List<Entry> list(Filter filter) {
        String wanted = (filter.service() == null ? "" : " AND service = :service")
                + (filter.actor() == null ? "" : " AND actor = :actor")
                + (filter.since() == null ? "" : " AND audit_entry.at >= :since")
                + (filter.before() == null ? "" : " AND id < :before");
        return jdbc.sql("""
                SELECT id, audit_entry.at, actor, kind, address, method, resource, status, service, run_id, reason
                FROM audit_entry LEFT JOIN audit_outcome ON entry_id = id
                WHERE true""" + wanted + " ORDER BY id DESC LIMIT :limit")
                .param("service", filter.service())
                .param("actor", filter.actor())
                .param("since", filter.since() == null ? null : SqlTimestamps.sql(filter.since()))
                .param("before", filter.before())
                .param("limit", filter.limit())
                .query(AuditRepository::entry)
                .list();
    }

    private static Entry entry(ResultSet row, int number) throws SQLException {
        return new Entry(row.getLong("id"), SqlTimestamps.read(row, "at"),
                row.getString("actor"), row.getString("kind"), row.getString("address"), row.getString("method"),
                row.getString("resource"), row.getObject("status", Integer.class), row.getString("service"),
                row.getString("run_id"), row.getString("reason"));
    }

    /**
     * One request that was to change something.
     *
     * @param actor who, and {@code kind} how that is known
     * @param resource path without the query
     * @param status of the answer; absent when the outcome is unknown
     * @param reason the caller's reason, if one was given
     */
    public record Entry(long id, Instant at, String actor, String kind, String address, String method, String resource,
            @Nullable Integer status, @Nullable String service, @Nullable String run, @Nullable String reason) {}
}
