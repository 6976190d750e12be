// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import io.redliner.controller.plan.Ppm;
import io.redliner.controller.run.JudgedWindow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what charts and lists of decisions are made from. */
public final class RunHistory {

    /** Entries of the journal that one question looks through: some hours of a run. */
    public static final long LOOKED_THROUGH = 20_000;

    private static final String DECISIONS = """
            WITH looked AS (
                SELECT sequence, decided, event, decision, phase,
                    CAST(decision #>> '{state,course,lease,newest,share}' AS bigint) AS share
                FROM journal WHERE run_id = :run AND sequence >= :after AND sequence <= :upTo),
            compared AS (
                SELECT *, lag(phase) OVER entries AS phase_before, lag(share) OVER entries AS share_before
                FROM looked WINDOW entries AS (ORDER BY sequence))
            SELECT * FROM compared
            WHERE sequence > :after AND (:all OR phase IS DISTINCT FROM phase_before
                OR share IS DISTINCT FROM share_before
                OR event ->> 'kind' NOT IN ('Tick', 'LeaseStatusArrived', 'VerdictArrived'))
            """;

    private static final String OLDEST_FIRST = "ORDER BY sequence LIMIT :limit";

    private static final String NEWEST_FIRST = "ORDER BY sequence DESC LIMIT :limit";

    private final JdbcClient jdbc;

    private final RunJson json;

    private final JudgedWindowRows windows;

    public RunHistory(JdbcClient jdbc, RunJson json) {
        this.jdbc = jdbc;
        this.json = json;
        this.windows = new JudgedWindowRows(json);
    }

    /** When the first and the last window of a run began. */
    public record Span(Instant first, Instant last) {}

    /**
     * A decision, and what it was made upon.
     *
     * @param phaseBefore absent of a run's first decision
     * @param askedBefore absent while no lease was out
     */
    public record Told(JournalEntry entry, @Nullable String phaseBefore, @Nullable Ppm askedBefore) {}

    /** When windows of the run began that began within some time; empty without any. */
    public Optional<Span> span(String runId, @Nullable Instant from, @Nullable Instant to) {
        return jdbc.sql("""
                SELECT min(started_at) AS first, max(started_at) AS last FROM judged_window
                WHERE run_id = :run AND started_at >= :from AND started_at < :to
                HAVING count(*) > 0""")
                .param("run", runId)
                .param("from", Times.sql(from == null ? Instant.MIN : from))
                .param("to", Times.sql(to == null ? Instant.MAX : to))
                .query((row, number) -> new Span(Times.read(row, "first"), Times.read(row, "last")))
                .optional();
    }

    /**
     * Windows of the run that began within some time, after a sequence, in order.
     *
     * @param to windows that begin then are left out
     */
    public List<JudgedWindow> windows(String runId, long after, @Nullable Instant from, @Nullable Instant to,
            int limit) {
        return jdbc.sql("""
                SELECT phase, asked_ppm, content FROM judged_window
                WHERE run_id = :run AND sequence > :after AND started_at >= :from AND started_at < :to
                ORDER BY sequence LIMIT :limit""")
                .param("run", runId)
                .param("after", after)
                .param("from", Times.sql(from == null ? Instant.MIN : from))
                .param("to", Times.sql(to == null ? Instant.MAX : to))
                .param("limit", limit)
                .query(windows::read)
                .list();
    }

    /**
     * Decisions after a sequence, in order, of the next {@value #LOOKED_THROUGH} entries.
     *
     * @param all otherwise those that changed the phase or the share, or that somebody asked for
     */
    public List<Told> decisions(String runId, long after, int limit, boolean all) {
        return decisions(OLDEST_FIRST, runId, after, after + LOOKED_THROUGH, limit, all);
    }

    /** As {@link #decisions}, newest first, of the {@value #LOOKED_THROUGH} entries before a sequence. */
    public List<Told> decisionsBefore(String runId, long before, int limit, boolean all) {
        return decisions(NEWEST_FIRST, runId, Math.max(0, before - 1 - LOOKED_THROUGH), before - 1, limit, all);
    }

    private List<Told> decisions(String order, String runId, long after, long upTo, int limit, boolean all) {
        return jdbc.sql(DECISIONS + order)
                .param("run", runId)
                .param("after", after)
                .param("upTo", upTo)
                .param("all", all)
                .param("limit", limit)
                .query(this::told)
                .list();
    }

    /** One decision of a run. */
    public Optional<Told> decision(String runId, long sequence) {
        return decisions(runId, sequence - 1, 1, true).stream()
                .filter(told -> told.entry().sequence() == sequence)
                .findFirst();
    }

    /** The event that a decision was made about, as it is stored. */
    public Optional<String> event(String runId, long sequence) {
        return text(runId, sequence, "event");
    }

    /** The state that a decision was made in, as it is stored; empty of the first one of a run of an older version. */
    public Optional<String> stateBefore(String runId, long sequence) {
        return sequence == 1
                ? jdbc.sql("SELECT first_state FROM run WHERE id = :run AND first_state IS NOT NULL")
                        .param("run", runId)
                        .query(String.class)
                        .optional()
                : text(runId, sequence - 1, "decision -> 'state'");
    }

    private Optional<String> text(String runId, long sequence, String part) {
        return jdbc.sql("SELECT " + part + " FROM journal WHERE run_id = :run AND sequence = :sequence")
                .param("run", runId)
                .param("sequence", sequence)
                .query(String.class)
                .optional();
    }

    private Told told(ResultSet row, int number) throws SQLException {
        JournalEntry entry = new JournalEntry(row.getLong("sequence"), Instant.parse(row.getString("decided")),
                json.event(row.getString("event")), json.decision(row.getString("decision")));
        int before = row.getInt("share_before");
        return new Told(entry, row.getString("phase_before"), row.wasNull() ? null : new Ppm(before));
    }
}
