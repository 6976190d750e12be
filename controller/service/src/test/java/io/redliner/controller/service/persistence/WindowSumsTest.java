// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.RunBounds;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.controller.scene.Databases;
import io.redliner.controller.scene.ExactSums;
import io.redliner.controller.scene.SequentialTests;
import io.redliner.controller.service.report.RuleSummary;
import io.redliner.controller.service.report.WindowBucket;
import io.redliner.controller.service.report.WindowSummary;
import io.redliner.sla.Judgement;
import io.redliner.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Charts and reports are the sums of all windows, whether stretches of them were summed up before or not. */
@SequentialTests
class WindowSumsTest {

    private static final TestDatabase DATABASE = Databases.migrated();

    private static final SingleConnectionDataSource SOURCE = new SingleConnectionDataSource(DATABASE.jdbcUrl(), true);

    private static final JdbcClient JDBC = JdbcClient.create(SOURCE);

    private static final RunJsonMapper JSON = new RunJsonMapper();

    private static final WindowSums SUMS = new WindowSums(JDBC, JSON, new UnreadableRows());

    private static final Duration WINDOW = Duration.ofMillis(100);

    private static final Instant START = Instant.parse("2026-01-01T00:00:00.040Z");

    private final Random random = new Random(1);

    private final StoredRun run = RunRow.insert(JDBC, UUID.randomUUID().toString(),
            new RunBounds(new Share(500_000), 2, Duration.ofHours(24), 0.01, WINDOW), START);

    @AfterAll
    static void drop() {
        SOURCE.destroy();
        DATABASE.close();
    }

    private Judgement judgement() {
        return random.nextInt(30) > 1
                ? Judgement.HOLDS
                : random.nextBoolean() ? Judgement.BREACHED : Judgement.INCONCLUSIVE;
    }

    private JudgedWindow window(int number) {
        boolean idle = random.nextInt(20) == 0;
        double p99 = random.nextDouble();
        RuleResult rule = new RuleResult("latency", "latency.p99 <= duration('500ms')", judgement(), p99, 0.5,
                p99 / 0.5,
                "seconds", false, "");
        RuleResult median = new RuleResult("median", "latency.p50 <= duration('1s')", judgement(), p99 / 2, 1.0,
                p99 / 2,
                "seconds", true, "");
        RuleResult guard = new RuleResult("fleet-errors", "service.error_rate <= 0.01", judgement(), idle ? null : 0.01,
                0.01, idle ? null : random.nextDouble() * 1.2, "ratio", false, "");
        TrafficSample sut = new TrafficSample(100 * random.nextDouble(), idle ? 0 : random.nextInt(20),
                random.nextInt(2), 3, idle ? null : p99 / 2, idle ? null : p99, new Share(random.nextInt(500_000)),
                idle ? Long.valueOf(0) : random.nextBoolean() ? Long.valueOf(100) : null,
                random.nextBoolean() ? List.of() : List.of(new GaugeSample("cpu", random.nextDouble(), "ratio")));
        TrafficSample peers = new TrafficSample(900, random.nextInt(3), random.nextInt(3), 7, 0.01,
                random.nextDouble(), new Share(1), null, List.of(new GaugeSample("cpu", random.nextDouble(), "ratio"),
                        new GaugeSample("memory", 1e9 * random.nextDouble(), "bytes")));
        return new JudgedWindow(number < 100 ? "Baseline" : "Ramping", new Share(random.nextInt(500_000)),
                random.nextInt(3) == 0 ? null : (Boolean) random.nextBoolean(),
                new WindowVerdict(run.id(), 7, number + 1, START.plus(WINDOW.multipliedBy(number)), WINDOW, judgement(),
                        random.nextInt(10) == 0 ? List.of() : List.of(median, rule), List.of(guard),
                        new SearchAdvice(SearchAdvice.Action.GO, 100, SearchAdvice.Phase.RAMPING, "go", number / 50),
                        sut, peers, 200 + random.nextDouble(), random.nextDouble(), number < 150
                                ? null
                                : new CapacityEstimate(400 + number, 300, number < 1000 ? 0 : 500, "", null, null, null,
                                        null)));
    }

    private List<JudgedWindow> store(int from, int to, double lost) {
        List<JudgedWindow> windows = new ArrayList<>();
        for (int number = from; number < to; number++) {
            if (random.nextDouble() >= lost) {
                windows.add(window(number));
            }
        }
        store(windows);
        return windows;
    }

    private void store(List<JudgedWindow> windows) {
        JDBC.sql(
                """
                        INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, moved, content)
                        SELECT :run, CAST(content ->> 'sequence' AS bigint), CAST(at AS timestamptz), phase, 'HOLDS', asked, moved,
                            content
                        FROM unnest(CAST(:times AS text[]), CAST(:phases AS text[]), CAST(:asked AS integer[]),
                            CAST(:moved AS boolean[]), CAST(:contents AS jsonb[])) AS made(at, phase, asked, moved, content)""")
                .param("run", run.id())
                .param("times",
                        windows.stream().map(one -> one.verdict().windowStart().toString()).toArray(String[]::new))
                .param("phases", windows.stream().map(JudgedWindow::phase).toArray(String[]::new))
                .param("asked", windows.stream().map(one -> one.asked().ppm()).toArray(Integer[]::new))
                .param("moved", windows.stream().map(JudgedWindow::moved).toArray(Boolean[]::new))
                .param("contents", windows.stream().map(one -> JSON.write(one.verdict())).toArray(String[]::new))
                .update();
    }

    private WindowSums.Span whole() {
        return SUMS.span(run.id(), null, null).orElseThrow();
    }

    private static void assertAlike(List<WindowBucket> some, List<WindowBucket> others) {
        assertThat(some).hasSameSizeAs(others);
        for (int number = 0; number < some.size(); number++) {
            WindowBucket one = some.get(number);
            WindowBucket other = others.get(number);
            assertAlike(one.values(), other.values());
            assertAlike(one.reportValues(), other.reportValues());
            assertThat(one).usingRecursiveComparison().ignoringFields("values", "reportValues").isEqualTo(other);
        }
    }

    private static void assertAlike(Map<String, Double> some, Map<String, Double> others) {
        assertThat(some.keySet()).containsExactlyInAnyOrderElementsOf(others.keySet());
        others.forEach((name, value) -> assertThat(some.get(name)).as(name).isCloseTo(value, Offset.offset(1e-9)));
    }

    private static Map<String, Double> gauges(List<JudgedWindow> windows, Duration width) {
        Map<String, Double> peaks = new TreeMap<>();
        for (JudgedWindow window : windows) {
            long bin = Math.floorDiv(window.verdict().windowStart().toEpochMilli(), width.toMillis())
                    * width.toMillis();
            window.verdict().sut().gauges().forEach(
                    gauge -> peaks.merge(bin + " false " + gauge.name() + " " + gauge.unit(), gauge.value(),
                            Math::max));
            window.verdict().peers().gauges().forEach(
                    gauge -> peaks.merge(bin + " true " + gauge.name() + " " + gauge.unit(), gauge.value(), Math::max));
        }
        return peaks;
    }

    private void assertSummedUp(List<JudgedWindow> windows, int points) {
        WindowSums.Chart chart = SUMS.chart(run, whole(), points);

        assertThat(chart.buckets()).hasSizeLessThanOrEqualTo(points).hasSizeGreaterThan(points / 4);
        assertAlike(chart.buckets(), ExactSums.buckets(windows, chart.width()));
        assertThat(chart.latencyRule()).containsExactly("latency", "latency.p99 <= duration('500ms')");
        assertThat(chart.unreadable()).isZero();
        Map<String, Double> peaks = new TreeMap<>();
        SUMS.gauges(run, whole(), chart.width()).forEach(peak -> peaks.put(
                peak.bin().toEpochMilli() + " " + peak.peers() + " " + peak.name() + " " + peak.unit(), peak.value()));
        assertAlike(peaks, gauges(windows, chart.width()));
    }

    private void assertReported(List<JudgedWindow> windows) {
        WindowSummary summary = SUMS.summary(run);

        assertThat(summary.windows()).isEqualTo(windows.size());
        assertThat(summary.rules()).usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrderElementsOf(ExactSums.rules(windows));
        assertThat(summary.rules()).extracting(RuleSummary::name).containsExactly("median", "latency", "fleet-errors");
        assertThat(summary.buckets()).hasSizeBetween(WindowSummary.MAX_BUCKETS / 2 - 2, WindowSummary.MAX_BUCKETS);
    }

    /** With 3 000 windows: of single windows, and of stretches of 8, 64 and 512 windows. */
    @ParameterizedTest
    @ValueSource(ints = {3002, 500, 40, 7})
    void charts_and_reports_are_the_sums_of_all_windows(int points) {
        List<JudgedWindow> windows = store(0, 2000, 0.05);
        assertSummedUp(windows, Math.min(points, 2000));
        SUMS.add(run);
        assertSummedUp(windows, Math.min(points, 2000));
        // The rest of a live run comes later, and another controller does the same again.
        windows.addAll(store(2000, 3000, 0.3));
        assertSummedUp(windows, points);
        SUMS.add(run);
        SUMS.add(run);
        assertSummedUp(windows, points);
        assertReported(windows);
    }

    private List<Long> summed(int level) {
        return JDBC.sql("SELECT windows FROM window_rollup WHERE run_id = :run AND level = :level ORDER BY bin")
                .param("run", run.id())
                .param("level", level)
                .query(Long.class)
                .list();
    }

    /** However many there are to be summed up at once: windows are read in parts, and stored in parts. */
    @Test
    void all_levels_cover_a_long_run_without_holes() {
        store(0, 5_000, 0);

        SUMS.add(run);

        for (int level = 1; level <= 3; level++) {
            long length = 1L << (3 * level);
            List<Long> stretches = summed(level);
            assertThat(stretches.subList(1, stretches.size())).containsOnly(length);
            assertThat(stretches.stream().mapToLong(Long::longValue).sum()).isBetween(5_000 - length, 5_000L);
        }
    }

    @Test
    void nothing_is_summed_up_before_a_stretch_is_over() {
        SUMS.add(run);
        store(0, 3, 0);
        SUMS.add(run);

        assertThat(summed(1)).isEmpty();
        assertThat(SUMS.summary(run).windows()).isEqualTo(3);
    }

    @Test
    void only_windows_within_the_time_that_is_asked_for_are_summed_up() {
        List<JudgedWindow> windows = store(0, 3000, 0.05);
        for (boolean summed : new boolean[]{false, true}) {
            if (summed) {
                SUMS.add(run);
            }
            for (int tries = 0; tries < 20; tries++) {
                Instant from = START.plus(WINDOW.multipliedBy(random.nextInt(3000))).plusMillis(random.nextInt(3) - 1);
                Instant to = from.plus(WINDOW.multipliedBy(random.nextInt(1000))).plusMillis(1);
                List<JudgedWindow> expected = windows.stream()
                        .filter(one -> !one.verdict().windowStart().isBefore(from)
                                && one.verdict().windowStart().isBefore(to))
                        .toList();
                Optional<WindowSums.Span> span = SUMS.span(run.id(), from, to);
                assertThat(span).isEqualTo(expected.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new WindowSums.Span(expected.getFirst().verdict().windowStart(),
                                expected.getLast().verdict().windowStart())));
                WindowSums.Chart chart = SUMS.chart(run, span.orElse(null), 2 + random.nextInt(100));
                assertAlike(chart.buckets(), ExactSums.buckets(expected, chart.width()));
            }
        }
    }

    @Test
    void points_stay_where_they_are_when_more_windows_come() {
        store(0, 1500, 0);
        List<WindowBucket> before = SUMS.chart(run, whole(), 600).buckets();
        store(1500, 2000, 0);

        assertThat(SUMS.chart(run, whole(), 600).buckets()).containsAll(before.subList(0, before.size() - 1));
    }

    private WindowVerdict verdict(List<RuleResult> sla, TrafficSample traffic) {
        return new WindowVerdict(run.id(), 7, 1, START, WINDOW, Judgement.INCONCLUSIVE, sla, List.of(),
                new SearchAdvice(SearchAdvice.Action.NONE, 0, SearchAdvice.Phase.UNKNOWN, "", 0), traffic, traffic, 0,
                0,
                null);
    }

    @Test
    void what_was_not_measured_is_absent_and_not_0() {
        store(List.of(new JudgedWindow("Baseline", Share.ofRatio(0.25),
                verdict(List.of(), new TrafficSample(0, 0, 0, 0, null, null, Share.NONE, 0L)))));

        WindowSums.Chart chart = SUMS.chart(run, whole(), 600);

        assertThat(chart.buckets()).singleElement().satisfies(point -> {
            assertThat(point.values()).doesNotContainKeys("latencyP99Seconds", "latencyP50Seconds", "shareMeasured",
                    "errorRatio", "utilisation", "latencyThresholdSeconds", "estimateCapacity",
                    "requestsPerSecondAtP99");
            assertThat(point.values()).containsEntry("shareAsked", 0.25).containsEntry("requestsPerSecond", 0.0);
        });
        assertThat(chart.latencyRule()).isEmpty();
    }

    @Test
    void nothing_is_no_points() {
        WindowSums.Chart chart = SUMS.chart(run, null, 600);

        assertThat(chart.buckets()).isEmpty();
        assertThat(chart.metrics()).contains("shareAsked", "requestsPerSecondAtP99").doesNotContain(".asked");
        assertThat(SUMS.summary(run).rules()).isEmpty();
    }

    private static RuleResult rule(String name, String expression, boolean informational, double value) {
        return new RuleResult(name, expression, Judgement.HOLDS, value, 0.2, 5 * value, "seconds", informational, "");
    }

    @Test
    void the_red_line_is_of_the_rule_that_acts_and_speaks_of_the_p99() {
        RuleResult informational = rule("informational", "latency.p99 <= 1.5 * peers.latency.p99", true, 4);
        RuleResult median = rule("median", "latency.p50 <= duration('20ms')", false, 2);
        RuleResult tail = rule("tail", "latency.p99 <= duration('200ms')", false, 3);
        store(List.of(new JudgedWindow("Ramping", Share.ofRatio(0.2),
                verdict(List.of(informational, median, tail), TrafficSample.NONE))));

        WindowSums.Chart chart = SUMS.chart(run, whole(), 600);

        assertThat(chart.latencyRule()).containsExactly("tail", tail.expression());
        assertThat(chart.buckets().getFirst().values()).containsEntry("latencyRuleSeconds", 3.0)
                .containsEntry("utilisation", tail.utilisation());
    }

    /** A day of windows of 1 s and of 100 ms; the durations go to standard output. */
    @ParameterizedTest
    @Tag("soak")
    @ValueSource(ints = {86_400, 864_000})
    void a_day_is_summed_up(int windows) {
        storeCopies(windows);
        SUMS.add(run);
        for (int points : new int[]{600, 240, 2000}) {
            assertThat(measured(whole(), points)).isEqualTo(windows);
        }
        // The largest part that is made of single windows.
        measured(SUMS.span(run.id(), null, START.plus(WINDOW.multipliedBy(15_900))).orElseThrow(), 2000);
        JDBC.sql("DELETE FROM judged_window WHERE run_id = :run").param("run", run.id()).update();
    }

    private long measured(WindowSums.Span span, int points) {
        long begin = System.nanoTime();
        WindowSums.Chart chart = SUMS.chart(run, span, points);
        long charted = System.nanoTime();
        int peaks = SUMS.gauges(run, span, chart.width()).size();
        long windows = chart.buckets().stream().mapToLong(WindowBucket::windows).sum();
        System.out.printf("%d windows in %d buckets: chart in %d ms, %d gauges in %d ms%n", windows,
                chart.buckets().size(), (charted - begin) / 1_000_000, peaks,
                (System.nanoTime() - charted) / 1_000_000);
        return windows;
    }

    /** Copies of 1 000 windows with twelve gauges each, one after the other. */
    private void storeCopies(int many) {
        store(0, 1000, 0);
        JDBC.sql("""
                UPDATE judged_window SET content = jsonb_set(jsonb_set(content, '{sut,gauges}', CAST(:gauges AS jsonb)),
                    '{peers,gauges}', CAST(:gauges AS jsonb)) WHERE run_id = :run""")
                .param("gauges", JSON.write(IntStream.range(0, 12)
                        .mapToObj(number -> new GaugeSample("gauge" + number, random.nextDouble(), "ratio"))
                        .toList()))
                .param("run", run.id())
                .update();
        for (int from = 1000; from < many; from += 1000) {
            JDBC.sql(
                    """
                            INSERT INTO judged_window (run_id, sequence, started_at, phase, judgement, asked_ppm, moved, content)
                            SELECT run_id, sequence + :from, started_at + :from * interval '100 milliseconds', phase, judgement,
                                asked_ppm, moved, content
                            FROM judged_window WHERE run_id = :run AND sequence <= least(1000, :many - :from)""")
                    .param("run", run.id())
                    .param("from", from)
                    .param("many", many)
                    .update();
        }
        JDBC.sql("ANALYZE judged_window").update();
    }
}
