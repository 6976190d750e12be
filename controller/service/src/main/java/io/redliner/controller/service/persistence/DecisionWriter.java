// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunCommand;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.Step;
import io.redliner.controller.core.run.WindowVerdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * Writes all traces of decisions, of many runs at once: one statement for each kind of trace, whatever their number. To be
 * called within a transaction.
 */
final class DecisionWriter {

    /** A state is made out from that many entries at most. */
    private static final int STATE_EVERY = 64;

    /** The newest state is made out from the run's row and less than that many entries. */
    private static final int NEWEST_STATE_EVERY = 8;

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final CapacityRepository capacities;

    DecisionWriter(JdbcClient jdbc, RunJsonMapper json, CapacityRepository capacities) {
        this.jdbc = jdbc;
        this.json = json;
        this.capacities = capacities;
    }

    /**
     * Writes what was decided.
     *
     * @param made decisions; those of one run in the order in which they were made
     * @return the runs whose decisions were written; a run that another controller has changed since is not among them
     */
    Set<String> write(List<DecisionRecord> made) {
        Set<String> kept = states(made);
        List<DecisionRecord> ours = made.stream().filter(one -> kept.contains(one.runId())).toList();
        if (!ours.isEmpty()) {
            journal(ours, windows(ours));
            steps(ours);
            ours.forEach(this::capacities);
        }
        return kept;
    }

    /** Stores the new states. Returns the runs that had not changed since the decisions were made. */
    private Set<String> states(List<DecisionRecord> made) {
        Map<String, StoredRun> before = new LinkedHashMap<>();
        Map<String, StoredRun> after = new LinkedHashMap<>();
        made.forEach(one -> {
            before.putIfAbsent(one.runId(), one.before());
            after.put(one.runId(), one.after());
        });
        Collection<StoredRun> all = after.values();
        return new HashSet<>(jdbc.sql("""
                UPDATE run SET state = coalesce(CAST(new.state AS jsonb), run.state),
                    state_sequence = CASE WHEN new.state IS NULL THEN coalesce(run.state_sequence, run.journal_sequence)
                        ELSE new.sequence END,
                    phase = new.phase, epoch = new.epoch,
                    outcome = new.outcome, stop_code = new.code, stop_reason = new.reason,
                    finished_at = CAST(new.finished_at AS timestamptz), version = new.next,
                    journal_sequence = new.sequence, awaits_approval = new.awaits, harm = new.harm
                FROM unnest(CAST(:ids AS text[]), CAST(:versions AS bigint[]), CAST(:nexts AS bigint[]),
                        CAST(:sequences AS bigint[]), CAST(:states AS text[]), CAST(:phases AS text[]),
                        CAST(:epochs AS bigint[]), CAST(:outcomes AS text[]), CAST(:codes AS text[]),
                        CAST(:reasons AS text[]), CAST(:finished AS text[]), CAST(:awaiting AS boolean[]),
                        CAST(:harms AS double precision[]))
                    AS new(id, version, next, sequence, state, phase, epoch, outcome, code, reason, finished_at,
                        awaits, harm)
                WHERE run.id = new.id AND run.version = new.version
                RETURNING run.id""")
                .param("ids", texts(all, StoredRun::id))
                .param("versions", numbers(before.values(), StoredRun::version))
                .param("nexts", numbers(all, StoredRun::version))
                .param("sequences", numbers(all, StoredRun::journalSequence))
                .param("states", texts(all, run -> keepsState(requireNonNull(before.get(run.id())), run)
                        ? null
                        : json.write(run.state())))
                .param("phases", texts(all, run -> run.state().phase().wireName()))
                .param("epochs", numbers(all, run -> run.state().facts().epoch()))
                .param("outcomes", texts(all, run -> of(run.state().ending(), ending -> ending.outcome().name())))
                .param("codes",
                        texts(all, run -> of(run.state().ending(), ending -> ending.reason().code().wireName())))
                .param("reasons", texts(all, run -> of(run.state().ending(), ending -> ending.reason().detail())))
                .param("finished", texts(all, run -> of(run.finishedAt(), DecisionWriter::time)))
                .param("awaiting", flags(all, run -> awaits(run.state())))
                .param("harms", all.stream().map(run -> harm(run.state())).toArray(Double[]::new))
                .query(String.class)
                .list());
    }

    /** Returns true when the run's row keeps its older state: the journal tells what has changed since. */
    private static boolean keepsState(StoredRun before, StoredRun after) {
        RunState from = before.state();
        RunState to = after.state();
        return to instanceof RunState.Leased && from.phase() == to.phase() && from.facts().equals(to.facts())
                && before.journalSequence() / NEWEST_STATE_EVERY == after.journalSequence() / NEWEST_STATE_EVERY;
    }

    private static boolean awaits(RunState state) {
        return state instanceof RunState.Pending pending && pending.facts().awaitsApproval();
    }

    private static @Nullable Double harm(RunState state) {
        return state instanceof RunState.Finished finished ? finished.harm().requests() : null;
    }

    private void journal(List<DecisionRecord> made, Map<RowKey, WindowVerdict> windows) {
        jdbc.sql(
                """
                        INSERT INTO journal (run_id, sequence, at, nanos, phase, notable, asked_ppm, in_force_ppm, event, decision)
                        SELECT run, sequence, CAST(at AS timestamptz), nanos, phase, notable, asked, in_force,
                            CAST(event AS jsonb), CAST(decision AS jsonb)
                        FROM unnest(CAST(:runs AS text[]), CAST(:sequences AS bigint[]), CAST(:times AS text[]),
                                CAST(:nanos AS smallint[]), CAST(:phases AS text[]), CAST(:notables AS boolean[]),
                                CAST(:asked AS integer[]), CAST(:inForce AS integer[]), CAST(:events AS text[]),
                                CAST(:decisions AS text[]))
                            AS made(run, sequence, at, nanos, phase, notable, asked, in_force, event, decision)""")
                .param("runs", texts(made, DecisionRecord::runId))
                .param("sequences", numbers(made, one -> one.after().journalSequence()))
                .param("times", texts(made, one -> time(one.decidedAt().truncatedTo(ChronoUnit.MICROS))))
                .param("nanos", numbers(made, one -> beyondMicros(one.decidedAt())))
                .param("phases", texts(made, one -> one.after().state().phase().wireName()))
                .param("notables", flags(made, one -> notable(one.before().state(), one.event(), one.after().state())))
                .param("asked", numbers(made, one -> (long) one.after().state().askedShare().ppm()))
                .param("inForce", made.stream().map(DecisionWriter::inForce).toArray(Long[]::new))
                .param("events", texts(made, one -> event(one, windows)))
                .param("decisions", texts(made, this::decision))
                .update();
    }

    private static long beyondMicros(Instant instant) {
        return Duration.between(instant.truncatedTo(ChronoUnit.MICROS), instant).toNanos();
    }

    private static @Nullable Long inForce(DecisionRecord record) {
        Share share = JournalRows.inForce(record.event(), record.after().state());
        return share == null ? null : (long) share.ppm();
    }

    /** Returns the event as JSON. A verdict whose window is stored already names the window only. */
    private String event(DecisionRecord record, Map<RowKey, WindowVerdict> windows) {
        return record.event() instanceof RunEvent.VerdictArrived(WindowVerdict verdict)
                && verdict.equals(windows.get(new RowKey(record.runId(), verdict.sequence())))
                        ? RunJsonMapper.verdictArrived(verdict.sequence(), time(verdict.windowStart()))
                        : json.write(record.event());
    }

    /** Returns the decision as JSON, with the whole state or with its changes only. So no chain of changes is long. */
    private String decision(DecisionRecord record) {
        List<RunCommand> commands = record.decision().commands();
        RunState before = record.before().state();
        RunState stateBefore = record.seen();
        JsonNode reported = stateBefore == null ? null : json.patch(before, stateBefore);
        RunState after = record.after().state();
        return record.after().journalSequence() % STATE_EVERY == 1
                ? json.decision(json.write(after), reported, commands)
                : json.change(stateBefore == null ? before : stateBefore, after, reported, commands,
                        record.decidedAt());
    }

    /** Returns true for a decision that users want to see; a routine event that changes neither phase nor share is none. */
    private static boolean notable(RunState before, RunEvent event, RunState after) {
        return before.phase() != after.phase() || !event.routine() || moved(before, after);
    }

    private static boolean moved(RunState before, RunState after) {
        return before instanceof RunState.Leased from && after instanceof RunState.Leased to
                && !from.course().share().equals(to.course().share());
    }

    /** A row that belongs to a run: a window or a step. */
    private record RowKey(String run, long number) {}

    /** Returns the key of the window that a decision judges; empty when it judges none, and before a lease was sent. */
    private static Optional<RowKey> window(DecisionRecord record) {
        return record.event() instanceof RunEvent.VerdictArrived arrived
                && record.before().state() instanceof RunState.Leased
                        ? Optional.of(new RowKey(record.runId(), arrived.verdict().sequence()))
                        : Optional.empty();
    }

    private static WindowVerdict verdict(DecisionRecord record) {
        return ((RunEvent.VerdictArrived) record.event()).verdict();
    }

    private static @Nullable Boolean harmMoved(DecisionRecord record) {
        return record.after().state() instanceof RunState.Leased leased ? leased.course().harm().moved() : null;
    }

    /** Stores and returns the windows that were judged for the first time. */
    private Map<RowKey, WindowVerdict> windows(List<DecisionRecord> made) {
        Map<RowKey, DecisionRecord> windows = new LinkedHashMap<>();
        made.forEach(one -> window(one).ifPresent(key -> windows.putIfAbsent(key, one)));
        if (windows.isEmpty()) {
            return Map.of();
        }
        Collection<DecisionRecord> all = windows.values();
        Map<RowKey, WindowVerdict> kept = new HashMap<>();
        jdbc.sql("""
                INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, moved, content)
                SELECT run, sequence, CAST(at AS timestamptz), phase, judgement, asked, moved,
                    CAST(content AS jsonb)
                FROM unnest(CAST(:runs AS text[]), CAST(:sequences AS bigint[]), CAST(:times AS text[]),
                        CAST(:phases AS text[]), CAST(:judgements AS text[]), CAST(:asked AS bigint[]),
                        CAST(:moved AS boolean[]), CAST(:contents AS text[]))
                    AS made(run, sequence, at, phase, judgement, asked, moved, content)
                WHERE NOT EXISTS (SELECT FROM judged_window kept
                    WHERE kept.run_id = made.run AND kept.sequence = made.sequence)
                RETURNING run_id, sequence""")
                .param("runs", texts(all, DecisionRecord::runId))
                .param("sequences", numbers(all, one -> verdict(one).sequence()))
                .param("times", texts(all, one -> time(verdict(one).windowStart())))
                .param("phases", texts(all, one -> one.after().state().phase().wireName()))
                .param("judgements", texts(all, one -> verdict(one).judgement().name()))
                .param("asked", numbers(all, one -> (long) one.before().state().askedShare().ppm()))
                .param("moved", all.stream().map(DecisionWriter::harmMoved).toArray(Boolean[]::new))
                .param("contents", texts(all, one -> json.write(verdict(one))))
                .query(row -> {
                    RowKey key = new RowKey(row.getString("run_id"), row.getLong("sequence"));
                    kept.put(key, verdict(requireNonNull(windows.get(key))));
                });
        return kept;
    }

    private void steps(List<DecisionRecord> made) {
        Map<RowKey, Step> steps = new LinkedHashMap<>();
        for (DecisionRecord one : made) {
            for (RunCommand command : one.decision().commands()) {
                if (command instanceof RunCommand.RecordStep(Step step)) {
                    steps.put(new RowKey(one.runId(), step.number()), step);
                }
            }
        }
        if (steps.isEmpty()) {
            return;
        }
        jdbc.sql("""
                INSERT INTO step (run_id, number, content)
                SELECT run, number, CAST(content AS jsonb)
                FROM unnest(CAST(:runs AS text[]), CAST(:numbers AS bigint[]), CAST(:contents AS text[]))
                    AS made(run, number, content)
                ON CONFLICT (run_id, number) DO UPDATE SET content = EXCLUDED.content""")
                .param("runs", texts(steps.keySet(), RowKey::run))
                .param("numbers", numbers(steps.keySet(), RowKey::number))
                .param("contents", texts(steps.values(), json::write))
                .update();
    }

    private void capacities(DecisionRecord record) {
        for (RunCommand command : record.decision().commands()) {
            if (command instanceof RunCommand.RecordCapacity found) {
                capacity(record.after(), found);
            }
        }
    }

    private void capacity(StoredRun after, RunCommand.RecordCapacity command) {
        if (!(after.state() instanceof RunState.Finished finished)) {
            throw new IllegalStateException("run " + after.id() + " has a capacity and is not finished");
        }
        capacities.insert(CapacityRecord.of(after, finished, command));
    }

    private static String time(Instant instant) {
        return SqlTimestamps.sql(instant).toString();
    }

    private static <T> @Nullable String of(@Nullable T part, Function<T, String> text) {
        return part == null ? null : text.apply(part);
    }

    private static <T> @Nullable String[] texts(Collection<T> rows, Function<T, @Nullable String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    private static <T> Long[] numbers(Collection<T> rows, Function<T, Long> column) {
        return rows.stream().map(column).toArray(Long[]::new);
    }

    private static <T> Boolean[] flags(Collection<T> rows, Function<T, Boolean> column) {
        return rows.stream().map(column).toArray(Boolean[]::new);
    }
}
