// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.RunFacts;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.core.timeline.Stretch;
import io.redliner.controller.core.timeline.Timeline;
import io.redliner.controller.core.timeline.TimelineMetric;
import io.redliner.controller.core.timeline.TimelinePoint;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.service.report.WindowAggregate;
import io.redliner.controller.service.report.WindowSummary;
import io.redliner.sla.Judgement;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Charts and reports from stretches are those from windows. */
@SequentialTests
class WindowRollupsTest {

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final DriverManagerDataSource SOURCE = new DriverManagerDataSource(DATABASE.jdbcUrl());

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private static final RunJsonMapper JSON = new RunJsonMapper();

    private static final RunHistoryRepository HISTORY = new RunHistoryRepository(JDBC, JSON, new UnreadableRows());

    private static final WindowRollups ROLLUPS = new WindowRollups(JDBC,
            new TransactionTemplate(new JdbcTransactionManager(SOURCE)), JSON, HISTORY);

    private static final Duration WINDOW = Duration.ofMillis(100);

    /** Of the shortest stretches. */
    private static final Duration LENGTH = Duration.ofMillis(25_600);

    private static final List<Judgement> JUDGEMENTS = List.of(Judgement.HOLDS, Judgement.BREACHED,
            Judgement.INCONCLUSIVE);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00.040Z");

    private final Random random = new Random(1);

    private final StoredRun run = run();

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    private static StoredRun run() {
        String id = UUID.randomUUID().toString();
        RunState state = new RunState.Pending(new RunFacts(id, id, "a:1", 7, new Share(250_000),
                new RunBounds(new Share(500_000), 2, Duration.ofHours(24), 0.01, WINDOW), RunTimeouts.DEFAULT, START));
        JDBC.sql("""
                INSERT INTO run (id, service, sut, plan_name, plan_hash, plan, phase, epoch, state, version,
                                 journal_sequence, submitted_at, first_state)
                VALUES (:id, :id, 'a:1', 'plan', 'hash', '{}', 'Pending', 1, CAST(:state AS jsonb), 0, 0, :at,
                        CAST(:state AS jsonb))""")
                .param("id", id)
                .param("state", JSON.write(state))
                .param("at", START.atOffset(ZoneOffset.UTC))
                .update();
        return new StoredRun(id, "plan", "hash", "{}", state, 0, 0, START, null);
    }

    private JudgedWindow window(int number) {
        Judgement judgement = JUDGEMENTS.get(random.nextInt(30) == 0 ? random.nextInt(3) : 0);
        double p99 = random.nextDouble();
        RuleResult rule = new RuleResult("latency", "latency.p99 <= duration('500ms')", judgement, p99, 0.5, p99 / 0.5,
                "seconds", false, "");
        TrafficSample sut = new TrafficSample(100 * random.nextDouble(), random.nextInt(20), random.nextInt(2), 3,
                p99 / 2,
                random.nextInt(20) == 0 ? null : p99, new Share(random.nextInt(500_000)), null,
                List.of(new GaugeSample("cpu", random.nextDouble(), "ratio")));
        return new JudgedWindow(number < 100 ? "Baseline" : "Ramping", new Share(random.nextInt(500_000)),
                new WindowVerdict(run.id(), 7, number + 1, START.plus(WINDOW.multipliedBy(number)), WINDOW, judgement,
                        List.of(rule), List.of(),
                        new SearchAdvice(SearchAdvice.Action.GO, 100, SearchAdvice.Phase.RAMPING, "go", number / 50),
                        sut, TrafficSample.NONE, 200 + random.nextDouble(), random.nextDouble(), null));
    }

    private List<JudgedWindow> store(int from, int to, double lost) {
        List<JudgedWindow> windows = new ArrayList<>();
        for (int number = from; number < to; number++) {
            if (random.nextDouble() >= lost) {
                windows.add(window(number));
            }
        }
        JDBC.sql(
                """
                        INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, content)
                        SELECT :run, CAST(content ->> 'sequence' AS bigint), CAST(at AS timestamptz), phase, 'HOLDS', asked, content
                        FROM unnest(CAST(:times AS text[]), CAST(:phases AS text[]), CAST(:asked AS integer[]),
                            CAST(:contents AS jsonb[])) AS made(at, phase, asked, content)""")
                .param("run", run.id())
                .param("times",
                        windows.stream().map(one -> one.verdict().windowStart().toString()).toArray(String[]::new))
                .param("phases", windows.stream().map(JudgedWindow::phase).toArray(String[]::new))
                .param("asked", windows.stream().map(one -> one.asked().ppm()).toArray(Integer[]::new))
                .param("contents", windows.stream().map(one -> JSON.write(one.verdict())).toArray(String[]::new))
                .update();
        return windows;
    }

    private static Timeline timeline() {
        return new Timeline(Duration.ofDays(2), WINDOW, 100);
    }

    private static void assertAlike(List<TimelinePoint> some, List<TimelinePoint> others) {
        assertThat(some).hasSameSizeAs(others);
        for (int number = 0; number < some.size(); number++) {
            TimelinePoint one = some.get(number);
            TimelinePoint other = others.get(number);
            for (TimelineMetric measure : TimelineMetric.values()) {
                Double expected = other.values().get(measure);
                if (expected == null) {
                    assertThat(one.values()).doesNotContainKey(measure);
                } else {
                    assertThat(one.values().get(measure)).as(measure.wireName()).isCloseTo(expected,
                            Offset.offset(1e-9));
                }
            }
            assertThat(one).usingRecursiveComparison().ignoringFields("values").isEqualTo(other);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 64})
    void a_chart_and_a_report_of_stretches_are_those_of_windows(int times) {
        List<JudgedWindow> windows = store(0, 2000, 0.05);
        assertThat(ROLLUPS.add(run)).isPresent();
        // The rest of a live run comes later, and another controller does the same again.
        windows.addAll(store(2000, 3000, 0.3));
        assertThat(ROLLUPS.add(run)).isPresent();
        assertThat(ROLLUPS.add(run)).isPresent();

        List<WindowRollups.Kept<Stretch>> stretches = ROLLUPS.stretches(run, LENGTH.multipliedBy(times), null, null);
        List<WindowRollups.Kept<WindowAggregate>> aggregates = ROLLUPS.aggregates(run, Math.max(1, 10 / times));

        assertThat(lengths(stretches)).allMatch(length -> length.compareTo(LENGTH.multipliedBy(times)) <= 0);
        assertThat(stretches.size()).isLessThanOrEqualTo(11 / times + 4).isGreaterThanOrEqualTo(11 / times);
        assertThat(WindowRollup.length(WINDOW)).isEqualTo(LENGTH);
        Timeline exact = timeline();
        windows.forEach(exact::take);
        Timeline summed = timeline();
        stretches.forEach(stretch -> summed.take(stretch.content()));
        WindowSummary exactSummary = new WindowSummary();
        WindowSummary summary = new WindowSummary();
        aggregates.forEach(aggregate -> summary.take(aggregate.content()));
        for (JudgedWindow window : windows) {
            exactSummary.take(window);
            if (window.verdict().sequence() > stretches.getLast().lastSequence()) {
                assertThat(window.verdict().windowStart()).isAfterOrEqualTo(stretches.getLast().endsAt());
                summed.take(window);
            }
            if (window.verdict().sequence() > aggregates.getLast().lastSequence()) {
                summary.take(window);
            }
        }
        assertAlike(summed.points(), exact.points());
        assertThat(summed.windows()).isEqualTo(exact.windows()).isEqualTo(windows.size());
        assertThat(summed.newest()).isEqualTo(exact.newest());
        assertThat(summed.latencyRule()).isEqualTo(exact.latencyRule());
        assertThat(summed.gauges()).isEqualTo(exact.gauges());
        assertThat(summary.rules()).isEqualTo(exactSummary.rules());
        assertThat(summary.windows()).isEqualTo(windows.size());
    }

    private static List<Duration> lengths(List<WindowRollups.Kept<Stretch>> stretches) {
        return stretches.stream().map(one -> Duration.between(one.startsAt(), one.endsAt())).toList();
    }

    /** However many there are to be summed up at once: windows are read in parts, and stored in parts. */
    @Test
    void a_long_run_is_covered_by_a_few_stretches_without_holes() {
        store(0, 17_500, 0);

        assertThat(ROLLUPS.add(run)).isPresent();

        List<WindowRollups.Kept<Stretch>> all = ROLLUPS.stretches(run, Duration.ofDays(1), null, null);
        assertThat(all).hasSizeLessThan(12);
        assertThat(all.stream().mapToInt(one -> one.content().windows()).sum()).isGreaterThan(17_500 - 256);
        for (int number = 1; number < all.size(); number++) {
            assertThat(all.get(number).startsAt()).isEqualTo(all.get(number - 1).endsAt());
            assertThat(all.get(number).content().newest() - all.get(number - 1).content().newest())
                    .isEqualTo(all.get(number).content().windows());
        }
        assertThat(ROLLUPS.stretches(run, LENGTH, null, null)).hasSize(68);
    }

    @Test
    void windows_within_some_time_are_found_whether_they_are_summed_up_or_not() {
        List<JudgedWindow> windows = store(0, 3000, 0.05);
        for (boolean summed : new boolean[]{false, true}) {
            if (summed) {
                ROLLUPS.add(run);
            }
            for (int tries = 0; tries < 20; tries++) {
                Instant from = START.plus(WINDOW.multipliedBy(random.nextInt(3000))).plusMillis(random.nextInt(3) - 1);
                Instant to = from.plus(WINDOW.multipliedBy(random.nextInt(300))).plusMillis(1);
                List<JudgedWindow> expected = windows.stream()
                        .filter(one -> !one.verdict().windowStart().isBefore(from)
                                && one.verdict().windowStart().isBefore(to))
                        .toList();
                assertThat(HISTORY.windows(run.id(), 0, from, to, 5000)).isEqualTo(expected);
                assertThat(HISTORY.span(run.id(), from, to)).isEqualTo(expected.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new RunHistoryRepository.Span(expected.getFirst().verdict().windowStart(),
                                expected.getLast().verdict().windowStart())));
            }
        }
    }

    @Test
    void there_is_no_stretch_before_one_is_over() {
        assertThat(ROLLUPS.add(run)).isEmpty();

        store(0, 200, 0);
        assertThat(ROLLUPS.add(run)).isEmpty();
        assertThat(ROLLUPS.stretches(run, LENGTH, null, null)).isEmpty();
    }

    @Test
    void only_stretches_within_the_time_that_is_asked_for_are_given() {
        store(0, 2000, 0);
        ROLLUPS.add(run);

        List<WindowRollups.Kept<Stretch>> some = ROLLUPS.stretches(run, LENGTH, START.plusSeconds(30),
                START.plusSeconds(120));

        assertThat(some).hasSize(2);
        assertThat(some.getFirst().startsAt()).isAfterOrEqualTo(START.plusSeconds(30));
        assertThat(some.getLast().endsAt()).isBeforeOrEqualTo(START.plusSeconds(120));
    }
}
