// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import java.sql.SQLException;

/** Makes many finished runs of one. Every tenth has its journal as it was; of the others, what decides about order and index. */
final class FilledDatabase {

    /** Windows of the long run; it has three times as many journal rows. */
    static final int LONG_WINDOWS = 20_000;

    static final int SERVICES = 100;

    private final Database database;

    private final String template;

    /** @param template the id of a finished run */
    FilledDatabase(Database database, String template) {
        this.database = database;
        this.template = template;
    }

    /** The id of a copy; 0 is the long run. */
    static String id(int number) {
        return "copy-%07d".formatted(number);
    }

    /** Copies it. */
    void fill(int runs, int journalRows) throws SQLException {
        database.execute(
                """
                        INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, outcome, stop_code, stop_reason, epoch,
                                         state, version, journal_sequence, submitted_at, finished_at, farewell_at, peaks_at, harm,
                                         first_state)
                        SELECT 'copy-' || lpad(n::text, 7, '0'), 'service-' || n %% %d, sut, plan_name, plan_hash, plan, phase, outcome,
                               stop_code, stop_reason, epoch, state, version, journal_sequence,
                               submitted_at - n * interval '1 minute', finished_at - n * interval '1 minute', finished_at, finished_at,
                               harm, first_state
                        FROM run, generate_series(0, %d) n WHERE id = '%s'"""
                        .formatted(SERVICES, runs - 1, template));
        database.execute(
                "CREATE TEMPORARY TABLE template_journal AS SELECT row_number() OVER (ORDER BY sequence) AS number,"
                        + " journal.* FROM journal WHERE run_id = '" + template + "'");
        // Copies have windows of other numbers: each entry has its own.
        database.execute(
                "UPDATE template_journal SET event = jsonb_build_object('kind', event -> 'kind', 'verdict', content)"
                        + " FROM judged_window judged WHERE judged.run_id = '" + template
                        + "' AND judged.sequence = CAST(event #>> '{window,sequence}' AS bigint)");
        database.execute(
                "CREATE TEMPORARY TABLE template_window AS SELECT row_number() OVER (ORDER BY sequence) AS number,"
                        + " judged_window.* FROM judged_window WHERE run_id = '" + template + "'");
        journal("run.id <> '" + id(0) + "'", journalRows);
        journal("run.id = '" + id(0) + "'", 3 * LONG_WINDOWS);
        windows("run.id = '" + id(0) + "'", LONG_WINDOWS);
        windows("run.id LIKE 'copy-%0' AND run.id <> '" + id(0) + "'", journalRows / 3);
        database.execute("INSERT INTO step SELECT run.id, step.number, step.content FROM run, step"
                + " WHERE run.id LIKE 'copy-%0' AND step.run_id = '" + template + "'");
        database.execute("ANALYZE");
    }

    private void journal(String which, int rows) throws SQLException {
        database.execute(
                """
                        INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, in_force_ppm, event, decision)
                        SELECT run.id, n, at, nanos, template.phase, notable, template.asked_ppm, in_force_ppm,
                               CASE WHEN run.id LIKE 'copy-%%0' THEN event ELSE '{}' END,
                               CASE WHEN run.id LIKE 'copy-%%0' THEN decision ELSE '{}' END
                        FROM run, generate_series(1, %1$d) n, template_journal template
                        WHERE run.id LIKE 'copy-%%' AND %2$s
                            AND template.number = 1 + (n - 1) %% (SELECT count(*) FROM template_journal)"""
                        .formatted(rows, which));
    }

    private void windows(String which, int rows) throws SQLException {
        database.execute("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                SELECT run.id, n, started_at, template.phase, judgement, asked_ppm, content
                FROM run, generate_series(1, %1$d) n, template_window template
                WHERE %2$s AND template.number = 1 + n %% (SELECT count(*) FROM template_window)"""
                .formatted(rows, which));
    }
}
