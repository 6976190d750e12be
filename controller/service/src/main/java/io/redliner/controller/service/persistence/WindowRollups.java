// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.timeline.Stretch;
import io.redliner.controller.service.report.WindowAggregate;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores the windows of runs summed up, stretch by stretch. The stretches of a level are twice as long as those of the level
 * below, so that a few of them cover any time.
 */
public final class WindowRollups {

    /** Windows in memory at once. */
    private static final int BATCH = 1_000;

    /** Stretches of windows that are stored at once. */
    private static final int AT_ONCE = 64;

    /** A stretch of it is longer than any run: 38 days of the shortest windows. */
    private static final int TOP = 17;

    private final JdbcClient jdbc;

    private final TransactionTemplate transaction;

    private final RunJsonMapper json;

    private final RunHistoryRepository history;

    public WindowRollups(JdbcClient jdbc, TransactionTemplate transaction, RunJsonMapper json,
            RunHistoryRepository history) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.json = json;
        this.history = history;
    }

    /**
     * A stretch that is kept.
     *
     * @param lastSequence the largest of its windows
     */
    public record Kept<T>(Instant startsAt, Instant endsAt, long lastSequence, T content) {}

    /** Reads the wanted part of a stretch. */
    @FunctionalInterface
    private interface Reader<T> {

        T read(ResultSet row) throws SQLException;
    }

    /** The wanted part of a stretch: charts and reports each read one half. */
    private record Part<T>(String columns, Reader<T> reader) {}

    /**
     * The stretches that cover some time of a run, in order, for charts. Windows that begin before the first stretch or after
     * the last are in none.
     *
     * @param longest no stretch is longer
     * @param from stretches may begin then; absent: the run's first one may begin before it
     */
    public List<Kept<Stretch>> stretches(StoredRun run, Duration longest, @Nullable Instant from,
            @Nullable Instant to) {
        return covering(run, longest, from, to, new Part<>("stretch", this::stretch));
    }

    /**
     * The aggregates of the stretches that cover a run, for reports. Windows after the last stretch are in none.
     *
     * @param least the smallest number of stretches that a long run is divided into; the largest is twice as many
     */
    public List<Kept<WindowAggregate>> aggregates(StoredRun run, int least) {
        Duration longest = newest(run.id()).map(last -> Duration.between(run.submittedAt(), last).dividedBy(least))
                .filter(Duration::isPositive).orElse(Duration.ZERO);
        return covering(run, longest, null, null, new Part<>("rules", this::aggregate));
    }

    private <T> List<Kept<T>> covering(StoredRun run, Duration longest, @Nullable Instant from, @Nullable Instant to,
            Part<T> part) {
        List<Kept<T>> all = new ArrayList<>();
        int level = Long.SIZE - 1 - Long.numberOfLeadingZeros(longest.dividedBy(length(run, 0)));
        cover(all, run.id(), Math.min(level, TOP), from == null ? Instant.MIN : from, to == null ? Instant.MAX : to,
                part);
        return all;
    }

    /** Covers a time with the longest stretches, and the rest before and after them with shorter ones. */
    private <T> void cover(List<Kept<T>> all, String runId, int level, Instant from, Instant to, Part<T> part) {
        if (level < 0 || !from.isBefore(to)) {
            return;
        }
        List<Kept<T>> found = find(runId, level, from, to, part);
        if (found.isEmpty()) {
            cover(all, runId, level - 1, from, to, part);
        } else {
            cover(all, runId, level - 1, from, found.getFirst().startsAt(), part);
            all.addAll(found);
            cover(all, runId, level - 1, found.getLast().endsAt(), to, part);
        }
    }

    private <T> List<Kept<T>> find(String runId, int level, Instant from, Instant to, Part<T> part) {
        return jdbc.sql("""
                SELECT starts_at, ends_at, last_sequence, %s FROM window_rollup
                WHERE run_id = :run AND level = :level AND starts_at >= :from AND ends_at <= :to
                ORDER BY starts_at""".formatted(part.columns()))
                .param("run", runId)
                .param("level", level)
                .param("from", SqlTimestamps.sql(from))
                .param("to", SqlTimestamps.sql(to))
                .query((row, number) -> new Kept<>(SqlTimestamps.read(row, "starts_at"),
                        SqlTimestamps.read(row, "ends_at"),
                        row.getLong("last_sequence"), part.reader().read(row)))
                .list();
    }

    private Stretch stretch(ResultSet row) throws SQLException {
        return json.read(row.getString("stretch"), Stretch.class);
    }

    private WindowAggregate aggregate(ResultSet row) throws SQLException {
        return json.read(row.getString("rules"), WindowAggregate.class);
    }

    private WindowRollup both(ResultSet row) throws SQLException {
        return new WindowRollup(stretch(row), aggregate(row));
    }

    private static Duration length(StoredRun run, int level) {
        return WindowRollup.length(run.state().facts().bounds().window()).multipliedBy(1L << level);
    }

    /** The end of a run's stretches so far. */
    private record End(Instant at, long lastSequence) {}

    /**
     * Adds the stretches of a run that are over. Two controllers may do so at once.
     *
     * @return where the run's shortest stretches end now; empty while there is none
     */
    public Optional<Instant> add(StoredRun run) {
        Optional<Instant> newest = newest(run.id());
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        End end = end(run.id(), 0);
        Instant over = WindowRollup.begin(newest.get(), length(run, 0));
        while (end.at().isBefore(over)) {
            List<Kept<WindowRollup>> next = ofWindows(run, end, over);
            if (next.isEmpty()) {
                break;
            }
            transaction.executeWithoutResult(status -> {
                next.forEach(one -> write(run.id(), 0, one));
                addLonger(run, next.getLast().endsAt());
            });
            end = new End(next.getLast().endsAt(), next.getLast().lastSequence());
        }
        return Optional.of(end.at()).filter(Instant.EPOCH::isBefore);
    }

    /** The beginning of the newest window; windows come in the order of their sequence. */
    private Optional<Instant> newest(String runId) {
        return jdbc.sql("SELECT started_at FROM judged_window WHERE run_id = :run ORDER BY sequence DESC LIMIT 1")
                .param("run", runId)
                .query((row, number) -> SqlTimestamps.read(row, "started_at"))
                .optional();
    }

    private End end(String runId, int level) {
        return jdbc.sql("""
                SELECT ends_at, last_sequence FROM window_rollup WHERE run_id = :run AND level = :level
                ORDER BY starts_at DESC LIMIT 1""")
                .param("run", runId)
                .param("level", level)
                .query((row, number) -> new End(SqlTimestamps.read(row, "ends_at"), row.getLong("last_sequence")))
                .optional()
                .orElse(new End(Instant.EPOCH, 0));
    }

    /** The next stretches of the lowest level. */
    private List<Kept<WindowRollup>> ofWindows(StoredRun run, End end, Instant over) {
        List<Kept<WindowRollup>> added = new ArrayList<>();
        Duration length = length(run, 0);
        long after = end.lastSequence();
        List<JudgedWindow> batch;
        do {
            batch = history.everyWindow(run.id(), after, end.at(), over, BATCH);
            for (JudgedWindow window : batch) {
                after = window.verdict().sequence();
                take(added, window.verdict().windowStart(), after, WindowRollup.of(window), length);
            }
        } while (batch.size() == BATCH && added.size() <= AT_ONCE);
        // The last one is whole only when all windows were read.
        return batch.size() == BATCH ? List.copyOf(added.subList(0, added.size() - 1)) : added;
    }

    /** Adds the stretches of the levels above the lowest, each level from the one below; the lowest one ends then. */
    private void addLonger(StoredRun run, Instant lowestEnds) {
        Part<WindowRollup> both = new Part<>("stretch, rules", this::both);
        Instant belowEnds = lowestEnds;
        for (int level = 1; level <= TOP; level++) {
            Duration length = length(run, level);
            End end = end(run.id(), level);
            Instant over = WindowRollup.begin(belowEnds, length);
            List<Kept<WindowRollup>> added = new ArrayList<>();
            find(run.id(), level - 1, end.at(), over, both)
                    .forEach(one -> take(added, one.startsAt(), one.lastSequence(), one.content(), length));
            if (added.isEmpty()) {
                return;
            }
            int of = level;
            added.forEach(one -> write(run.id(), of, one));
            belowEnds = added.getLast().endsAt();
        }
    }

    private static void take(List<Kept<WindowRollup>> stretches, Instant at, long sequence, WindowRollup one,
            Duration length) {
        Instant begin = WindowRollup.begin(at, length);
        Kept<WindowRollup> last = stretches.isEmpty() ? null : stretches.getLast();
        if (last != null && last.startsAt().equals(begin)) {
            stretches.set(stretches.size() - 1, new Kept<>(begin, last.endsAt(), sequence, last.content().and(one)));
        } else if (last == null || last.startsAt().isBefore(begin)) {
            stretches.add(new Kept<>(begin, begin.plus(length), sequence, one));
        }
    }

    private void write(String runId, int level, Kept<WindowRollup> one) {
        jdbc.sql("""
                INSERT INTO window_rollup (run_id, level, starts_at, ends_at, last_sequence, stretch, rules)
                VALUES (:run, :level, :start, :end, :sequence, CAST(:stretch AS jsonb), CAST(:rules AS jsonb))
                ON CONFLICT DO NOTHING""")
                .param("run", runId)
                .param("level", level)
                .param("start", SqlTimestamps.sql(one.startsAt()))
                .param("end", SqlTimestamps.sql(one.endsAt()))
                .param("sequence", one.lastSequence())
                .param("stretch", json.write(one.content().stretch()))
                .param("rules", json.write(one.content().aggregate()))
                .update();
    }
}
