// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static io.redliner.sla.Windows.gauges;
import static io.redliner.sla.Windows.latencies;
import static io.redliner.sla.Windows.measurements;
import static io.redliner.sla.Windows.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleTest {

    private static final Duration LIMIT = Duration.ofMillis(200);

    private final RuleCompiler compiler = new RuleCompiler();

    @Test
    void a_percentile_rule_holds_while_no_more_than_its_part_of_the_requests_is_slower() {
        var outcome = evaluate("latency.p99 <= duration('200ms')",
                measurements(Scope.SUT, window(latencies(990, 50, 10, 300), 0)));

        assertThat(outcome.judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(outcome.comparison().value().orElseThrow()).isCloseTo(0.05, within(0.001));
        assertThat(outcome.comparison().threshold()).hasValue(0.2);
        assertThat(outcome.comparison().unit()).isEqualTo(MetricUnit.SECONDS);
        assertThat(outcome.comparison().utilisation().orElseThrow()).isCloseTo(0.25, within(0.001));
        assertThat(outcome.comparison().proportion()).contains(new Proportion(Proportion.Kind.SLOW, 1000, 10, 0.01));
    }

    @Test
    void one_more_slow_request_breaches_it() {
        var outcome = evaluate("latency.p99 <= duration('200ms')",
                measurements(Scope.SUT, window(latencies(989, 50, 11, 300), 0)));

        assertThat(outcome.judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(outcome.comparison().value().orElseThrow()).isCloseTo(0.3, within(0.001));
        assertThat(outcome.comparison().utilisation().orElseThrow()).isCloseTo(1.5, within(0.01));
    }

    @Test
    void requests_that_hang_are_slow_before_they_end() {
        var hanging = window(latencies(), 0, new OverdueRequests(LIMIT, 20, 0));

        var outcome = evaluate("latency.p99 <= duration('200ms')", measurements(Scope.SUT, hanging));

        assertThat(outcome.judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(outcome.comparison().proportion()).contains(new Proportion(Proportion.Kind.SLOW, 20, 20, 0.01));
        assertThat(outcome.comparison().value().orElseThrow()).isGreaterThan(0.2);
    }

    @Test
    void requests_that_were_counted_while_they_hung_are_not_counted_again_when_they_end() {
        var settling = window(latencies(980, 50, 20, 900), 0, new OverdueRequests(LIMIT, 0, 20));

        var outcome = evaluate("latency.p99 <= duration('200ms')", measurements(Scope.SUT, settling));

        assertThat(outcome.judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(outcome.comparison().proportion()).contains(new Proportion(Proportion.Kind.SLOW, 980, 0, 0.01));
        assertThat(outcome.comparison().value().orElseThrow()).isCloseTo(0.05, within(0.001));
    }

    @Test
    void instances_are_merged_by_histogram_and_never_by_averaging_percentiles() {
        var quick = window(latencies(9_900, 10), 0);
        var slow = window(latencies(100, 1_000), 0);

        var outcome = evaluate("peers.latency.p99 <= duration('20ms')",
                measurements(Scope.PEERS, WindowStats.mergeInstances(List.of(quick, slow))));

        // The mean of the two p99s would be 505 ms.
        assertThat(outcome.comparison().value().orElseThrow()).isCloseTo(0.01, within(0.001));
        assertThat(outcome.judgement()).isEqualTo(Judgement.HOLDS);
    }

    @Test
    void a_rule_relative_to_peers_has_their_value_as_its_threshold() {
        var outcome = evaluate("1.5 * peers.latency.p99 >= latency.p99",
                measurements(Scope.SUT, window(latencies(100, 160), 0), Scope.PEERS, window(latencies(100, 100), 0)));

        assertThat(outcome.judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(outcome.comparison().scope()).isEqualTo(Scope.SUT);
        assertThat(outcome.comparison().value().orElseThrow()).isCloseTo(0.16, within(0.001));
        assertThat(outcome.comparison().threshold().orElseThrow()).isCloseTo(0.15, within(0.001));
    }

    @Test
    void an_error_ratio_is_a_proportion_too() {
        var outcome = evaluate("error_rate <= 0.01", measurements(Scope.SUT, window(latencies(1000, 10), 11)));

        assertThat(outcome.judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(outcome.comparison().value().orElseThrow()).isCloseTo(0.011, within(1e-9));
        assertThat(outcome.comparison().unit()).isEqualTo(MetricUnit.RATIO);
        assertThat(outcome.comparison().proportion()).contains(new Proportion(Proportion.Kind.FAILED, 1000, 11, 0.01));
    }

    @ParameterizedTest
    @CsvSource({"cpu <= 0.8, HOLDS", "cpu <= 0.8 && memory <= 0.5, BREACHED", "cpu <= 0.8 || memory <= 0.5, HOLDS",
        "!(cpu <= 0.8), BREACHED", "!(cpu <= 0.8 && memory <= 0.5), HOLDS",
        "!(cpu <= 0.8 || memory <= 0.5), BREACHED", "!!(cpu <= 0.8), HOLDS", "disk.busy <= 0.8, INCONCLUSIVE",
        "disk.busy <= 0.8 && memory <= 0.5, BREACHED", "disk.busy <= 0.8 && cpu <= 0.8, INCONCLUSIVE",
        "disk.busy <= 0.8 || cpu <= 0.8, HOLDS", "disk.busy <= 0.8 || memory <= 0.5, INCONCLUSIVE",
        "!(disk.busy <= 0.8), INCONCLUSIVE", "cpu < 0.7, BREACHED", "cpu <= 0.7, HOLDS", "cpu >= 0.7, HOLDS",
        "cpu > 0.7, BREACHED", "net.link <= 1.0, INCONCLUSIVE", "custom['depth'] <= 5, HOLDS",
        "custom['width'] <= 5, INCONCLUSIVE", "peers.cpu <= 0.8, INCONCLUSIVE", "cpu / (cpu - cpu) < 1, INCONCLUSIVE",
        "overdue <= 0, INCONCLUSIVE", "gc.pause <= duration('10ms'), BREACHED", "2 * cpu - 1 <= -0.5 + 1, HOLDS"})
    void logic_has_three_values(String expression, Judgement expected) {
        var measured = gauges(
                Map.of("cpu", 0.7, "memory", 0.9, "net.link", Double.NaN, "depth", 3.0, "gc.pause", 0.02));

        var outcome = evaluate(expression, measurements(Scope.SUT, measured));

        assertThat(outcome.judgement()).isEqualTo(expected);
        assertThat(outcome.reason().isEmpty()).isEqualTo(expected != Judgement.INCONCLUSIVE);
    }

    @Test
    void the_comparison_that_decides_is_reported() {
        var measured = gauges(Map.of("cpu", 0.7, "memory", 0.9));

        var both = evaluate("cpu <= 0.8 && memory <= 0.85", measurements(Scope.SUT, measured));
        var either = evaluate("cpu <= 0.8 || memory <= 0.95", measurements(Scope.SUT, measured));

        assertThat(both.comparison().threshold()).hasValue(0.85);
        assertThat(both.comparisons()).hasSize(2);
        assertThat(both.rule().isConjunction()).isTrue();
        assertThat(either.comparison().threshold()).hasValue(0.8);
        assertThat(either.rule().isConjunction()).isFalse();
    }

    @Test
    void a_window_without_requests_says_nothing_about_latency_or_errors() {
        var empty = measurements(Scope.SUT, window(latencies(), 0));

        assertThat(evaluate("latency.p99 <= duration('200ms')", empty).judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(evaluate("latency.mean <= duration('200ms')", empty).judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(evaluate("error_rate <= 0.001", empty).reason()).contains("no request completed");
        assertThat(evaluate("qps <= 0", empty).judgement()).isEqualTo(Judgement.HOLDS);
    }

    @Test
    void rates_and_lengths_add_up_over_windows_in_a_row() {
        var second = window(latencies(100, 10), 1);
        var minute = WindowStats.concatenate(List.of(second, second, second));

        var outcome = evaluate("qps >= 100 && error_rate <= 0.01", measurements(Scope.SUT, minute));

        assertThat(outcome.judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(outcome.comparisons().getFirst().value()).hasValue(100);
        assertThat(outcome.comparisons().getLast().proportion())
                .contains(new Proportion(Proportion.Kind.FAILED, 300, 3, 0.01));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "error_rate <= 0.02 | 1 - error_rate >= 0.98", "error_rate <= 0.02 | 100 * error_rate <= 2",
        "error_rate <= 0.02 | 0.98 <= 1 - error_rate", "error_rate <= 0.02 | error_rate / 2 <= 0.01",
        "error_rate <= 0.02 | -error_rate >= -0.02", "error_rate < 0.02 | !(100.0 * error_rate >= 2.0)",
        "error_rate <= 0.1 | 1 - error_rate >= 0.9", "error_rate <= 0.03 | 100 * (1 - error_rate) >= 97",
        "latency.p90 <= duration('200ms') | 2 * latency.p90 <= 2 * duration('200ms')",
        "latency.p90 <= duration('200ms') | latency.p90 + duration('1s') <= duration('1200ms')",
        "latency.p90 <= 2 * peers.latency.p90 | 0.5 * latency.p90 <= peers.latency.p90"})
    void a_limit_that_is_written_another_way_is_judged_the_same(String direct, String other) {
        for (long exceeding = 0; exceeding <= 120; exceeding++) {
            var sut = window(latencies(1000 - exceeding, 50, exceeding, 300), exceeding);
            var measured = measurements(Scope.SUT, sut, Scope.PEERS, window(latencies(1000, 100), 0));

            assertThat(evaluate(other, measured).comparisons()).as("%s of 1000", exceeding)
                    .isEqualTo(evaluate(direct, measured).comparisons()).singleElement()
                    .extracting(ComparisonResult::proportion).matches(proportion -> proportion.toString()
                            .contains("Proportion["), "judged by counts");
        }
    }

    @Test
    void a_custom_gauge_that_nobody_reports_is_named_with_those_that_are() {
        var outcome = evaluate("custom['import.queue.size'] <= 3", measurements(Scope.SUT,
                gauges(Map.of("cpu", 0.5, "heap_used", 1.0, "import_queue_size", 2.0, "gc.pause[G1]", 0.1))));

        assertThat(outcome.judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(outcome.reason()).isEqualTo(
                "nobody reports custom['import.queue.size']; reported are: import_queue_size, heap_used");
        assertThat(evaluate("custom['a'] <= 3", measurements(Scope.SUT, gauges(Map.of("cpu", 0.5)))).reason())
                .isEqualTo("nobody reports custom['a']; no custom gauge is reported");
    }

    @Test
    void all_that_is_missing_of_a_rule_is_named_at_once() {
        var nothing = measurements(Scope.SUT, gauges(Map.of("cpu", 0.5)));

        assertThat(evaluate("custom['errors'] / custom['total'] <= 0.1", nothing).reason())
                .isEqualTo("the numerator is missing: nobody reports custom['errors']; no custom gauge is reported;"
                        + " and the denominator is missing: nobody reports custom['total']; no custom gauge is reported");
        assertThat(evaluate("memory <= 0.1 * gc.rate", nothing).reason())
                .isEqualTo("nobody reports memory; and nobody reports gc.rate");
        assertThat(evaluate("cpu <= 0.9 && gc.pause <= duration('1s') && net.tx + net.rx <= 3 && memory <= 0.9",
                nothing).reason()).isEqualTo("nobody reports gc.pause; and nobody reports net.tx;"
                        + " and nobody reports net.rx; and nobody reports memory");
        assertThat(evaluate("memory <= 0.9 || net.tx <= 3 || memory <= 0.1 * net.rx", nothing).reason())
                .isEqualTo("nobody reports memory; and nobody reports net.tx; and nobody reports memory;"
                        + " and nobody reports net.rx");
        assertThat(evaluate("latency.p99 <= 2 * peers.latency.p99", measurements(Scope.SUT, window(latencies(), 0)))
                .reason()).isEqualTo("no request completed, so there is no latency.p99;"
                        + " and no data for peers.latency.p99");
    }

    @Test
    void only_what_is_missing_of_a_quotient_is_named() {
        var some = measurements(Scope.SUT, gauges(Map.of("total", 5.0, "none", 0.0)));

        assertThat(evaluate("custom['errors'] / custom['total'] <= 0.1", some).reason()).isEqualTo(
                "the numerator is missing: nobody reports custom['errors']; reported are: none, total");
        assertThat(evaluate("custom['total'] / custom['errors'] <= 0.1", some).reason()).isEqualTo(
                "the denominator is missing: nobody reports custom['errors']; reported are: none, total");
        assertThat(evaluate("custom['total'] / custom['none'] <= 0.1", some).reason())
                .isEqualTo("the denominator is 0: custom['none']");
        assertThat(evaluate("1.0 / (custom['none'] + error_rate) <= 0.1",
                measurements(Scope.SUT, gauges(Map.of("none", 0.0)))).reason())
                .isEqualTo("the denominator is 0: custom['none'] + error_rate");
    }

    @Test
    void a_near_miss_is_suggested_before_what_redliner_measures_itself() {
        var reported = new HashMap<String, Double>();
        for (var name : List.of("cpu.steal", "pool.busy", "collector.lag", "clock.offset", "cpu.quota", "net.speed",
                "cpu[3]", "aaa_total.rate")) {
            reported.put(name, 1.0);
        }
        for (int number = 0; number < 300; number++) {
            reported.put("a_gauge_" + number, 1.0);
        }
        reported.put("orders_queue_size_current_total{shop=\"a.b\"}", 1.0);
        reported.put("queue_size.p99", 1.0);

        assertThat(evaluate("custom['orders.queue.size'] <= 3", measurements(Scope.SUT, gauges(reported))).reason())
                .startsWith("nobody reports custom['orders.queue.size']; reported are: ")
                .doesNotContain("cpu", "pool", "collector", "clock", "net.speed");
        assertThat(evaluate("custom['queuesize.p99'] <= 3", measurements(Scope.SUT, gauges(reported))).reason())
                .startsWith("nobody reports custom['queuesize.p99']; reported are: queue_size.p99, ");
        assertThat(evaluate("custom['orders_queue_size_current_total'] <= 3",
                measurements(Scope.SUT, gauges(reported))).reason())
                .contains("reported are: orders_queue_size_current_total{shop=\"a.b\"}, ");
        assertThat(evaluate("custom['cpu.steel'] <= 3", measurements(Scope.SUT, gauges(Map.of("cpu.steal", 1.0))))
                .reason())
                .isEqualTo("nobody reports custom['cpu.steel']; no custom gauge is reported, RedLiner measures:"
                        + " cpu.steal");
    }

    @Test
    void metrics_whose_clock_is_wrong_are_not_called_unreported() {
        var measured = measurements(Scope.SUT, gauges(Map.of("metrics.offset", 30.4, "queue", 3.0)));

        assertThat(evaluate("custom['queue'] <= 3", measured).judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(evaluate("custom['orders'] <= 3", measured).reason())
                .isEqualTo("custom['orders'] is not known: metrics"
                        + " of the instance come with times 30 s ahead of the collector's clock; reported are: queue");
        assertThat(evaluate("gc.pause <= duration('1s')", measured).reason()).isEqualTo("gc.pause is not known: metrics"
                + " of the instance come with times 30 s ahead of the collector's clock");
        assertThat(evaluate("custom['orders'] <= 3", measurements(Scope.SUT, gauges(Map.of("metrics.offset", -400.0))))
                .reason())
                .isEqualTo("custom['orders'] is not known: metrics of the instance come with times 400 s behind"
                        + " the collector's clock; no custom gauge is reported");
    }

    @Test
    void the_limit_of_a_percentile_that_is_written_another_way_is_counted_against() {
        assertThat(compiler.compile("latency", "2 * latency.p90 <= duration('400ms')", false).latencyLimits())
                .containsExactly(LIMIT);
    }

    private RuleEvaluation evaluate(String expression, ScopedStats measurements) {
        return compiler.compile("rule", expression, false).evaluate(measurements);
    }
}
