// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.service.report.RuleSummary;
import io.redliner.controller.service.report.WindowBucket;
import io.redliner.controller.service.report.WindowSummary;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Sums up the windows of runs by buckets of time, for charts and reports. PostgreSQL computes the sums from the windows themselves
 * and from the table {@code window_rollup}, which the same statements fill.
 */
public final class WindowSums {

    /** Windows that one statement adds to the table at most. */
    private static final int BATCH = 2_000;

    /** The highest level of the table: a bucket of it is 512 windows long. */
    private static final int MAX_LEVEL = 3;

    /** Binary logarithm of the length of a level's buckets, in buckets of the level below. */
    private static final int LEVEL_BITS = 3;

    private static final String BIN = "date_bin(:width * interval '1 millisecond', bin, 'epoch') AS bin";

    /** The columns of the table that a bucket's row has, in their order. */
    private static final String SUMS = "SELECT " + BIN + """
            , min(starts_at) AS starts_at, max(ends_at) AS ends_at, max(sequence) AS sequence, sum(windows) AS windows,
                sum(unreadable) AS unreadable, sum(breached) AS breached, sum(inconclusive) AS inconclusive,
                max(asked_max) AS asked_max, min(asked_min) AS asked_min, max(share_max) AS share_max,
                min(share_min) AS share_min, sum(share_sum) AS share_sum, sum(rate_sum) AS rate_sum,
                max(rate_max) AS rate_max, min(rate_min) AS rate_min, sum(service_rate_sum) AS service_rate_sum,
                max(p50) AS p50, max(slowest) AS slowest, max(newest) AS newest, max(rule_value) AS rule_value,
                min(threshold) AS threshold, sum(completed) AS completed, sum(errors) AS errors,
                max(error_ratio) AS error_ratio, max(in_flight) AS in_flight, sum(harm) AS harm,
                max(utilisation) AS utilisation, sum(peers_rate_sum) AS peers_rate_sum, max(peers_p50) AS peers_p50,
                max(peers_p99) AS peers_p99, max(peers_error_ratio) AS peers_error_ratio, max(estimate) AS estimate,
                max(latency_rule) AS latency_rule, min(kind_min) AS kind_min, max(kind_max) AS kind_max
            FROM part GROUP BY 1
            """;

    private static final String GAUGES = "SELECT " + BIN + """
            , gauge.peers, gauge.name, max(gauge.unit) AS unit, max(gauge.value) AS value
            FROM part, unnest(gauges) AS gauge WHERE NOT starts_with(gauge.name, 'requests.slowest[') GROUP BY 1, 2, 3
            """;

    private static final String RULES = """
            SELECT %s, rule.name, rule.guard, min(rule.number) AS number, sum(rule.windows) AS windows,
                sum(rule.breached) AS breached, sum(rule.inconclusive) AS inconclusive,
                sum(rule.baseline_windows) AS baseline_windows, sum(rule.baseline_breached) AS baseline_breached,
                max(rule.worst) AS worst
            FROM part, unnest(rules) AS rule GROUP BY 1, 2, 3
            """;

    private static final String ADD = """
            INSERT INTO window_rollup
            WITH part AS MATERIALIZED (
                SELECT * FROM (SELECT * FROM window_sum UNION ALL SELECT * FROM window_rollup) AS below
                WHERE run_id = :run AND level = :level - 1 AND sequence > :after AND bin < :over)
            SELECT :run, :level, sums.*, gauges, rules FROM (%s) AS sums
            LEFT JOIN (SELECT bin, array_agg(CAST(ROW(peers, name, unit, value) AS gauge_sum)) AS gauges
                FROM (%s) AS gauge GROUP BY bin) AS gauge USING (bin)
            LEFT JOIN (SELECT bin, array_agg(CAST(ROW(name, guard, number, windows, breached, inconclusive,
                    baseline_windows, baseline_breached, worst) AS rule_sum)) AS rules
                FROM (%s) AS rule GROUP BY bin) AS rule USING (bin)
            ON CONFLICT DO NOTHING""".formatted(SUMS, GAUGES, RULES.formatted(BIN));

    /** The sequences of the windows within a span, found by the buckets before and after it. */
    private static final String WITHIN = """
            run_id = :run AND sequence > coalesce((SELECT sequence FROM window_rollup
                    WHERE run_id = :run AND level = 1 AND bin < :from ORDER BY bin DESC OFFSET 1 LIMIT 1), 0)
                AND sequence <= coalesce((SELECT sequence FROM window_rollup
                    WHERE run_id = :run AND level = 1 AND bin >= :to ORDER BY bin LIMIT 1), 9223372036854775807)
            """;

    /** The buckets of a level that lie wholly within a span, and the windows before and after them. */
    private static final String PART = """
            WITH stretch AS MATERIALIZED (
                SELECT * FROM window_rollup WHERE run_id = :run AND level = :level AND starts_at >= :from
                    AND bin > CAST(:from AS timestamptz) - :length * interval '1 millisecond'
                    AND bin <= CAST(:to AS timestamptz) - :length * interval '1 millisecond'),
            part AS (
                SELECT * FROM stretch
                UNION ALL SELECT * FROM window_sum
                WHERE %1$s AND bin >= :from AND bin < coalesce((SELECT min(bin) FROM stretch), :to)
                    AND sequence <= coalesce((SELECT min(sequence) FROM stretch), 9223372036854775807)
                UNION ALL SELECT * FROM window_sum
                WHERE %1$s AND bin < :to AND sequence > (SELECT max(sequence) FROM stretch))
            """.formatted(WITHIN);

    /** The values begin behind the latency rule; only reports have those whose names have a dot. */
    private static final String POINTS = PART
            + """
                    SELECT starts_at, ends_at, windows, unreadable, sequence, newest, latency_rule,
                        asked_max AS "shareAsked", asked_min AS "shareAskedMin", share_max AS "shareMeasured",
                        share_min AS "shareMeasuredMin", rate_sum / number AS "requestsPerSecond",
                        rate_max AS "requestsPerSecondMax", rate_min AS "requestsPerSecondMin",
                        service_rate_sum / number AS "serviceRequestsPerSecond", p50 AS "latencyP50Seconds",
                        slowest[1] AS "latencyP99Seconds", rule_value AS "latencyRuleSeconds",
                        threshold AS "latencyThresholdSeconds", completed, errors, error_ratio AS "errorRatio",
                        in_flight AS "inFlight", harm AS "harmRequests", utilisation, breached, inconclusive,
                        peers_rate_sum / number AS "peersRequestsPerSecond", peers_p50 AS "peersLatencyP50Seconds",
                        peers_p99 AS "peersLatencyP99Seconds", peers_error_ratio AS "peersErrorRatio",
                        estimate[2] AS "estimateCapacity", estimate[3] AS "estimateLow",
                        CASE WHEN estimate[4] > 0 THEN estimate[4] END AS "estimateHigh", slowest[3] AS "requestsPerSecondAtP99",
                        CAST(newest[4] AS double precision) AS ".asked", share_sum / number AS ".measured",
                        slowest[4] AS ".p50", slowest[5] AS ".peersP99", slowest[6] AS ".breached",
                        coalesce(CAST(newest[5] AS double precision), threshold) AS ".threshold"
                    FROM ("""
            + SUMS + ") AS sums, LATERAL (SELECT nullif(windows, 0) AS number) AS counted ORDER BY bin";

    private static final int FIRST_VALUE = 8;

    private static final String SUMMED_RULES = PART
            + "SELECT rule.*, run_id, sequence, content, started_at FROM ("
            + RULES.formatted("CAST('epoch' AS timestamptz) AS bin") + """
                    ) AS rule JOIN judged_window ON run_id = :run AND judged_window.sequence = CAST(-worst[3] AS bigint)
                    ORDER BY guard, number""";

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public WindowSums(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /** The beginnings of the first and the last window of a run. */
    public record Span(Instant first, Instant last) {}

    /**
     * The windows within a span, summed up.
     *
     * @param width the length of the buckets, which begin at multiples of it since 1970
     * @param metrics the names of the values
     * @param unreadable windows that cannot be read, and are in no bucket
     * @param latencyRule name and expression of the rule that is the red line in a chart of latencies, from the newest window that
     *            has one; empty when no rule is about a time
     */
    public record Chart(Duration width, List<String> metrics, List<WindowBucket> buckets, long unreadable,
            List<String> latencyRule) {}

    /** The largest value of a gauge in one bucket, of the SUT or of its peers. */
    public record GaugePeak(Instant bin, boolean peers, String name, String unit, double value) {}

    /** Returns the first and the last beginning of the run's windows that began within some time; empty without any. */
    public Optional<Span> span(String runId, @Nullable Instant from, @Nullable Instant to) {
        return started(runId, from, to, "ASC")
                .flatMap(first -> started(runId, from, to, "DESC").map(last -> new Span(first, last)));
    }

    private Optional<Instant> started(String runId, @Nullable Instant from, @Nullable Instant to, String order) {
        return jdbc.sql("SELECT started_at FROM judged_window WHERE " + WITHIN
                + "AND started_at >= :from AND started_at < :to ORDER BY sequence " + order + " LIMIT 1")
                .param("run", runId)
                .param("from", SqlTimestamps.sql(from == null ? Instant.MIN : from))
                .param("to", SqlTimestamps.sql(to == null ? Instant.MAX : to))
                .query((row, number) -> SqlTimestamps.read(row, "started_at"))
                .optional();
    }

    private static long window(StoredRun run) {
        return Math.max(1, run.state().facts().bounds().window().toMillis());
    }

    /**
     * Returns the smallest width with which a span, cut at both ends, gives at most {@code points} points. It is the window's
     * length times a power of two, so that points keep their places when windows are added.
     */
    private static Duration width(StoredRun run, Span span, int points) {
        long length = Math.max(0, Duration.between(span.first(), span.last()).toMillis());
        long width = window(run);
        while (length / width + 2 > points && length >= width) {
            width *= 2;
        }
        return Duration.ofMillis(width);
    }

    /**
     * Sums up the windows within a span.
     *
     * @param span absent without windows
     * @param points buckets, at least 2; where there are no windows, there is none
     * @throws UnreadableRowException when PostgreSQL cannot read a window
     */
    public Chart chart(StoredRun run, @Nullable Span span, int points) {
        Span within = span == null ? new Span(Instant.EPOCH, Instant.EPOCH) : span;
        Duration width = width(run, within, points);
        return readable(run, () -> about(POINTS, run, within, width).query(rows -> {
            List<String> names = new ArrayList<>();
            for (int column = FIRST_VALUE; column <= rows.getMetaData().getColumnCount(); column++) {
                names.add(rows.getMetaData().getColumnLabel(column));
            }
            List<WindowBucket> buckets = new ArrayList<>();
            List<String> rule = List.of();
            long broken = 0;
            while (rows.next()) {
                broken += rows.getLong("unreadable");
                Array ofBucket = rows.getArray("latency_rule");
                if (ofBucket != null) {
                    String[] texts = (String[]) ofBucket.getArray();
                    rule = List.of(texts[1], texts[2]);
                }
                if (rows.getLong("windows") > 0) {
                    buckets.add(bucket(rows, names));
                }
            }
            return new Chart(width, names.stream().filter(name -> !name.startsWith(".")).toList(), buckets, broken,
                    rule);
        }));
    }

    private static WindowBucket bucket(ResultSet row, List<String> names) throws SQLException {
        Map<String, Double> values = new LinkedHashMap<>();
        Map<String, Double> reportValues = new LinkedHashMap<>();
        for (int index = 0; index < names.size(); index++) {
            double value = row.getDouble(FIRST_VALUE + index);
            if (!row.wasNull()) {
                String name = names.get(index);
                if (name.startsWith(".")) {
                    reportValues.put(name.substring(1), value);
                } else {
                    values.put(name, value);
                }
            }
        }
        String[] newest = (String[]) row.getArray("newest").getArray();
        return new WindowBucket(SqlTimestamps.read(row, "starts_at"), SqlTimestamps.read(row, "ends_at"),
                row.getLong("windows"), row.getLong("sequence"), newest[1], Integer.parseInt(newest[2]), values,
                reportValues);
    }

    /** Returns the gauges within a span, in the buckets of its chart. */
    public List<GaugePeak> gauges(StoredRun run, Span span, Duration width) {
        return readable(run, () -> about(PART + GAUGES, run, span, width)
                .query((row, number) -> new GaugePeak(SqlTimestamps.read(row, "bin"), row.getBoolean("peers"),
                        row.getString("name"), row.getString("unit"), row.getDouble("value")))
                .list());
    }

    /**
     * Sums up a whole run.
     *
     * @throws UnreadableRowException when a window cannot be read: the sums would be wrong without it
     */
    public WindowSummary summary(StoredRun run) {
        Span span = span(run.id(), null, null).orElse(null);
        if (span == null) {
            return new WindowSummary(List.of(), List.of());
        }
        Chart chart = chart(run, span, WindowSummary.MAX_BUCKETS);
        if (chart.unreadable() > 0) {
            throw new UnreadableRowException(UnreadableRows.Kind.WINDOW, run.id(),
                    new IllegalStateException(chart.unreadable() + " windows are damaged"));
        }
        return new WindowSummary(
                readable(run, () -> about(SUMMED_RULES, run, span, chart.width()).query(this::rule).list()),
                chart.buckets());
    }

    private RuleSummary rule(ResultSet row, int number) throws SQLException {
        String content = row.getString("content");
        WindowVerdict verdict = unreadable.require(UnreadableRows.Kind.WINDOW,
                row.getString("run_id") + "/" + row.getLong("sequence"), () -> json.read(content, WindowVerdict.class));
        String name = row.getString("name");
        RuleResult result = Stream.concat(verdict.sla().stream(), verdict.guards().stream())
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new RuleSummary(name, result.expression(), row.getBoolean("guard"), result.informational(),
                row.getLong("windows"), row.getLong("breached"), row.getLong("inconclusive"),
                row.getLong("baseline_windows"), row.getLong("baseline_breached"), result,
                SqlTimestamps.read(row, "started_at"));
    }

    /** Asks about the windows of a run; one that PostgreSQL cannot read fails the question. */
    private static <T> T readable(StoredRun run, Supplier<T> question) {
        try {
            return question.get();
        } catch (DataIntegrityViolationException damaged) {
            throw new UnreadableRowException(UnreadableRows.Kind.WINDOW, run.id(), damaged);
        }
    }

    /** Returns a statement about a span, with the longest buckets of the table that are not longer than the width. */
    private JdbcClient.StatementSpec about(String sql, StoredRun run, Span span, Duration width) {
        long times = width.toMillis() / window(run);
        int level = Math.min(MAX_LEVEL, (Long.SIZE - 1 - Long.numberOfLeadingZeros(times)) / LEVEL_BITS);
        return jdbc.sql(sql)
                .param("run", run.id())
                .param("level", level)
                .param("length", length(run, level))
                .param("from", SqlTimestamps.sql(span.first()))
                .param("to", SqlTimestamps.sql(span.last().plusMillis(1)))
                .param("width", width.toMillis());
    }

    private static long length(StoredRun run, int level) {
        return window(run) << (LEVEL_BITS * level);
    }

    /**
     * Returns the ids of the runs whose windows may not all have been summed up: live ones, and those that ended at or after an
     * instant, or whose peaks are not taken yet.
     */
    public Set<String> pending(Instant since) {
        return Set.copyOf(jdbc.sql("""
                SELECT id FROM run WHERE phase <> 'Finished'
                UNION SELECT id FROM run WHERE phase = 'Finished' AND peaks_at IS NULL
                UNION SELECT id FROM run WHERE phase = 'Finished' AND details <> 'Gone' AND finished_at >= :since""")
                .param("since", SqlTimestamps.sql(since))
                .query(String.class)
                .list());
    }

    /** Adds the finished buckets of a run to the table. Two controllers may do so at once. */
    public void add(StoredRun run) {
        IntStream.rangeClosed(1, MAX_LEVEL).forEach(level -> {
            int added;
            do {
                added = add(run, level);
            } while (added > 0);
        });
    }

    private int add(StoredRun run, int level) {
        long after = jdbc.sql("""
                SELECT sequence FROM window_rollup WHERE run_id = :run AND level = :level ORDER BY bin DESC LIMIT 1""")
                .param("run", run.id())
                .param("level", level)
                .query(Long.class)
                .optional()
                .orElse(0L);
        Instant newest = level == 1 ? newestWindow(run.id(), after) : newestEnd(run, level - 1);
        long length = length(run, level);
        Instant over = newest == null
                ? Instant.EPOCH
                : Instant.ofEpochMilli(Math.floorDiv(newest.toEpochMilli(), length) * length);
        return jdbc.sql(ADD)
                .param("run", run.id())
                .param("level", level)
                .param("after", after)
                .param("over", SqlTimestamps.sql(over))
                .param("width", length)
                .update();
    }

    /** Returns the last of the next windows. */
    private @Nullable Instant newestWindow(String runId, long after) {
        return jdbc.sql("""
                SELECT max(started_at) AS newest FROM (SELECT started_at FROM judged_window
                    WHERE run_id = :run AND sequence > :after ORDER BY sequence LIMIT :batch) AS next""")
                .param("run", runId)
                .param("after", after)
                .param("batch", BATCH)
                .query((row, number) -> Optional.ofNullable(SqlTimestamps.readIfAny(row, "newest")))
                .single()
                .orElse(null);
    }

    private @Nullable Instant newestEnd(StoredRun run, int level) {
        return jdbc.sql("SELECT max(bin) AS newest FROM window_rollup WHERE run_id = :run AND level = :level")
                .param("run", run.id())
                .param("level", level)
                .query((row, number) -> Optional.ofNullable(SqlTimestamps.readIfAny(row, "newest")))
                .single()
                .map(bin -> bin.plusMillis(length(run, level)))
                .orElse(null);
    }
}
