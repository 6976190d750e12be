// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.port.RunRepository;
import io.redliner.controller.core.port.RunRepository.DecisionRecord;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.Journal;
import io.redliner.controller.core.replay.JournalEntry;
import io.redliner.controller.core.replay.Replay;
import io.redliner.controller.core.replay.Replay.BoundsOverride;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunDecider;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.Simulation;
import io.redliner.controller.core.run.StartPolicy;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.sla.Judgement;
import io.redliner.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Simulated runs, kept as what changes and read again. */
@SequentialTests
class JournalDietTest {

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final DriverManagerDataSource SOURCE = new DriverManagerDataSource(DATABASE.jdbcUrl());

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private static final RunJsonMapper JSON = new RunJsonMapper();

    private static final RunReadRepository QUERIES = new RunReadRepository(JDBC, JSON, new UnreadableRows());

    private static final RunHistoryRepository HISTORY = new RunHistoryRepository(JDBC, JSON, new UnreadableRows());

    private static final RunRepository RUNS = new JdbcRunRepository(JDBC,
            new TransactionTemplate(new JdbcTransactionManager(SOURCE)), JSON, new SafetyRepository(JDBC),
            new StartPolicy(1000, 1000), List.of(), new UnreadableRows());

    /** So many decisions are read each, and of the others every seventh. */
    private static final int ONE_BY_ONE = 60;

    private static final int SOME = 7;

    /** Decisions that one transaction stores. */
    private static final int TOGETHER = 50;

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    static Stream<Simulation> simulations() {
        return Stream.concat(Stream.of(1L, 2L, 3L, 5L, 8L).map(Simulation::new),
                Stream.of(1L, 2L, 3L).map(Simulation::planned));
    }

    private static List<DecisionRecord> stored(String id, List<Simulation.Entry> entries, int nanos) {
        List<DecisionRecord> made = made(id, entries, nanos);
        for (int from = 0; from < made.size(); from += TOGETHER) {
            List<DecisionRecord> some = made.subList(from, Math.min(made.size(), from + TOGETHER));
            assertThat(RUNS.record(some)).containsExactly(id);
        }
        return made;
    }

    /** The decisions on a run that is stored and has none yet. */
    private static List<DecisionRecord> made(String id, List<Simulation.Entry> entries, int nanos) {
        RunState first = entries.getFirst().before();
        StoredRun run = RunRow.insert(JDBC, id, first, Simulation.START);
        List<DecisionRecord> made = new ArrayList<>();
        RunState seen = null;
        for (Simulation.Entry entry : entries) {
            if (entry.decision().onlyNotesStatus(entry.before(), entry.event())) {
                seen = entry.decision().state();
                continue;
            }
            DecisionRecord one = new DecisionRecord(run, seen, entry.event(), entry.decision(),
                    entry.at().plusNanos(nanos));
            made.add(one);
            run = one.after();
            seen = null;
        }
        return made;
    }

    private static List<String> exported(String id) {
        JournalExport export = QUERIES.export(id);
        List<String> lines = new ArrayList<>();
        for (List<String> page = export.next(100); !page.isEmpty(); page = export.next(100)) {
            lines.addAll(page);
        }
        return lines;
    }

    private static List<JournalNote> notes(String id) {
        return QUERIES.journal(id, 0, Integer.MAX_VALUE, false);
    }

    private static RunState seen(DecisionRecord made) {
        RunState seen = made.seen();
        return seen == null ? made.before().state() : seen;
    }

    @ParameterizedTest
    @MethodSource("simulations")
    void what_was_decided_is_read_as_it_was_and_decided_again(Simulation simulation) {
        String id = "run-" + simulation.hashCode();
        List<Simulation.Entry> entries = simulation.run();
        List<DecisionRecord> made = stored(id, entries, 123);

        List<JournalEntry> read = exported(id).stream().map(line -> JSON.read(line, JournalEntry.class)).toList();

        assertThat(read).hasSameSizeAs(made);
        for (int number = 0; number < made.size(); number++) {
            DecisionRecord one = made.get(number);
            assertThat(read.get(number))
                    .isEqualTo(new JournalEntry(number + 1, one.decidedAt(), one.event(), one.seen(),
                            one.decision()));
        }
        List<JournalNote> notes = notes(id);
        for (int number = 0; number < made.size(); number++) {
            DecisionRecord one = made.get(number);
            RunState after = one.after().state();
            assertThat(notes.get(number)).isEqualTo(new JournalNote(number + 1, one.decidedAt(), one.event(),
                    after.phase().wireName(), after.askedShare(), JournalRows.inForce(one.event(), after),
                    notes.get(number).moved(), one.decision().commands()));
        }
        for (int number : new int[]{1, 2, made.size() / 2, made.size()}) {
            assertThat(JSON.state(HISTORY.stateBefore(id, number).orElseThrow()))
                    .isEqualTo(seen(made.get(number - 1)));
        }
    }

    static Stream<Simulation> read() {
        return Stream.of(new Simulation(2), Simulation.planned(2));
    }

    @ParameterizedTest
    @MethodSource("read")
    void a_run_is_read_as_its_decisions_left_it(Simulation simulation) {
        String id = "newest-" + simulation.hashCode();
        List<Long> writtenAt = new ArrayList<>();
        List<DecisionRecord> made = made(id, simulation.run(), 123);
        int together = 1;
        for (int from = 0; from < made.size(); from += together) {
            together = from < ONE_BY_ONE ? 1 : SOME;
            List<DecisionRecord> some = made.subList(from, Math.min(made.size(), from + together));
            RUNS.record(some);

            assertThat(RUNS.find(id)).contains(some.getLast().after());
            writtenAt.add(JDBC.sql("SELECT state_sequence FROM run WHERE id = :id").param("id", id).query(Long.class)
                    .single());
        }
        assertThat(writtenAt.stream().distinct().count()).isLessThan(writtenAt.size());
    }

    @ParameterizedTest
    @MethodSource("simulations")
    void a_run_is_decided_again_with_what_redirectors_reported_between_its_decisions(Simulation simulation) {
        String id = "noted-" + simulation.hashCode();
        List<Simulation.Entry> entries = simulation.run();
        int decisions = stored(id, entries, 0).size();

        Journal journal = JSON.journal(Stream.concat(Stream.of(JSON.write(entries.getFirst().before())),
                exported(id).stream()).iterator());

        assertThat(journal.entries()).hasSize(decisions);
        assertThat(Replay.again(journal, BoundsOverride.OWN)).isEmpty();
    }

    @Test
    void what_a_redirector_reports_is_no_decision_of_its_own() {
        List<Simulation.Entry> entries = new Simulation(2).run();
        List<DecisionRecord> made = stored("noted", entries, 0);

        assertThat(made.stream().filter(one -> one.seen() != null)).isNotEmpty();
        assertThat(made).hasSizeLessThan(entries.size());
    }

    @Test
    void a_window_is_kept_once() {
        String id = "windows";
        stored(id, new Simulation(2).run(), 0);

        assertThat(JDBC.sql("SELECT count(*) FROM journal WHERE run_id = :run AND event -> 'window' IS NOT NULL")
                .param("run", id).query(Long.class).single())
                .isEqualTo(JDBC.sql("SELECT count(*) FROM judged_window WHERE run_id = :run").param("run", id)
                        .query(Long.class).single())
                .isGreaterThan(10);
    }

    /** With its window, and with the whole state that some entries hold. */
    @Test
    void a_decision_costs_at_most_a_kilobyte_on_average() {
        String id = "bytes";
        int decisions = stored(id, new Simulation(2).run(), 0).size();

        long bytes = JDBC.sql("""
                SELECT (SELECT sum(pg_column_size(journal.*)) FROM journal WHERE run_id = :run)
                    + (SELECT sum(pg_column_size(judged_window.*)) FROM judged_window WHERE run_id = :run)""")
                .param("run", id).query(Long.class).single();

        assertThat(bytes / decisions).isLessThanOrEqualTo(1024);
    }

    /** As another analyzer may say it after a takeover, in the transaction that keeps the first one. */
    @Test
    void another_verdict_on_a_window_that_is_kept_stays_what_it_was() {
        String id = "twice";
        List<Simulation.Entry> entries = new ArrayList<>();
        for (Simulation.Entry entry : new Simulation(2).run()) {
            entries.add(entry);
            if (entry.before() instanceof RunState.Leased
                    && entry.event() instanceof RunEvent.VerdictArrived(WindowVerdict verdict)) {
                RunState state = entry.decision().state();
                RunEvent other = new RunEvent.VerdictArrived(new WindowVerdict(verdict.runId(), verdict.epoch() + 1,
                        verdict.sequence(), verdict.windowStart(), verdict.windowLength(), Judgement.INCONCLUSIVE,
                        verdict.sla(), verdict.guards(), verdict.advice(), verdict.sut(), verdict.peers(),
                        verdict.serviceRequestsPerSecond(), verdict.harmRequests(), verdict.estimate()));
                entries.add(
                        new Simulation.Entry(state, other, entry.at(), RunDecider.decide(state, other, entry.at())));
                break;
            }
        }
        List<DecisionRecord> made = stored(id, entries, 0);

        assertThat(notes(id)).extracting(JournalNote::event)
                .isEqualTo(made.stream().map(DecisionRecord::event).toList());
    }
}
