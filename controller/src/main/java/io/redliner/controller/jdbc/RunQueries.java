// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.jdbc;

import io.redliner.controller.port.StoredRun;
import io.redliner.controller.run.JudgedWindow;
import io.redliner.controller.run.RunState;
import io.redliner.controller.run.Step;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads runs and what belongs to them. */
public final class RunQueries {

    static final String JOURNAL = """
            SELECT sequence, decided, event, decision FROM journal
            WHERE run_id = :run AND sequence > :after AND (notable OR NOT :notableOnly)
            ORDER BY sequence LIMIT :limit""";

    private final JdbcClient jdbc;

    private final RunJson json;

    private final StoredRunRows rows;

    private final JudgedWindowRows windows;

    public RunQueries(JdbcClient jdbc, RunJson json) {
        this.jdbc = jdbc;
        this.json = json;
        this.rows = new StoredRunRows(json);
        this.windows = new JudgedWindowRows(json);
    }

    /**
     * Which runs are wanted; what is absent does not filter.
     *
     * @param since submitted at or after
     * @param before only runs that come after this one in the order newest first
     */
    public record Filter(@Nullable String service, @Nullable String phase, @Nullable Instant since,
            @Nullable Position before, int limit) {}

    /** A place in the order of runs, newest first. */
    public record Position(Instant submittedAt, String id) {}

    /** The run with this id. */
    public Optional<StoredRun> find(String id) {
        return jdbc.sql(StoredRunRows.SELECT + " WHERE id = :id").param("id", id).query(rows::read).optional();
    }

    /** Runs, newest first. */
    public List<StoredRun> list(Filter filter) {
        return jdbc.sql(listSql(filter)).params(parameters(filter)).query(rows::read).list();
    }

    /** Each question has an index in its order. */
    static String listSql(Filter filter) {
        StringBuilder sql = new StringBuilder(StoredRunRows.SELECT + " WHERE true");
        append(sql, filter.service(), " AND service = :service");
        append(sql, filter.phase(), " AND phase = :phase");
        append(sql, filter.since(), " AND submitted_at >= :since");
        append(sql, filter.before(), " AND (submitted_at, id) < (:before, :beforeId)");
        return sql.append(" ORDER BY submitted_at DESC, id DESC LIMIT :limit").toString();
    }

    static Map<String, Object> parameters(Filter filter) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("limit", filter.limit());
        if (filter.service() != null) {
            parameters.put("service", filter.service());
        }
        if (filter.phase() != null) {
            parameters.put("phase", filter.phase());
        }
        if (filter.since() != null) {
            parameters.put("since", Times.sql(filter.since()));
        }
        if (filter.before() != null) {
            parameters.put("before", Times.sql(filter.before().submittedAt()));
            parameters.put("beforeId", filter.before().id());
        }
        return parameters;
    }

    private static void append(StringBuilder sql, @Nullable Object given, String condition) {
        if (given != null) {
            sql.append(condition);
        }
    }

    /** The run's steps that ended, in order. */
    public List<Step> steps(String runId) {
        return jdbc.sql("SELECT content FROM step WHERE run_id = :run ORDER BY number")
                .param("run", runId)
                .query((row, number) -> json.read(row.getString("content"), Step.class))
                .list();
    }

    /** The run's windows after a sequence, in order. */
    public List<JudgedWindow> windows(String runId, long after, int limit) {
        return jdbc.sql("""
                SELECT phase, asked_ppm, content FROM judged_window
                WHERE run_id = :run AND sequence > :after ORDER BY sequence LIMIT :limit""")
                .param("run", runId)
                .param("after", after)
                .param("limit", limit)
                .query(windows::read)
                .list();
    }

    /** The newest window of a run. */
    public Optional<JudgedWindow> newestWindow(String runId) {
        return jdbc.sql("""
                SELECT phase, asked_ppm, content FROM judged_window
                WHERE run_id = :run ORDER BY sequence DESC LIMIT 1""")
                .param("run", runId)
                .query(windows::read)
                .optional();
    }

    /** What a run was when it was registered; absent for runs of an older version. */
    public Optional<RunState> firstState(String runId) {
        return jdbc.sql("SELECT first_state FROM run WHERE id = :run AND first_state IS NOT NULL")
                .param("run", runId)
                .query((row, number) -> json.state(row.getString("first_state")))
                .optional();
    }

    /** Whether the journal and the windows of the run were removed, or are being removed, as they were kept long enough. */
    public boolean detailsRemoved(String runId) {
        return jdbc.sql("SELECT count(*) FROM run WHERE id = :run AND details <> 'Kept'")
                .param("run", runId)
                .query(Long.class)
                .single() > 0;
    }

    /** The run's journal after a sequence, in order; {@code notableOnly} leaves out renewals and signs of life. */
    public List<JournalEntry> journal(String runId, long after, int limit, boolean notableOnly) {
        return jdbc.sql(JOURNAL)
                .param("run", runId)
                .param("after", after)
                .param("notableOnly", notableOnly)
                .param("limit", limit)
                .query((row, number) -> new JournalEntry(row.getLong("sequence"),
                        Instant.parse(row.getString("decided")),
                        json.event(row.getString("event")), json.decision(row.getString("decision"))))
                .list();
    }
}
