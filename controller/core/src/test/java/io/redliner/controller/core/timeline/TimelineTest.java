// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RuleResult;
import io.redliner.controller.core.run.SearchAdvice;
import io.redliner.controller.core.run.TrafficSample;
import io.redliner.controller.core.run.TrafficSample.GaugeSample;
import io.redliner.controller.core.run.WindowVerdict;
import io.redliner.sla.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class TimelineTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final Random random = new Random(7);

    private static RuleResult rule(String name, String expression, boolean informational, double value) {
        return new RuleResult(name, expression, Judgement.HOLDS, value, 0.2, value / 0.2, "seconds", informational, "");
    }

    private JudgedWindow window(long number) {
        double p99 = random.nextInt(200) == 0 ? 3 : 0.05 + random.nextDouble() / 10;
        double load = 200 + 100 * random.nextDouble();
        boolean idle = random.nextInt(20) == 0;
        Judgement judgement = random.nextInt(30) == 0
                ? Judgement.BREACHED
                : random.nextInt(30) == 0 ? Judgement.INCONCLUSIVE : Judgement.HOLDS;
        TrafficSample sut = new TrafficSample(load, idle ? 0 : 250, random.nextInt(3), random.nextInt(9),
                idle ? null : p99 / 3, idle ? null : p99, Share.ofRatio(load / 1000), 1000L,
                random.nextBoolean() ? List.of(new GaugeSample("cpu", random.nextDouble(), "ratio")) : List.of());
        TrafficSample peers = new TrafficSample(1000 - load, 750, 0, 3, 0.01, 0.05, Share.ofRatio(1 - load / 1000),
                1000L);
        return new JudgedWindow(number < 20 ? "Baseline" : "Ramping", Share.ofRatio(random.nextDouble()),
                new WindowVerdict("run", 1,
                        number + 1, START.plusSeconds(number), WINDOW, judgement,
                        List.of(rule("latency", "latency.p99 <= duration('200ms')", false, p99)), List.of(),
                        new SearchAdvice(SearchAdvice.Action.HOLD, load, SearchAdvice.Phase.RAMPING, "",
                                (int) (number / 30)),
                        sut,
                        peers,
                        1000,
                        random.nextInt(3),
                        number < 30 ? null : new CapacityEstimate(400, 300, 0, "", null, null, null, null)));
    }

    /** Some windows of a run with holes in it. */
    private List<JudgedWindow> windows(int seconds, double lost) {
        List<JudgedWindow> windows = new ArrayList<>();
        boolean away = false;
        for (int number = 0; number < seconds; number++) {
            away = random.nextDouble() < lost ? !away : away;
            if (!away) {
                windows.add(window(number));
            }
        }
        return windows;
    }

    private static Timeline timeline(List<JudgedWindow> windows, int most) {
        Duration span = windows.isEmpty()
                ? Duration.ZERO
                : Duration.between(windows.getFirst().verdict().windowStart(),
                        windows.getLast().verdict().windowStart());
        Timeline timeline = new Timeline(span, WINDOW, most);
        windows.forEach(timeline::take);
        return timeline;
    }

    @Test
    void an_hour_of_seconds_fits_and_no_window_is_lost_or_counted_twice() {
        fitsAndNoWindowIsLost(50);
    }

    @Test
    @Tag("soak")
    void many_hours_of_seconds_fit_and_no_window_is_lost_or_counted_twice() {
        fitsAndNoWindowIsLost(200);
    }

    private void fitsAndNoWindowIsLost(int rounds) {
        for (int round = 0; round < rounds; round++) {
            List<JudgedWindow> windows = windows(1 + random.nextInt(4000), 0.01 * random.nextInt(3));
            int most = 2 + random.nextInt(700);

            Timeline timeline = timeline(windows, most);

            assertThat(timeline.withGaps()).hasSizeLessThanOrEqualTo(most);
            assertThat(timeline.points().stream().mapToInt(TimelinePoint::windows).sum()).isEqualTo(windows.size());
            assertThat(timeline.windows()).isEqualTo(windows.size());
            for (int next = 1; next < timeline.points().size(); next++) {
                assertThat(timeline.points().get(next).start())
                        .isAfterOrEqualTo(timeline.points().get(next - 1).end());
            }
        }
    }

    @Test
    void the_extremes_and_sums_of_all_windows_are_those_of_all_points() {
        extremesAndSumsAreThoseOfAllPoints(15);
    }

    @Test
    @Tag("soak")
    void the_extremes_and_sums_of_all_windows_of_many_runs_are_those_of_all_points() {
        extremesAndSumsAreThoseOfAllPoints(50);
    }

    private void extremesAndSumsAreThoseOfAllPoints(int rounds) {
        for (int round = 0; round < rounds; round++) {
            List<JudgedWindow> windows = windows(500 + random.nextInt(3000), 0.01);
            List<TimelinePoint> points = timeline(windows, 100).points();
            for (TimelineMetric measure : TimelineMetric.values()) {
                List<Double> exact = windows.stream().map(measure::of).filter(Objects::nonNull).toList();
                List<Double> shown = points.stream().map(point -> point.values().get(measure))
                        .filter(Objects::nonNull)
                        .toList();
                assertThat(shown.isEmpty()).as(measure.wireName()).isEqualTo(exact.isEmpty());
                if (!exact.isEmpty() && measure.aggregation() != Aggregation.MEAN) {
                    assertThat(folded(measure.aggregation(), shown)).as(measure.wireName())
                            .isEqualTo(folded(measure.aggregation(), exact));
                }
            }
            assertThat(points.stream().flatMap(point -> point.gauges().values().stream()).max(Double::compare))
                    .isEqualTo(windows.stream()
                            .flatMap(window -> window.verdict().sut().gauges().stream())
                            .map(GaugeSample::value)
                            .max(Double::compare));
        }
    }

    @Test
    void every_point_holds_what_its_own_windows_held() {
        List<JudgedWindow> windows = windows(3000, 0.02);
        int from = 0;
        for (TimelinePoint point : timeline(windows, 60).points()) {
            List<JudgedWindow> own = windows.subList(from, from + point.windows());
            from += point.windows();
            assertThat(point.start()).isEqualTo(own.getFirst().verdict().windowStart());
            assertThat(point.end()).isEqualTo(own.getLast().verdict().windowEnd());
            assertThat(point.phase()).isEqualTo(own.getLast().phase());
            assertThat(point.judgement() == Judgement.BREACHED).isEqualTo(
                    own.stream().anyMatch(window -> window.verdict().judgement() == Judgement.BREACHED));
            Double p99 = point.values().get(TimelineMetric.P99);
            assertThat(own).anySatisfy(window -> {
                assertThat(window.verdict().sut().latencyP99()).isEqualTo(p99);
                assertThat(window.verdict().sut().requestsPerSecond()).isEqualTo(point.rateAtP99());
            });
        }
    }

    @Test
    void few_windows_are_shown_one_by_one() {
        List<JudgedWindow> windows = windows(300, 0);

        List<TimelinePoint> points = timeline(windows, 600).points();

        assertThat(points).hasSameSizeAs(windows).allSatisfy(point -> assertThat(point.windows()).isOne());
        assertThat(points.stream().map(point -> point.values().get(TimelineMetric.RATE)))
                .isEqualTo(windows.stream().map(window -> window.verdict().sut().requestsPerSecond()).toList());
    }

    @Test
    void points_stay_where_they_are_when_more_windows_come() {
        List<JudgedWindow> windows = windows(2000, 0);
        List<TimelinePoint> before = timeline(windows.subList(0, 1500), 600).points();

        List<TimelinePoint> after = timeline(windows, 600).points();

        assertThat(after).containsAll(before.subList(0, before.size() - 1));
    }

    @Test
    void a_time_without_windows_is_a_gap_and_no_line() {
        List<JudgedWindow> windows = new ArrayList<>(windows(10, 0));
        for (int later = 100; later < 110; later++) {
            windows.add(window(later));
        }

        List<@Nullable TimelinePoint> points = timeline(windows, 600).withGaps();

        assertThat(points).hasSize(21).containsOnlyOnce((TimelinePoint) null);
        assertThat(points.get(10)).isNull();
    }

    @Test
    void what_was_not_measured_is_absent_and_not_0() {
        TrafficSample idle = new TrafficSample(0, 0, 0, 0, null, null, Share.NONE, 0L);
        Timeline timeline = timeline(List.of(new JudgedWindow("Baseline", Share.ofRatio(0.25),
                new WindowVerdict("run", 1, 1, START, WINDOW,
                        Judgement.INCONCLUSIVE, List.of(), List.of(),
                        new SearchAdvice(SearchAdvice.Action.NONE, 0, SearchAdvice.Phase.UNKNOWN,
                                "", 0),
                        idle, idle, 0, 0, null))),
                600);

        assertThat(timeline.points()).singleElement().satisfies(point -> {
            assertThat(point.values()).doesNotContainKeys(TimelineMetric.P99, TimelineMetric.P50,
                    TimelineMetric.SHARE_MEASURED,
                    TimelineMetric.ERROR_RATIO, TimelineMetric.UTILISATION, TimelineMetric.THRESHOLD,
                    TimelineMetric.CAPACITY);
            assertThat(point.values()).containsEntry(TimelineMetric.SHARE_ASKED, 0.25)
                    .containsEntry(TimelineMetric.RATE, 0.0);
            assertThat(point.rateAtP99()).isNull();
        });
        assertThat(timeline.latencyRule()).isNull();
    }

    @Test
    void nothing_is_no_points() {
        assertThat(timeline(List.of(), 600).withGaps()).isEmpty();
        assertThat(timeline(windows(1, 0), 2).points()).hasSize(1);
        assertThatThrownBy(() -> new Timeline(WINDOW, WINDOW, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_red_line_is_of_the_rule_that_acts_and_speaks_of_the_p99() {
        RuleResult informational = rule("informational", "latency.p99 <= 1.5 * peers.latency.p99", true, 1);
        RuleResult median = rule("median", "latency.p50 <= duration('20ms')", false, 2);
        RuleResult tail = rule("tail", "latency.p99 <= duration('200ms')", false, 3);
        TrafficSample sut = TrafficSample.NONE;
        WindowVerdict verdict = new WindowVerdict("run", 1, 1, START, WINDOW, Judgement.HOLDS,
                List.of(informational, median, tail), List.of(),
                new SearchAdvice(SearchAdvice.Action.HOLD, 1, SearchAdvice.Phase.RAMPING, "", 1),
                sut, sut, 1000, 0, null);

        assertThat(LatencyRuleSelector.of(verdict)).contains(tail);
        assertThat(LatencyRuleSelector.utilisation(new JudgedWindow("Ramping", Share.ofRatio(0.2), verdict)))
                .isEqualTo(tail.utilisation());
    }

    private static double folded(Aggregation fold, List<Double> values) {
        return switch (fold) {
            case MAX -> values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            case MIN -> values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
            case MEAN -> values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            case SUM -> values.stream().mapToDouble(Double::doubleValue).sum();
            case LAST -> values.getLast();
        };
    }
}
