// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Removes old data, in transactions of bounded size. Only one controller does so at a time; for the others there is nothing to do.
 */
public final class RetentionRepository {

    /** Rows that one transaction removes at most, of each table. */
    public static final int BATCH = 1000;

    /** Without those of Kubernetes objects: their requests can come back after an API server's outage of any length. */
    public static final String OLD_KEYS = """
            SELECT key FROM idempotency_key used LEFT JOIN run ON run.id = run_id LEFT JOIN series ON series.id = series_id
            WHERE used.created_at < :before AND (run.phase = 'Finished' OR series.finished_at IS NOT NULL)
                AND used.key NOT LIKE 'kubernetes/%'
            ORDER BY used.created_at LIMIT :batch""";

    public static final String OLD_FIRINGS = """
            SELECT key FROM schedule_firing
            WHERE state <> 'Waiting' AND fired_at < :before ORDER BY fired_at LIMIT :batch""";

    public static final String OLD_DEPLOYMENTS = """
            SELECT id FROM deployment
            WHERE received_at < :before AND NOT EXISTS (
                SELECT 1 FROM schedule_firing WHERE deployment_id = deployment.id AND state = 'Waiting')
            ORDER BY received_at LIMIT :batch""";

    public static final String OLD_ENTRIES = "SELECT id FROM audit_entry WHERE at < :before ORDER BY at LIMIT :batch";

    /** A finished run whose peaks are stored, so that its windows may be removed. */
    public static final String OLD_RUN = """
            SELECT id FROM run
            WHERE phase = 'Finished' AND details <> 'Gone' AND finished_at < :before AND peaks_at IS NOT NULL
            ORDER BY finished_at LIMIT :batch""";

    /** The oldest partition that ended before, unless a run began before its end that still needs its details. */
    static final String OLD_MONTH = """
            SELECT partition, ends_at FROM (
                SELECT * FROM partitions_of('journal') UNION ALL SELECT * FROM partitions_of('judged_window')
                UNION ALL SELECT * FROM partitions_of('window_rollup')) months
            WHERE ends_at <= :before
                AND NOT EXISTS (SELECT FROM run WHERE phase <> 'Finished' AND submitted_at < ends_at)
                AND NOT EXISTS (SELECT FROM run WHERE phase = 'Finished' AND details <> 'Gone' AND finished_at >= :before
                    AND submitted_at < ends_at)
                AND NOT EXISTS (SELECT FROM run WHERE phase = 'Finished' AND peaks_at IS NULL AND submitted_at < ends_at)
            ORDER BY ends_at LIMIT 1""";

    private static final Logger LOG = LoggerFactory.getLogger(RetentionRepository.class);

    private static final List<String> BY_MONTH = List.of("journal", "judged_window", "window_rollup");

    private static final int MONTHS_AHEAD = 3;

    private static final long LOCK = 0x7265_7461_696eL;

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    public RetentionRepository(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /**
     * The result of one transaction.
     *
     * @param rows the number of rows that it removed
     * @param more whether there may be more to remove
     */
    public record Removed(int rows, boolean more) {}

    /** Removes a bounded number of older rows; none while another controller removes rows. */
    public Removed removeSome(RetainedData kind, Instant before) {
        return Objects.requireNonNull(transaction.execute(status -> locked()
                ? remove(kind, before)
                : new Removed(0, false)));
    }

    /** Creates the missing partitions of this month and of the next ones. */
    public void addMonths(Instant now) {
        for (String table : BY_MONTH) {
            for (int later = 0; later <= MONTHS_AHEAD; later++) {
                int month = later;
                transaction.executeWithoutResult(status -> {
                    waitBriefly();
                    jdbc.sql("SELECT add_month(:table, month_of(:now, :later))")
                            .param("table", table)
                            .param("now", SqlTimestamps.sql(now))
                            .param("later", month)
                            .query(row -> {});
                });
            }
        }
    }

    /**
     * Drops the oldest month of the journal and of the windows, when all runs of it have been over for long enough.
     *
     * @return the runs whose details went with it
     */
    public Removed dropMonth(Instant before) {
        return Objects.requireNonNull(transaction.execute(status -> {
            Optional<Month> oldest = locked() ? oldestMonth(before) : Optional.empty();
            return oldest.map(this::drop).orElse(new Removed(0, false));
        }));
    }

    private record Month(String table, Instant endsAt) {}

    private Optional<Month> oldestMonth(Instant before) {
        return jdbc.sql(OLD_MONTH)
                .param("before", SqlTimestamps.sql(before))
                .query((row, number) -> new Month(row.getString("partition"), SqlTimestamps.read(row, "ends_at")))
                .optional();
    }

    private Removed drop(Month month) {
        waitBriefly();
        jdbc.sql("""
                DELETE FROM run_request USING run
                WHERE run.id = run_id AND details <> 'Gone' AND submitted_at < :end""")
                .param("end", SqlTimestamps.sql(month.endsAt())).update();
        int runs = jdbc.sql("UPDATE run SET details = 'Gone' WHERE details <> 'Gone' AND submitted_at < :end")
                .param("end", SqlTimestamps.sql(month.endsAt()))
                .update();
        // Its name comes from the catalog, and is one of this schema's.
        jdbc.sql("DROP TABLE \"" + month.table() + "\"").update();
        LOG.info("dropped {}: all that was in it was kept long enough", month.table());
        return new Removed(runs, true);
    }

    /** Keeps the wait for a table's readers short, because live runs would wait behind it. Removing is tried again. */
    private void waitBriefly() {
        jdbc.sql("SET LOCAL lock_timeout = '500ms'").update();
    }

    /** Services that have a live run, on any controller. */
    public Set<String> busyServices() {
        return Set.copyOf(jdbc.sql("SELECT service FROM run WHERE phase <> 'Finished'").query(String.class).list());
    }

    private boolean locked() {
        return jdbc.sql("SELECT pg_try_advisory_xact_lock(:lock)").param("lock", LOCK).query(Boolean.class).single();
    }

    private Removed remove(RetainedData kind, Instant before) {
        return switch (kind) {
            case KEYS -> some("DELETE FROM idempotency_key WHERE key IN (" + OLD_KEYS + ")", before);
            case FIRINGS -> some("DELETE FROM schedule_firing WHERE key IN (" + OLD_FIRINGS + ")", before);
            case DEPLOYMENTS -> some("DELETE FROM deployment WHERE id IN (" + OLD_DEPLOYMENTS + ")", before);
            case AUDIT -> entries(before);
            case RUN_DETAILS -> run(before);
        };
    }

    private Removed some(String sql, Instant before) {
        int rows = jdbc.sql(sql).param("before", SqlTimestamps.sql(before)).param("batch", BATCH).update();
        return new Removed(rows, rows == BATCH);
    }

    private Removed entries(Instant before) {
        List<Long> ids = jdbc.sql(OLD_ENTRIES)
                .param("before", SqlTimestamps.sql(before))
                .param("batch", BATCH)
                .query(Long.class)
                .list();
        if (ids.isEmpty()) {
            return new Removed(0, false);
        }
        jdbc.sql("UPDATE audit_horizon SET removed_before = GREATEST(removed_before, :before)")
                .param("before", SqlTimestamps.sql(before))
                .update();
        jdbc.sql("DELETE FROM audit_outcome WHERE entry_id IN (:ids)").param("ids", ids).update();
        int rows = jdbc.sql("DELETE FROM audit_entry WHERE id IN (:ids)").param("ids", ids).update();
        return new Removed(rows, rows == BATCH);
    }

    /** Removes details of one run: first its journal, then its windows, which the journal names. */
    private Removed run(Instant before) {
        Optional<String> found = jdbc.sql(OLD_RUN)
                .param("before", SqlTimestamps.sql(before))
                .param("batch", 1)
                .query(String.class)
                .optional();
        if (found.isEmpty()) {
            return new Removed(0, false);
        }
        String id = found.get();
        details(id, "Going");
        int entries = ofRun("journal", id);
        int windows = entries < BATCH ? ofRun("judged_window", id) : 0;
        if (windows < BATCH && entries < BATCH) {
            jdbc.sql("DELETE FROM run_request WHERE run_id = :run").param("run", id).update();
            jdbc.sql("DELETE FROM window_rollup WHERE run_id = :run").param("run", id).update();
            details(id, "Gone");
        }
        return new Removed(windows + entries, true);
    }

    private void details(String id, String rows) {
        jdbc.sql("UPDATE run SET details = :what WHERE id = :run AND details <> :what")
                .param("what", rows)
                .param("run", id)
                .update();
    }

    private int ofRun(String table, String id) {
        return jdbc.sql("DELETE FROM " + table + " WHERE run_id = :run AND sequence IN (SELECT sequence FROM " + table
                + " WHERE run_id = :run ORDER BY sequence LIMIT :batch)")
                .param("run", id)
                .param("batch", BATCH)
                .update();
    }
}
