// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Reads rows of the table {@code journal}. */
final class JournalRows {

    static final String COLUMNS = "entry.sequence, entry.at, entry.nanos, entry.phase, entry.asked_ppm,"
            + " entry.in_force_ppm, entry.event, entry.decision, judged.moved, judged.content AS judged ";

    /** The window of an entry, which is stored once. */
    static final String WITH_WINDOW = """
            LEFT JOIN judged_window judged ON judged.run_id = entry.run_id
                AND judged.sequence = CAST(entry.event #>> '{window,sequence}' AS bigint)
                AND judged.started_at = CAST(entry.event #>> '{window,startedAt}' AS timestamptz)
            """;

    static final String SELECT = "SELECT " + COLUMNS + "FROM journal entry " + WITH_WINDOW;

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    JournalRows(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /**
     * An entry as it is stored.
     *
     * @param event with its window
     * @param decision with a whole state, or with what changes
     */
    record Text(long sequence, Instant decidedAt, String phase, int asked, @Nullable Integer inForce,
            @Nullable Boolean moved, String event, String decision) {}

    static Text text(ResultSet row) throws SQLException {
        String judged = row.getString("judged");
        Instant decidedAt = SqlTimestamps.read(row, "at").plusNanos(row.getInt("nanos"));
        return new Text(row.getLong("sequence"), decidedAt, row.getString("phase"), row.getInt("asked_ppm"),
                inForce(row), row.getObject("moved", Boolean.class),
                judged == null ? row.getString("event") : RunJsonMapper.verdictArrived(judged),
                RunJsonMapper.whole(row.getString("decision"), decidedAt));
    }

    private static @Nullable Integer inForce(ResultSet row) throws SQLException {
        int inForce = row.getInt("in_force_ppm");
        return row.wasNull() ? null : inForce;
    }

    /** Returns a row of a list; empty when it cannot be read, or its window was removed with the run's other details. */
    Row<Long, JournalNote> note(ResultSet row, String runId) throws SQLException {
        Text text = text(row);
        if (text.event().contains(RunJsonMapper.NAMES_WINDOW) && row.getString("judged") == null) {
            return new Row<>(text.sequence(), Optional.empty());
        }
        return new Row<>(text.sequence(), unreadable.read(UnreadableRows.Kind.JOURNAL_ENTRY,
                runId + "/" + text.sequence(), () -> note(text)));
    }

    JournalNote note(Text text) {
        RunEvent event = json.event(text.event());
        JsonNode decision = json.tree(text.decision());
        Integer inForce = text.inForce();
        return new JournalNote(text.sequence(), text.decidedAt(), event, text.phase(), new Share(text.asked()),
                inForce == null ? null : new Share(inForce), text.moved(), json.commands(decision));
    }

    /** Returns the share that was in force at the end of the window that an event is about; absent without one. */
    static @Nullable Share inForce(RunEvent event, RunState after) {
        if (!(event instanceof RunEvent.VerdictArrived arrived)) {
            return null;
        }
        return after instanceof RunState.Leased leased
                ? leased.course().lease().shareBefore(arrived.verdict().windowEnd())
                : after.facts().naturalShare();
    }

    /** Returns the state after an entry, as a tree; empty when there is no such entry, or the state cannot be rebuilt. */
    Optional<JsonNode> stateAfter(String runId, long sequence) {
        Optional<Long> whole = jdbc
                .sql("""
                        SELECT sequence FROM journal WHERE run_id = :run AND sequence <= :sequence AND decision -> 'state' IS NOT NULL
                        ORDER BY sequence DESC LIMIT 1""")
                .param("run", runId)
                .param("sequence", sequence)
                .query(Long.class)
                .optional();
        return whole.map(first -> {
            JsonNode state = null;
            for (Text entry : jdbc.sql(SELECT + "WHERE entry.run_id = :run AND entry.sequence BETWEEN :first AND :last"
                    + " ORDER BY entry.sequence")
                    .param("run", runId)
                    .param("first", first)
                    .param("last", sequence)
                    .query((row, number) -> text(row))
                    .list()) {
                state = RunJsonMapper.stateAfter(state, json.tree(entry.decision()));
            }
            return state;
        });
    }

    /** Returns the state in which a decision was made; empty when it cannot be made out. */
    Optional<JsonNode> stateBefore(String runId, long sequence) {
        return stateAfter(runId, sequence - 1).map(before -> jdbc
                .sql(SELECT + "WHERE entry.run_id = :run AND entry.sequence = :sequence")
                .param("run", runId)
                .param("sequence", sequence)
                .query((row, number) -> json.tree(text(row).decision()))
                .optional()
                .map(decision -> RunJsonMapper.stateSeen(before, decision))
                .orElse(before));
    }
}
