// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.retention;

import io.redliner.controller.jdbc.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Removes what is old, in transactions of bounded size. Only one controller does so at a time; the others find nothing to
 * do.
 */
final class RetentionStore {

    /** Rows that one transaction removes at most, of each table. */
    static final int BATCH = 1000;

    static final String OLD_KEYS = """
            SELECT key FROM idempotency_key JOIN run ON run.id = run_id
            WHERE created_at < :before AND phase = 'Finished' ORDER BY created_at LIMIT :batch""";

    static final String OLD_FIRINGS = """
            SELECT key FROM schedule_firing
            WHERE state <> 'Waiting' AND fired_at < :before ORDER BY fired_at LIMIT :batch""";

    static final String OLD_DEPLOYMENTS = """
            SELECT id FROM deployment
            WHERE received_at < :before AND NOT EXISTS (
                SELECT 1 FROM schedule_firing WHERE deployment_id = deployment.id AND state = 'Waiting')
            ORDER BY received_at LIMIT :batch""";

    static final String OLD_ENTRIES = "SELECT id FROM audit_entry WHERE at < :before ORDER BY at LIMIT :batch";

    /** Once nobody needs the windows for the peaks of the service any more. */
    static final String OLD_RUN = """
            SELECT id FROM run
            WHERE phase = 'Finished' AND details <> 'Gone' AND finished_at < :before AND peaks_at IS NOT NULL
            ORDER BY finished_at LIMIT :batch""";

    private static final long LOCK = 0x7265_7461_696eL;

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    RetentionStore(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    /**
     * What one transaction removed.
     *
     * @param more whether there may be more of it
     */
    record Removed(int rows, boolean more) {}

    /** Removes some of what is older; nothing while another controller removes something. */
    Removed removeSome(Kind kind, Instant before) {
        return Objects.requireNonNull(transaction.execute(status -> locked()
                ? remove(kind, before)
                : new Removed(0, false)));
    }

    /** Services that have a live run, whoever drives it. */
    Set<String> busyServices() {
        return Set.copyOf(jdbc.sql("SELECT service FROM run WHERE phase <> 'Finished'").query(String.class).list());
    }

    private boolean locked() {
        return jdbc.sql("SELECT pg_try_advisory_xact_lock(:lock)").param("lock", LOCK).query(Boolean.class).single();
    }

    private Removed remove(Kind kind, Instant before) {
        return switch (kind) {
            case KEYS -> some("DELETE FROM idempotency_key WHERE key IN (" + OLD_KEYS + ")", before);
            case FIRINGS -> some("DELETE FROM schedule_firing WHERE key IN (" + OLD_FIRINGS + ")", before);
            case DEPLOYMENTS -> some("DELETE FROM deployment WHERE id IN (" + OLD_DEPLOYMENTS + ")", before);
            case AUDIT -> entries(before);
            case RUN_DETAILS -> run(before);
        };
    }

    private Removed some(String sql, Instant before) {
        int rows = jdbc.sql(sql).param("before", Times.sql(before)).param("batch", BATCH).update();
        return new Removed(rows, rows == BATCH);
    }

    private Removed entries(Instant before) {
        List<Long> ids = jdbc.sql(OLD_ENTRIES)
                .param("before", Times.sql(before))
                .param("batch", BATCH)
                .query(Long.class)
                .list();
        if (ids.isEmpty()) {
            return new Removed(0, false);
        }
        jdbc.sql("UPDATE audit_horizon SET removed_before = GREATEST(removed_before, :before)")
                .param("before", Times.sql(before))
                .update();
        jdbc.sql("DELETE FROM audit_outcome WHERE entry_id IN (:ids)").param("ids", ids).update();
        int rows = jdbc.sql("DELETE FROM audit_entry WHERE id IN (:ids)").param("ids", ids).update();
        return new Removed(rows, rows == BATCH);
    }

    /** Of one run only: its windows, then its journal. */
    private Removed run(Instant before) {
        Optional<String> found = jdbc.sql(OLD_RUN)
                .param("before", Times.sql(before))
                .param("batch", 1)
                .query(String.class)
                .optional();
        if (found.isEmpty()) {
            return new Removed(0, false);
        }
        String id = found.get();
        details(id, "Going");
        int windows = ofRun("judged_window", id);
        int entries = windows < BATCH ? ofRun("journal", id) : 0;
        if (windows < BATCH && entries < BATCH) {
            jdbc.sql("DELETE FROM run_request WHERE run_id = :run").param("run", id).update();
            details(id, "Gone");
        }
        return new Removed(windows + entries, true);
    }

    private void details(String id, String what) {
        jdbc.sql("UPDATE run SET details = :what WHERE id = :run AND details <> :what")
                .param("what", what)
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
