// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the decisions of runs. */
public final class RunHistoryRepository {

    /** Maximum number of journal entries that one query reads: some hours of a run. */
    public static final long MAX_SCANNED_ENTRIES = 20_000;

    private static final String DECISIONS = """
            WITH looked AS (
                SELECT sequence, at, phase, asked_ppm AS share, event ->> 'kind' AS kind
                FROM journal WHERE run_id = :run AND sequence >= :after AND sequence <= :upTo),
            compared AS (
                SELECT *, lag(phase) OVER entries AS phase_before, lag(share) OVER entries AS share_before
                FROM looked WINDOW entries AS (ORDER BY sequence)),
            wanted AS (
                SELECT * FROM compared
                WHERE sequence > :after AND (:all OR phase IS DISTINCT FROM phase_before
                    OR share IS DISTINCT FROM share_before
                    OR kind NOT IN ('Tick', 'LeaseStatusArrived', 'VerdictArrived'))
                ORDER BY sequence %1$s LIMIT :limit)
            SELECT %2$s, phase_before, share_before FROM wanted
            JOIN journal entry ON entry.run_id = :run AND entry.sequence = wanted.sequence AND entry.at = wanted.at
            %3$s
            ORDER BY entry.sequence %1$s""";

    private static final String OLDEST_FIRST = DECISIONS.formatted("ASC", JournalRows.COLUMNS, JournalRows.WITH_WINDOW);

    private static final String NEWEST_FIRST = DECISIONS.formatted("DESC", JournalRows.COLUMNS,
            JournalRows.WITH_WINDOW);

    private final JdbcClient jdbc;

    private final JournalRows journal;

    public RunHistoryRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.journal = new JournalRows(jdbc, json, unreadable);
    }

    /**
     * A decision, and what it was made upon.
     *
     * @param phaseBefore absent of a run's first decision
     * @param askedBefore absent while no lease was out
     */
    public record DecisionRow(JournalNote note, @Nullable String phaseBefore, @Nullable Share askedBefore) {}

    /**
     * Decisions after a sequence, in order, of the next {@value #MAX_SCANNED_ENTRIES} entries; without those that cannot be read.
     *
     * @param all true for all decisions; false for those that changed the phase or the share, or that a user requested
     */
    public List<DecisionRow> decisions(String runId, long after, int limit, boolean all) {
        return Row.page(after, limit,
                (position, rest) -> decisions(OLDEST_FIRST, runId, requireNonNull(position),
                        after + MAX_SCANNED_ENTRIES, rest, all));
    }

    /** Decisions like {@link #decisions}, newest first, of the {@value #MAX_SCANNED_ENTRIES} entries before a sequence. */
    public List<DecisionRow> decisionsBefore(String runId, long before, int limit, boolean all) {
        long first = Math.max(0, before - 1 - MAX_SCANNED_ENTRIES);
        return Row.page(before, limit,
                (position, rest) -> decisions(NEWEST_FIRST, runId, first, requireNonNull(position) - 1, rest, all));
    }

    private List<Row<Long, DecisionRow>> decisions(String order, String runId, long after, long upTo, int limit,
            boolean all) {
        return jdbc.sql(order)
                .param("run", runId)
                .param("after", after)
                .param("upTo", upTo)
                .param("all", all)
                .param("limit", limit)
                .query((row, number) -> decisionRow(row, runId))
                .list();
    }

    /** Returns a decision of a run; empty when it does not exist or cannot be read. */
    public Optional<DecisionRow> decision(String runId, long sequence) {
        return decisions(runId, sequence - 1, 1, true).stream()
                .filter(row -> row.note().sequence() == sequence)
                .findFirst();
    }

    /** Returns the event that a decision was made about, as it is stored. */
    public Optional<String> event(String runId, long sequence) {
        return jdbc.sql(JournalRows.SELECT + "WHERE entry.run_id = :run AND entry.sequence = :sequence")
                .param("run", runId)
                .param("sequence", sequence)
                .query((row, number) -> JournalRows.text(row).event())
                .optional();
    }

    /** Returns the state in which a decision was made, as JSON; empty for an unknown run. */
    public Optional<String> stateBefore(String runId, long sequence) {
        return sequence == 1
                ? jdbc.sql("SELECT first_state FROM run WHERE id = :run")
                        .param("run", runId)
                        .query(String.class)
                        .optional()
                : journal.stateBefore(runId, sequence).map(Object::toString);
    }

    private Row<Long, DecisionRow> decisionRow(ResultSet row, String runId) throws SQLException {
        Row<Long, JournalNote> read = journal.note(row, runId);
        String phaseBefore = row.getString("phase_before");
        int share = row.getInt("share_before");
        Share askedBefore = row.wasNull() ? null : new Share(share);
        return new Row<>(read.position(), read.content().map(note -> new DecisionRow(note, phaseBefore, askedBefore)));
    }
}
