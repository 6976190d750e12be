// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the windows and decisions of runs, for charts and lists. */
public final class RunHistoryRepository {

    /** Entries of the journal that one question looks through: some hours of a run. */
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

    private final JudgedWindowRowMapper windows;

    public RunHistoryRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.journal = new JournalRows(jdbc, json, unreadable);
        this.windows = new JudgedWindowRowMapper(json, unreadable);
    }

    /** The beginnings of the first and the last window of a run. */
    public record Span(Instant first, Instant last) {}

    /**
     * A decision, and what it was made upon.
     *
     * @param phaseBefore absent of a run's first decision
     * @param askedBefore absent while no lease was out
     */
    public record DecisionRow(JournalNote note, @Nullable String phaseBefore, @Nullable Share askedBefore) {}

    /** The first and the last beginning of the run's windows that began within some time; empty without any. */
    public Optional<Span> span(String runId, @Nullable Instant from, @Nullable Instant to) {
        return started(runId, from, to, "ASC")
                .flatMap(first -> started(runId, from, to, "DESC").map(last -> new Span(first, last)));
    }

    private Optional<Instant> started(String runId, @Nullable Instant from, @Nullable Instant to, String order) {
        return within("started_at", order, runId, 0, from, to, 1)
                .query((row, number) -> SqlTimestamps.read(row, "started_at"))
                .optional();
    }

    /** Finds windows by their sequence. The rollups before and after the time bound the sequences. */
    private JdbcClient.StatementSpec within(String columns, String order, String runId, long after,
            @Nullable Instant from, @Nullable Instant to, int limit) {
        return jdbc.sql("""
                SELECT %s FROM judged_window
                WHERE run_id = :run AND started_at >= :from AND started_at < :to AND sequence > :after
                    AND sequence > COALESCE((SELECT last_sequence FROM window_rollup
                        WHERE run_id = :run AND level = 0 AND starts_at < :from
                        ORDER BY starts_at DESC OFFSET 1 LIMIT 1), 0)
                    AND sequence <= COALESCE((SELECT last_sequence FROM window_rollup
                        WHERE run_id = :run AND level = 0 AND starts_at >= :to
                        ORDER BY starts_at LIMIT 1), 9223372036854775807)
                ORDER BY sequence %s LIMIT :limit""".formatted(columns, order))
                .param("run", runId)
                .param("after", after)
                .param("from", SqlTimestamps.sql(from == null ? Instant.MIN : from))
                .param("to", SqlTimestamps.sql(to == null ? Instant.MAX : to))
                .param("limit", limit);
    }

    /**
     * Windows of the run that began within some time, after a sequence, in order; without those that cannot be read.
     *
     * @param to windows that begin then are left out
     */
    public List<JudgedWindow> windows(String runId, long after, @Nullable Instant from, @Nullable Instant to,
            int limit) {
        return Row.page(after, limit,
                (position,
                        rest) -> within(JudgedWindowRowMapper.COLUMNS, "ASC", runId, requireNonNull(position), from, to,
                                rest)
                                .query(windows.of(runId))
                                .list());
    }

    /**
     * Returns the same windows as {@link #windows}, for results that would be wrong without one of them.
     *
     * @throws UnreadableRowException when one cannot be read
     */
    List<JudgedWindow> everyWindow(String runId, long after, Instant from, Instant to, int limit) {
        return within(JudgedWindowRowMapper.COLUMNS, "ASC", runId, after, from, to, limit)
                .query(windows.required(runId))
                .list();
    }

    /**
     * Decisions after a sequence, in order, of the next {@value #MAX_SCANNED_ENTRIES} entries; without those that cannot be read.
     *
     * @param all otherwise those that changed the phase or the share, or that somebody asked for
     */
    public List<DecisionRow> decisions(String runId, long after, int limit, boolean all) {
        return Row.page(after, limit,
                (position, rest) -> decisions(OLDEST_FIRST, runId, requireNonNull(position),
                        after + MAX_SCANNED_ENTRIES,
                        rest, all));
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

    /** One decision of a run; empty when there is none, or it cannot be read. */
    public Optional<DecisionRow> decision(String runId, long sequence) {
        return decisions(runId, sequence - 1, 1, true).stream()
                .filter(row -> row.note().sequence() == sequence)
                .findFirst();
    }

    /** The event that a decision was made about, as it is stored. */
    public Optional<String> event(String runId, long sequence) {
        return jdbc.sql(JournalRows.SELECT + "WHERE entry.run_id = :run AND entry.sequence = :sequence")
                .param("run", runId)
                .param("sequence", sequence)
                .query((row, number) -> JournalRows.text(row).event())
                .optional();
    }

    /** The state that a decision was made in, as JSON; empty of a run that is not there. */
    public Optional<String> stateBefore(String runId, long sequence) {
        return sequence == 1
                ? jdbc.sql("SELECT first_state FROM run WHERE id = :run")
                        .param("run", runId)
                        .query(String.class)
                        .optional()
                : journal.stateSeen(runId, sequence).map(Object::toString);
    }

    private Row<Long, DecisionRow> decisionRow(ResultSet row, String runId) throws SQLException {
        Row<Long, JournalNote> read = journal.note(row, runId);
        String phaseBefore = row.getString("phase_before");
        int share = row.getInt("share_before");
        Share askedBefore = row.wasNull() ? null : new Share(share);
        return new Row<>(read.position(), read.content().map(note -> new DecisionRow(note, phaseBefore, askedBefore)));
    }
}
