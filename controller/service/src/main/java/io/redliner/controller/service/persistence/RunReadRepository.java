// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.Step;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads runs and what belongs to them. */
public final class RunReadRepository {

    static final String JOURNAL = JournalRows.SELECT + """
            WHERE entry.run_id = :run AND entry.sequence > :after AND (notable OR NOT :notableOnly)
            ORDER BY entry.sequence LIMIT :limit""";

    private static final String WINDOWS = "SELECT " + JudgedWindowRowMapper.COLUMNS
            + " FROM judged_window WHERE run_id = :run AND sequence > :after ORDER BY sequence LIMIT :limit";

    private static final String WINDOWS_OVER_TIME = "SELECT " + JudgedWindowRowMapper.COLUMNS + """
             FROM judged_window WHERE run_id = :run AND sequence %
                (SELECT (max(sequence) + :most - 1) / :most FROM judged_window WHERE run_id = :run) = 0
            ORDER BY sequence""";

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    private final JournalRows journal;

    private final RunRowMapper rows;

    private final JudgedWindowRowMapper windows;

    public RunReadRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
        this.journal = new JournalRows(jdbc, json, unreadable);
        this.rows = new RunRowMapper(json, unreadable);
        this.windows = new JudgedWindowRowMapper(json, unreadable);
    }

    /**
     * Selects runs; an absent component does not filter.
     *
     * @param since submitted at or after
     * @param before only runs that come after this one in the order newest first
     */
    public record Filter(@Nullable String service, @Nullable String phase, @Nullable Instant since,
            @Nullable Position before, int limit) {

        Filter page(@Nullable Position after, int rows) {
            return new Filter(service, phase, since, after, rows);
        }
    }

    /** A place in the order of runs, newest first. */
    public record Position(Instant submittedAt, String id) {}

    /**
     * Returns the run with this id; empty without one.
     *
     * @throws UnreadableRowException when its row cannot be read
     */
    public Optional<StoredRun> find(String id) {
        return jdbc.sql(RunRowMapper.SELECT + " WHERE id = :id").param("id", id).query(rows::read).optional();
    }

    /** Returns the runs with these ids that exist and can be read, by id. */
    public Map<String, StoredRun> find(Collection<String> ids) {
        return ids.isEmpty()
                ? Map.of()
                : jdbc.sql(RunRowMapper.SELECT + " WHERE id = ANY(:ids)")
                        .param("ids", ids.toArray(String[]::new))
                        .query(rows::readOrSkip)
                        .list().stream()
                        .flatMap(Optional::stream)
                        .collect(Collectors.toMap(StoredRun::id, Function.identity()));
    }

    /**
     * Returns the live runs of a stored plan's versions, newest first, and the newest one of them and a service that is over. Runs of
     * another plan of this name, which nobody stored, are not among them.
     *
     * @param since the run that is over was submitted at or after it
     * @param members runs of the plan's series
     */
    public List<StoredRun> ofPlan(String plan, String service, Instant since, List<String> members) {
        String own = " AND (plan_hash IN (SELECT stored.hash FROM plan_version stored WHERE stored.plan_name = :plan)"
                + " OR id = ANY(:members)) ORDER BY submitted_at DESC, id DESC";
        Stream<StoredRun> live = jdbc
                .sql(RunRowMapper.SELECT + " WHERE phase <> 'Finished' AND plan_name = :plan" + own)
                .param("plan", plan)
                .param("members", members.toArray(String[]::new))
                .query(rows::readOrSalvage)
                .list()
                .stream();
        Stream<StoredRun> over = jdbc
                .sql(RunRowMapper.SELECT
                        + " WHERE phase = 'Finished' AND service = :service AND plan_name = :plan"
                        + " AND submitted_at >= :since" + own + " LIMIT 1")
                .param("members", members.toArray(String[]::new))
                .param("service", service)
                .param("plan", plan)
                .param("since", SqlTimestamps.sql(since))
                .query(rows::readOrSkip)
                .list()
                .stream()
                .flatMap(Optional::stream);
        return Stream.concat(live, over).toList();
    }

    /** The progress of a run. The version grows with each decision. */
    public record Progress(long version, boolean finished) {}

    /** Returns the progress of the run with this id. */
    public Optional<Progress> progress(String id) {
        return jdbc.sql("SELECT version, phase = 'Finished' AS finished FROM run WHERE id = :id")
                .param("id", id)
                .query((row, number) -> new Progress(row.getLong("version"), row.getBoolean("finished")))
                .optional();
    }

    /** Runs, newest first; without those that cannot be read. */
    public List<StoredRun> list(Filter filter) {
        return Row.page(filter.before(), filter.limit(), (after, limit) -> {
            Filter page = filter.page(after, limit);
            return jdbc.sql(listSql(page)).params(parameters(page)).query(this::row).list();
        });
    }

    private Row<Position, StoredRun> row(ResultSet row, int number) throws SQLException {
        return new Row<>(new Position(SqlTimestamps.read(row, "submitted_at"), row.getString("id")),
                rows.readOrSkip(row, number));
    }

    /** Returns the statement of a filter. Each combination has an index in its order. */
    static String listSql(Filter filter) {
        return RunRowMapper.SELECT + " WHERE true" + (filter.service() == null ? "" : " AND service = :service")
                + (filter.phase() == null ? "" : " AND phase = :phase")
                + (filter.since() == null ? "" : " AND submitted_at >= :since")
                + (filter.before() == null ? "" : " AND (submitted_at, id) < (:before, :beforeId)")
                + " ORDER BY submitted_at DESC, id DESC LIMIT :limit";
    }

    /** Returns the parameters of the statement. A parameter that it does not name does no harm. */
    static Map<String, @Nullable Object> parameters(Filter filter) {
        Position before = filter.before();
        Map<String, @Nullable Object> parameters = new HashMap<>();
        parameters.put("limit", filter.limit());
        parameters.put("service", filter.service());
        parameters.put("phase", filter.phase());
        parameters.put("since", filter.since() == null ? null : SqlTimestamps.sql(filter.since()));
        parameters.put("before", before == null ? null : SqlTimestamps.sql(before.submittedAt()));
        parameters.put("beforeId", before == null ? null : before.id());
        return parameters;
    }

    /** Returns the run's steps that ended, in order; without those that cannot be read. */
    public List<Step> steps(String runId) {
        return jdbc.sql("SELECT number, content FROM step WHERE run_id = :run ORDER BY number")
                .param("run", runId)
                .query((row, number) -> step(runId, row.getInt("number"), row.getString("content")))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Step> step(String runId, int number, String content) {
        return unreadable.read(UnreadableRows.Kind.STEP, runId + "/" + number, () -> json.read(content, Step.class));
    }

    /** Returns the run's windows after a sequence, in order; without those that cannot be read. */
    public List<JudgedWindow> windows(String runId, long after, int limit) {
        return Row.page(after, limit, (position, rest) -> jdbc.sql(WINDOWS)
                .param("run", runId)
                .param("after", requireNonNull(position))
                .param("limit", rest)
                .query(windows.of(runId))
                .list());
    }

    /** Returns the run's windows in order, of too many each so-manieth one; without those that cannot be read. */
    public List<JudgedWindow> windowsOverTime(String runId, int points) {
        return jdbc.sql(WINDOWS_OVER_TIME)
                .param("run", runId)
                .param("most", points)
                .query(windows.of(runId))
                .list()
                .stream()
                .flatMap(row -> row.content().stream())
                .toList();
    }

    /**
     * Returns the run's windows after a sequence, in order, for results that would be wrong without one of them.
     *
     * @throws UnreadableRowException when one cannot be read
     */
    public List<JudgedWindow> everyWindow(String runId, long after, int limit) {
        return jdbc.sql(WINDOWS)
                .param("run", runId)
                .param("after", after)
                .param("limit", limit)
                .query(windows.required(runId))
                .list();
    }

    /** Returns the newest window of a run; empty, too, when it cannot be read. */
    public Optional<JudgedWindow> newestWindow(String runId) {
        return jdbc.sql("SELECT " + JudgedWindowRowMapper.COLUMNS
                + " FROM judged_window WHERE run_id = :run ORDER BY sequence DESC LIMIT 1")
                .param("run", runId)
                .query(windows.of(runId))
                .optional()
                .flatMap(Row::content);
    }

    /** Returns the state that a run was registered with; empty when there is no run with this id. */
    public Optional<RunState> firstState(String runId) {
        return jdbc.sql("SELECT first_state FROM run WHERE id = :run")
                .param("run", runId)
                .query((row, number) -> json.state(row.getString("first_state")))
                .optional();
    }

    /** Returns true when the run's journal and windows were removed, or are being removed, after their retention time. */
    public boolean detailsRemoved(String runId) {
        return jdbc.sql("SELECT count(*) FROM run WHERE id = :run AND details <> 'Kept'")
                .param("run", runId)
                .query(Long.class)
                .single() > 0;
    }

    /**
     * Returns the run's journal after a sequence, in order, without entries that cannot be read; {@code notableOnly} leaves out
     * renewals and signs of life.
     */
    public List<JournalNote> journal(String runId, long after, int limit, boolean notableOnly) {
        return Row.page(after, limit, (position, rest) -> jdbc.sql(JOURNAL)
                .param("run", runId)
                .param("after", requireNonNull(position))
                .param("notableOnly", notableOnly)
                .param("limit", rest)
                .query((row, number) -> journal.note(row, runId))
                .list());
    }

    /** Returns the run's whole journal, to be read from its beginning. */
    public JournalExport export(String runId) {
        return new JournalExport(jdbc, json, runId);
    }
}
