// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunHighlights;
import io.redliner.controller.core.run.TracedRequest;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.sla.Judgement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads what the highlights of runs are made from: the windows that change something, and when the end was decided. It remembers
 * those windows of the runs that were asked for last, and reads the windows behind them only: a day has 864 000.
 */
public final class RunHighlightsRepository {

    private static final int MAX_RUNS = 64;

    /** Runs with more windows that change something are read anew each time. */
    private static final int MAX_WINDOWS = 2_000;

    /**
     * Reads one window of successive long stretches whose windows are all alike, unless the share was larger than ever before. The
     * other windows are read one by one, without their contents, which are large; those are read of the wanted windows only.
     * OFFSET 0 keeps PostgreSQL from comparing each window with each stretch.
     */
    private static final String WINDOWS = """
            WITH summed AS (
                SELECT coalesce(lag(sequence) OVER bins, :after) AS after, sequence AS upto,
                    CASE WHEN kind_min = kind_max AND kind_max LIKE 'HOLDS %' THEN kind_max END AS kind,
                    asked_max > greatest(:largest / 1e6::double precision,
                        max(asked_max) OVER (bins ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS raised
                FROM window_rollup WHERE run_id = :run AND level = 3 AND sequence > :after
                WINDOW bins AS (ORDER BY sequence)),
            stretch AS (
                SELECT *, kind IS NULL OR raised AS whole,
                    lag(kind) OVER (ORDER BY upto) IS DISTINCT FROM kind AS other FROM summed),
            looked AS (
                SELECT judged.*, coalesce(lag(judgement) OVER entries, CAST(:judgement AS text)) AS before,
                    coalesce(lag(phase) OVER entries, CAST(:phase AS text)) AS phase_before,
                    greatest(:largest, max(asked_ppm) OVER (entries ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
                        AS largest,
                    lead(sequence) OVER entries IS NULL AS newest
                FROM (
                    SELECT window_of.* FROM stretch, LATERAL (
                        SELECT sequence, started_at, phase, judgement, asked_ppm FROM judged_window
                        WHERE run_id = :run AND sequence > stretch.after AND sequence <= stretch.upto OFFSET 0) window_of
                    WHERE whole
                    UNION ALL SELECT first_of.* FROM stretch, LATERAL (
                        SELECT sequence, started_at, phase, judgement, asked_ppm FROM judged_window
                        WHERE run_id = :run AND sequence > stretch.after AND sequence <= stretch.upto
                        ORDER BY sequence LIMIT 1) first_of
                    WHERE other AND NOT whole
                    UNION ALL SELECT sequence, started_at, phase, judgement, asked_ppm FROM judged_window
                    WHERE run_id = :run AND sequence > coalesce((SELECT max(upto) FROM summed), :after)) judged
                WINDOW entries AS (ORDER BY sequence)),
            wanted AS (
                SELECT *, judgement <> 'HOLDS' OR before IS DISTINCT FROM 'HOLDS' OR phase IS DISTINCT FROM phase_before
                    OR asked_ppm > largest AS changes
                FROM looked)
            SELECT wanted.*,
                CASE WHEN jsonb_typeof(content #> '{sut,requestsPerSecond}') = 'number'
                    THEN CAST(content #>> '{sut,requestsPerSecond}' AS double precision) END AS load,
                CASE WHEN wanted.judgement = 'BREACHED' AND before IS DISTINCT FROM 'BREACHED'
                    THEN jsonb_path_query_first(content,
                        '$.sla[*] ? (@.judgement == "BREACHED" && !(@.informational == true))') END AS broken,
                CASE WHEN wanted.judgement = 'BREACHED' AND before IS DISTINCT FROM 'BREACHED'
                    THEN jsonb_path_query_array(content,
                        'strict $.sut.gauges[*] ? (@[0] starts with "requests.slowest[")', '{}', true) END AS slowest
            FROM wanted, LATERAL (
                SELECT content FROM judged_window judged WHERE judged.run_id = :run
                    AND judged.sequence = wanted.sequence AND judged.started_at = wanted.started_at LIMIT 1) contents
            WHERE changes OR newest
            ORDER BY wanted.sequence""";

    /** The first entry behind the last one before the end. */
    private static final String END_DECIDED = """
            SELECT at, nanos FROM journal WHERE run_id = :run AND sequence = 1 + (
                SELECT sequence FROM journal WHERE run_id = :run AND phase NOT IN ('Restoring', 'Finished')
                ORDER BY sequence DESC LIMIT 1)""";

    /** The gauge of a slow request, as collectors report it. */
    private static final Pattern SLOW_REQUEST = Pattern.compile("requests\\.slowest\\[([0-9a-f]{16}|[0-9a-f]{32})]");

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    private final TraceProperties traces;

    private final Cache<String, KnownWindows> known = Caffeine.newBuilder().maximumSize(MAX_RUNS).build();

    RunHighlightsRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable, TraceProperties traces) {
        this.jdbc = jdbc;
        this.traces = traces;
        this.json = json;
        this.unreadable = unreadable;
    }

    /**
     * The windows of a run that change something, as far as they were read.
     *
     * @param sequence of the last window that was read; -1 before the first
     * @param judgement of that window
     * @param phase of that window
     * @param largest share that was requested so far, in ppm
     */
    private record KnownWindows(long sequence, @Nullable String judgement, @Nullable String phase, int largest,
            List<RunHighlights.Window> windows) {

        static final KnownWindows NONE = new KnownWindows(-1, null, null, -1, List.of());
    }

    /** Returns the highlights of a run; see {@link RunHighlights}. A window that cannot be read has neither its load nor its rule. */
    public List<RunHighlights.Sentence> of(StoredRun run) {
        KnownWindows read = readOn(run.id(),
                Objects.requireNonNullElse(known.getIfPresent(run.id()), KnownWindows.NONE));
        if (read.windows().size() <= MAX_WINDOWS) {
            known.put(run.id(), read);
        }
        return RunHighlights.of(run.state(), read.windows(),
                run.state().ending() == null ? null : endDecidedAt(run.id()));
    }

    private KnownWindows readOn(String runId, KnownWindows before) {
        return jdbc.sql(WINDOWS)
                .param("run", runId)
                .param("after", before.sequence())
                .param("judgement", before.judgement())
                .param("phase", before.phase())
                .param("largest", before.largest())
                .query(rows -> {
                    List<RunHighlights.Window> windows = new ArrayList<>(before.windows());
                    KnownWindows last = before;
                    while (rows.next()) {
                        if (rows.getBoolean("changes")) {
                            windows.add(window(rows, runId));
                        }
                        last = new KnownWindows(rows.getLong("sequence"), rows.getString("judgement"),
                                rows.getString("phase"), Math.max(rows.getInt("largest"), rows.getInt("asked_ppm")),
                                windows);
                    }
                    return last;
                });
    }

    private RunHighlights.Window window(ResultSet row, String runId) throws SQLException {
        String broken = row.getString("broken");
        String slowest = row.getString("slowest");
        Optional<Broken> read = broken == null && slowest == null
                ? Optional.empty()
                : unreadable.read(UnreadableRows.Kind.WINDOW, runId + "/" + row.getLong("sequence"),
                        () -> new Broken(broken == null ? null : json.read(broken, RuleResult.class),
                                slowest == null ? List.of() : slowest(json.read(slowest, GaugeSample[].class))));
        return new RunHighlights.Window(SqlTimestamps.read(row, "started_at"), row.getString("phase"),
                Judgement.valueOf(row.getString("judgement")), new Share(row.getInt("asked_ppm")),
                row.getObject("load", Double.class), read.map(Broken::rule).orElse(null),
                read.map(Broken::slowest).orElse(List.of()));
    }

    /** The parts of a {@link RunHighlights.Window} that are read from its content. */
    private record Broken(@Nullable RuleResult rule, List<TracedRequest> slowest) {}

    /** Returns the slowest requests, the slowest first. */
    private List<TracedRequest> slowest(GaugeSample[] gauges) {
        return Arrays.stream(gauges).sorted(Comparator.comparingDouble(GaugeSample::value).reversed())
                .flatMap(gauge -> traced(gauge).stream()).toList();
    }

    private Optional<TracedRequest> traced(GaugeSample gauge) {
        Matcher name = SLOW_REQUEST.matcher(gauge.name());
        return name.matches()
                ? Optional.of(new TracedRequest(name.group(1), gauge.value(), traces.link(name.group(1)).orElse(null)))
                : Optional.empty();
    }

    private @Nullable Instant endDecidedAt(String runId) {
        return jdbc.sql(END_DECIDED)
                .param("run", runId)
                .query((row, number) -> SqlTimestamps.read(row, "at").plusNanos(row.getInt("nanos")))
                .optional()
                .orElse(null);
    }
}
