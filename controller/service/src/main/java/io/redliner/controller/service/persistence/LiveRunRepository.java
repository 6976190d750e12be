// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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

    /** The longest time from the submission of a run to its end, with the wait for an approval. */
    private static final Duration MAX_RUN = Duration.ofDays(8);

    /** The time for which a run is remembered after which nothing measured the traffic as natural. */
    private static final Duration UNPROVEN_AGE = Duration.ofDays(1);

    /** The time for which a run is remembered after which the traffic was measured, and was not natural. */
    private static final Duration CONTRADICTED_AGE = Duration.ofDays(30);

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
     * Returns the runs whose traffic was moved and not measured as natural afterwards, newest first: those of the last day, and for 30
     * days those after which it was measured otherwise. A later run of the same instance that was measured proves it for all of
     * that instance before.
     *
     * @param service the only service that is wanted; null for all
     */
    public List<StoredRun> unproven(Instant now, @Nullable String service, int limit) {
        Instant contradictedSince = now.minus(CONTRADICTED_AGE);
        return jdbc.sql(RunRowMapper.SELECT + " WHERE " + RunRowMapper.NOT_MEASURED_SINCE + """
                AND phase = 'Finished' AND submitted_at >= :submittedSince
                AND (CAST(:service AS text) IS NULL OR service = :service)
                AND (finished_at >= :endedSince
                        AND state->'restored'->>'proof' NOT IN ('MEASURED', 'MEASURED_AFTER_EXPIRY', 'NOT_NEEDED')
                    OR finished_at >= :contradictedSince
                        AND state->'restored'->>'proof' IN ('CONTRADICTED', 'CONTRADICTED_AFTER_EXPIRY'))
                ORDER BY finished_at DESC, id DESC LIMIT :limit""")
                .param("service", service)
                .param("submittedSince", SqlTimestamps.sql(contradictedSince.minus(MAX_RUN)))
                .param("contradictedSince", SqlTimestamps.sql(contradictedSince))
                .param("endedSince", SqlTimestamps.sql(now.minus(UNPROVEN_AGE)))
                .param("limit", limit)
                .query(rows::readOrSkip)
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
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
