// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.sla.Judgement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what the highlights of runs are made from: the windows that change something, and when the end was decided. */
public final class RunHighlightsRepository {

    /** The contents, which are large, are read of the wanted windows only. */
    private static final String WINDOWS = """
            WITH looked AS (
                SELECT sequence, started_at, phase, judgement, asked_ppm, lag(judgement) OVER entries AS before,
                    lag(phase) OVER entries AS phase_before,
                    max(asked_ppm) OVER (entries ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS largest
                FROM judged_window WHERE run_id = :run WINDOW entries AS (ORDER BY sequence)),
            wanted AS (
                SELECT * FROM looked
                WHERE judgement <> 'HOLDS' OR before IS DISTINCT FROM 'HOLDS' OR phase IS DISTINCT FROM phase_before
                    OR asked_ppm > largest)
            SELECT wanted.sequence, wanted.started_at, wanted.phase, wanted.judgement, wanted.asked_ppm,
                CASE WHEN jsonb_typeof(content #> '{sut,requestsPerSecond}') = 'number'
                    THEN CAST(content #>> '{sut,requestsPerSecond}' AS double precision) END AS load,
                CASE WHEN wanted.judgement = 'BREACHED' AND before IS DISTINCT FROM 'BREACHED'
                    THEN jsonb_path_query_first(content,
                        '$.sla[*] ? (@.judgement == "BREACHED" && !(@.informational == true))') END AS broken
            FROM wanted JOIN judged_window judged ON judged.run_id = :run AND judged.sequence = wanted.sequence
                AND judged.started_at = wanted.started_at
            ORDER BY wanted.sequence""";

    /** The first entry behind the last one before the end. */
    private static final String END_DECIDED = """
            SELECT at, nanos FROM journal WHERE run_id = :run AND sequence = 1 + (
                SELECT sequence FROM journal WHERE run_id = :run AND phase NOT IN ('Restoring', 'Finished')
                ORDER BY sequence DESC LIMIT 1)""";

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public RunHighlightsRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /** Returns the highlights of a run; see {@link RunHighlights}. A window that cannot be read has neither its load nor its rule. */
    public List<RunHighlights.Sentence> of(StoredRun run) {
        List<RunHighlights.Window> windows = jdbc.sql(WINDOWS)
                .param("run", run.id())
                .query((row, number) -> window(row, run.id()))
                .list();
        return RunHighlights.of(run.state(), windows, run.state().ending() == null ? null : endDecidedAt(run.id()));
    }

    private RunHighlights.Window window(ResultSet row, String runId) throws SQLException {
        String broken = row.getString("broken");
        Optional<RuleResult> rule = broken == null
                ? Optional.empty()
                : unreadable.read(UnreadableRows.Kind.WINDOW, runId + "/" + row.getLong("sequence"),
                        () -> json.read(broken, RuleResult.class));
        return new RunHighlights.Window(SqlTimestamps.read(row, "started_at"), row.getString("phase"),
                Judgement.valueOf(row.getString("judgement")), new Share(row.getInt("asked_ppm")),
                row.getObject("load", Double.class), rule.orElse(null));
    }

    private @Nullable Instant endDecidedAt(String runId) {
        return jdbc.sql(END_DECIDED)
                .param("run", runId)
                .query((row, number) -> SqlTimestamps.read(row, "at").plusNanos(row.getInt("nanos")))
                .optional()
                .orElse(null);
    }
}
