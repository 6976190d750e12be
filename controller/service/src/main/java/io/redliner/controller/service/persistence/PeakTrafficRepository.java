// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The highest rate of each service on each day (UTC), as far as runs saw it. */
public final class PeakTrafficRepository {

    /** Windows that are read by one statement. */
    private static final long PIECE = 10_000;

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    public PeakTrafficRepository(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /**
     * A peak.
     *
     * @param requestsPerSecond of the whole service
     */
    public record Peak(String service, double requestsPerSecond, Instant at, String runId) {}

    /** Returns the highest peak of each service since a day. */
    public List<Peak> highest(LocalDate since) {
        return jdbc.sql("""
                SELECT DISTINCT ON (service) service, peak, at, run_id FROM service_peak WHERE day >= :since
                ORDER BY service, peak DESC, at DESC""")
                .param("since", since)
                .query(PeakTrafficRepository::read)
                .list();
    }

    private static Peak read(ResultSet row, int number) throws SQLException {
        return new Peak(row.getString("service"), row.getDouble("peak"), SqlTimestamps.read(row, "at"),
                row.getString("run_id"));
    }

    /** Returns the highest peak of a service since a day. */
    public Optional<Peak> highest(String service, LocalDate since) {
        return jdbc.sql("""
                SELECT service, peak, at, run_id FROM service_peak WHERE service = :service AND day >= :since
                ORDER BY peak DESC, at DESC LIMIT 1""")
                .param("service", service)
                .param("since", since)
                .query(PeakTrafficRepository::read)
                .optional();
    }

    /**
     * Extracts the traffic peaks of one finished run whose peaks are not stored yet. Two controllers may do so at once: each takes
     * another run, and extracting one twice changes nothing.
     *
     * @return false when no such run is left
     */
    public boolean takeNext(Instant now) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            Optional<String> run = jdbc.sql("""
                    SELECT id FROM run WHERE phase = 'Finished' AND peaks_at IS NULL
                    ORDER BY finished_at LIMIT 1 FOR UPDATE SKIP LOCKED""").query(String.class).optional();
            run.ifPresent(id -> take(id, now));
            return run.isPresent();
        }));
    }

    /** Reads a run in pieces: the windows of a day in one statement may exceed the statement's timeout. */
    private void take(String runId, Instant now) {
        long last = jdbc.sql("SELECT coalesce(max(sequence), 0) FROM judged_window WHERE run_id = :run")
                .param("run", runId)
                .query(Long.class)
                .single();
        for (long after = 0; after < last; after += PIECE) {
            take(runId, after, after + PIECE);
        }
        jdbc.sql("UPDATE run SET peaks_at = :now WHERE id = :run")
                .param("now", SqlTimestamps.sql(now))
                .param("run", runId)
                .update();
    }

    private void take(String runId, long after, long upTo) {
        jdbc.sql("""
                INSERT INTO service_peak (service, day, peak, at, run_id)
                SELECT DISTINCT ON (day) run.service, (seen.started_at AT TIME ZONE 'UTC')::date AS day, rate,
                    seen.started_at, run.id
                FROM run, LATERAL (SELECT started_at,
                        CASE WHEN jsonb_typeof(content -> 'serviceRequestsPerSecond') = 'number'
                            THEN (content ->> 'serviceRequestsPerSecond')::double precision END AS rate
                    FROM judged_window
                    WHERE judged_window.run_id = run.id AND sequence > :after AND sequence <= :upTo) seen
                WHERE run.id = :run AND rate > 0
                ORDER BY day, rate DESC, seen.started_at
                ON CONFLICT (service, day) DO UPDATE SET peak = EXCLUDED.peak, at = EXCLUDED.at,
                    run_id = EXCLUDED.run_id
                WHERE service_peak.peak < EXCLUDED.peak""")
                .param("run", runId)
                .param("after", after)
                .param("upTo", upTo)
                .update();
    }
}
