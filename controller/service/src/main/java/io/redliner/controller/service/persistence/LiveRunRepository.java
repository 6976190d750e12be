// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the live runs, for views that show all of them. */
public final class LiveRunRepository {

    private final JdbcClient jdbc;

    private final RunRowMapper rows;

    private final JudgedWindowRowMapper windows;

    public LiveRunRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.rows = new RunRowMapper(json, unreadable);
        this.windows = new JudgedWindowRowMapper(json, unreadable);
    }

    /** A live run with its newest window. */
    public record Live(StoredRun run, @Nullable JudgedWindow window) {}

    /** A run after which the traffic of its instance was measured, and was not natural. */
    public record Contradicted(String run, String service, String sut) {}

    /** Returns the versions of live runs by id, newest first. A version grows with each decision. */
    public Map<String, Long> versions(int limit) {
        Map<String, Long> versions = new LinkedHashMap<>();
        jdbc.sql("""
                SELECT id, version FROM run WHERE phase <> 'Finished'
                ORDER BY submitted_at DESC, id DESC LIMIT :limit""")
                .param("limit", limit)
                .query(row -> {
                    versions.put(row.getString("id"), row.getLong("version"));
                });
        return versions;
    }

    /**
     * Returns the runs whose traffic was moved and not measured as natural afterwards: first those after which it was measured
     * otherwise, whenever that was, then those of the last day; the newest first. A later run of the same instance that was measured
     * proves it for all of that instance before.
     */
    public List<StoredRun> unproven(Instant now, int limit) {
        return jdbc
                .sql(RunRowMapper.SELECT + " WHERE " + RunRowMapper.UNPROVEN + " ORDER BY " + RunRowMapper.CONTRADICTED
                        + " DESC, finished_at DESC, id DESC LIMIT :limit")
                .param("until", SqlTimestamps.sql(now))
                .param("limit", limit)
                .query(rows::readOrSkip)
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Returns the runs after which the traffic was measured, and was not natural, the newest first; also those that cannot be read. A
     * later run of the same instance that was measured ends it.
     *
     * @param service the only service that is wanted; null for all
     */
    public List<Contradicted> contradicted(@Nullable String service, int limit) {
        return jdbc
                .sql("SELECT id, service, sut FROM run WHERE " + RunRowMapper.CONTRADICTED + " AND "
                        + RunRowMapper.NOT_MEASURED_SINCE
                        + " AND (CAST(:service AS text) IS NULL OR service = :service)"
                        + " ORDER BY submitted_at DESC, id DESC LIMIT :limit")
                .param("service", service)
                .param("limit", limit)
                .query((row, number) -> new Contradicted(row.getString("id"), row.getString("service"),
                        row.getString("sut")))
                .list();
    }

    /** Returns the runs with these ids that exist and can be read. */
    public List<Live> find(Collection<String> ids) {
        return ids.isEmpty()
                ? List.of()
                : jdbc.sql("SELECT " + RunRowMapper.COLUMNS + """
                        , newest.* FROM run LEFT JOIN LATERAL (
                            SELECT %s FROM judged_window
                            WHERE run_id = run.id ORDER BY sequence DESC LIMIT 1) newest ON true
                        WHERE id IN (:ids)""".formatted(JudgedWindowRowMapper.COLUMNS))
                        .param("ids", ids)
                        .query(this::live)
                        .list()
                        .stream()
                        .flatMap(Optional::stream)
                        .toList();
    }

    private Optional<Live> live(ResultSet row, int number) throws SQLException {
        Optional<StoredRun> run = rows.readOrSkip(row, number);
        return run.isEmpty() ? Optional.empty() : Optional.of(new Live(run.get(), window(run.get().id(), row)));
    }

    private @Nullable JudgedWindow window(String run, ResultSet row) throws SQLException {
        return row.getString("content") == null ? null : windows.read(row, run).orElse(null);
    }
}
