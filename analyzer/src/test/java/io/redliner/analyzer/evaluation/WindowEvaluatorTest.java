// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evaluation;

import static io.redliner.analyzer.windowing.Observations.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowEvaluatorTest {

    private static final String SUT = "a:1";

    @Test
    void peers_and_service_are_merged_by_histogram() {
        var judged = judge(List.of("peers.latency.p99 <= duration('20ms')", "service.latency.p50 <= duration('20ms')"),
                window(Map.of(SUT, requests(100, 10), "b:1", requests(9_900, 10), "c:1", requests(100, 1_000))));

        assertThat(judged.sla().rules()).extracting(outcome -> outcome.comparison().value().orElseThrow())
                .allSatisfy(value -> assertThat(value).isCloseTo(0.01, within(0.001)));
        assertThat(judged.sla().judgement()).isEqualTo(Judgement.HOLDS);
    }

    @Test
    void a_window_without_the_sut_is_inconclusive() {
        var judged = judge(List.of("peers.latency.p99 <= duration('20ms')"), window(Map.of("b:1", requests(100, 10))));

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(judged.sla().reason()).isEqualTo("nobody reported a:1");
    }

    @Test
    void a_window_that_lacks_the_word_of_a_collector_is_inconclusive() {
        var window = new ServiceWindow(0, Duration.ofSeconds(1),
                Map.of(SUT, new InstanceMeasurements(requests(100, 10), 0)), Map.of("b:1", "c"));

        var judged = judge(List.of("latency.p99 <= duration('20ms')"), window);

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(judged.sla().reason()).isEqualTo("collector c did not report b:1");
    }

    @Test
    void a_window_that_lacks_something_that_was_sent_is_inconclusive_and_says_what() {
        var window = new ServiceWindow(0, Duration.ofSeconds(1),
                Map.of(SUT, new InstanceMeasurements(requests(100, 10), 0)), Map.of(),
                Optional.of("collector d has the wrong time"));

        var judged = judge(List.of("latency.p99 <= duration('20ms')"), window);

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(judged.sla().reason()).isEqualTo("collector d has the wrong time");
    }

    @Test
    void all_instances_that_were_not_reported_are_named_as_far_as_there_is_room() {
        var seen = Map.of(SUT, new InstanceMeasurements(requests(100, 10), 0));
        var rules = List.of("latency.p99 <= duration('20ms')");

        assertThat(judge(rules, new ServiceWindow(0, Duration.ofSeconds(1), seen, Map.of("b:1", "c", "c:1", "d")))
                .sla().reason()).isEqualTo("collector c did not report b:1, collector d did not report c:1");
        assertThat(judge(rules, new ServiceWindow(0, Duration.ofSeconds(1), seen,
                Map.of("b:1", "c", "c:1", "c", "d:1", "c", "e:1", "c", "f:1", "c"))).sla().reason())
                .endsWith("collector c did not report d:1 and 2 more");
    }

    @Test
    void a_rule_on_metrics_whose_clock_is_ahead_has_that_reason() {
        var sut = requests(100, 10);
        var ahead = new WindowStats(sut.length(), sut.started(), sut.completed(), 0, 0, sut.latency(), List.of(),
                Map.of("metrics.offset", 30.0));

        assertThat(judge(List.of("custom['orders'] <= 3", "gc.pause <= duration('1s')"), window(Map.of(SUT, ahead)))
                .sla().reason()).contains("rule0: custom['orders'] is not known", "rule1: gc.pause is not known",
                        "30 s ahead of the collector's clock")
                .doesNotContain("nobody reports");
    }

    @Test
    void a_sut_whose_only_collector_has_the_wrong_time_is_missed_with_that_reason() {
        var window = new ServiceWindow(0, Duration.ofSeconds(1), Map.of(), Map.of(),
                Optional.of("collector d has the wrong time"));

        assertThat(judge(List.of("latency.p99 <= duration('20ms')"), window).sla().reason())
                .isEqualTo("nobody reported a:1: collector d has the wrong time");
    }

    @Test
    void a_breach_takes_precedence_over_what_is_inconclusive() {
        var judged = judge(List.of("cpu <= 0.8", "latency.p99 <= duration('20ms')"),
                window(Map.of(SUT, requests(100, 30))));

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.BREACHED);
    }

    @Test
    void what_is_inconclusive_takes_precedence_over_what_holds_and_says_why() {
        var judged = judge(List.of("cpu <= 0.8", "latency.p99 <= duration('20ms')"),
                window(Map.of(SUT, requests(100, 10))));

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.INCONCLUSIVE);
        assertThat(judged.sla().reason()).isEqualTo("rule0: nobody reports cpu");
    }

    @Test
    void every_rule_that_cannot_be_judged_is_named_at_once() {
        var judged = judge(List.of("cpu <= 0.8", "custom['queue'] <= 3", "latency.p99 <= duration('20ms')"),
                window(Map.of(SUT, requests(100, 10))));

        assertThat(judged.sla().reason())
                .isEqualTo("rule0: nobody reports cpu; and rule1: nobody reports custom['queue'];"
                        + " no custom gauge is reported");
    }

    @Test
    void informational_rules_are_reported_and_do_not_decide() {
        var compiler = new RuleCompiler();
        var rules = List.of(compiler.compile("real", "latency.p99 <= duration('40ms')", false),
                compiler.compile("only for information", "latency.p99 <= duration('20ms')", true));

        var judged = new WindowEvaluator(new SlaSpec(SUT, rules, List.of())).judge(
                window(Map.of(SUT, requests(100, 30))),
                Optional.empty());

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(judged.sla().rules()).extracting(outcome -> outcome.judgement()).containsExactly(Judgement.HOLDS,
                Judgement.BREACHED);
        assertThat(judged.sla().deciding()).hasSize(1);
    }

    @Test
    void guards_are_reported_and_are_no_part_of_the_sla() {
        var guards = rules(List.of("service.latency.p99 <= duration('20ms')"));

        var judged = new WindowEvaluator(new SlaSpec(SUT, rules(List.of("qps > 1")), guards))
                .judge(window(Map.of(SUT, requests(100, 30))), Optional.empty());

        assertThat(judged.sla().judgement()).isEqualTo(Judgement.HOLDS);
        assertThat(judged.guards()).singleElement()
                .satisfies(guard -> assertThat(guard.judgement()).isEqualTo(Judgement.BREACHED));
    }

    @Test
    void the_baseline_is_a_scope_of_its_own() {
        var criteria = new SlaSpec(SUT, rules(List.of("latency.p99 <= 2 * baseline.latency.p99")), List.of());
        var window = window(Map.of(SUT, requests(100, 30)));

        assertThat(new WindowEvaluator(criteria).judge(window, Optional.of(requests(100, 10))).sla().judgement())
                .isEqualTo(Judgement.BREACHED);
        assertThat(new WindowEvaluator(criteria).judge(window, Optional.empty()).sla().judgement())
                .isEqualTo(Judgement.INCONCLUSIVE);
    }

    @Test
    void harm_is_what_broke_the_sla_beyond_what_the_peers_saw() {
        var slowPeers = WindowStats.mergeInstances(List.of(requests(900, 10), requests(100, 50)));
        var slowSut = WindowStats.mergeInstances(List.of(requests(150, 10), requests(50, 50)));

        var judged = judge(
                List.of("latency.p99 <= duration('40ms')", "latency.p50 <= duration('45ms')", "error_rate <= 0.01"),
                window(Map.of(SUT, slowSut, "b:1", slowPeers)));

        // 50 of 200 were slow, of which 20 would have been at a peer.
        assertThat(judged.harmRequests()).isCloseTo(30, within(1e-9));
        assertThat(judged.brokenRequests()).as("those that would have been slow at a peer are among them")
                .isEqualTo(50);
    }

    @Test
    void harm_is_below_zero_where_the_sut_does_better_than_its_peers() {
        var slowPeers = WindowStats.mergeInstances(List.of(requests(900, 10), requests(100, 50)));

        var judged = judge(List.of("latency.p99 <= duration('40ms')", "cpu <= 0.9"),
                window(Map.of(SUT, requests(200, 10), "b:1", slowPeers)));

        assertThat(judged.harmRequests()).as("none of 200 was slow, 20 would have been at a peer")
                .isCloseTo(-20, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"0.95, 0.5, 200", "0.95, 0.97, 0", "0.85, 0.5, 0"})
    void while_a_level_is_broken_at_the_sut_alone_all_its_requests_are_harmed(double atSut, double atPeer,
            double harmed) {
        var judged = judge(List.of("latency.p99 <= duration('40ms')", "cpu <= 0.9"),
                window(Map.of(SUT, busy(200, atSut), "b:1",
                        busy(900, atPeer))));

        assertThat(judged.harmRequests()).isEqualTo(harmed);
        assertThat(judged.brokenRequests()).isEqualTo(atSut > 0.9 ? 200 : 0);
    }

    @Test
    void an_informational_rule_harms_nobody() {
        var rules = List.of(new RuleCompiler().compile("cpu", "cpu <= 0.9", true));
        var window = window(Map.of(SUT, busy(200, 0.95)));

        assertThat(new WindowEvaluator(new SlaSpec(SUT, rules, List.of())).judge(window, Optional.empty())
                .harmRequests()).isZero();
    }

    @Test
    void there_is_no_harm_while_the_sut_does_not_differ_from_its_peers() {
        var judged = judge(List.of("latency.p99 <= duration('40ms')"),
                window(Map.of(SUT, requests(100, 50), "b:1", requests(100, 50))));

        assertThat(judged.harmRequests()).isZero();
        assertThat(judged.brokenRequests()).isEqualTo(100);
    }

    /** The SUT and some of its three peers are slow; the number of the SUT's 100 requests that are harmed. */
    @ParameterizedTest
    @CsvSource({"0, 100", "1, 100", "2, 34", "3, 0"})
    void peers_that_are_ill_by_themselves_excuse_nothing(int ill, double harmed) {
        var instances = new TreeMap<>(Map.of(SUT, requests(100, 50)));
        for (int peer = 0; peer < 3; peer++) {
            instances.put("b:" + peer, requests(peer == 0 ? 320 : 340, peer < ill ? 50 : 10));
        }

        var judged = judge(List.of("latency.p99 <= duration('40ms')"), window(instances));

        assertThat(judged.harmRequests()).isCloseTo(harmed, within(1e-9));
        assertThat(judged.atPeers().getFirst().judgement())
                .isEqualTo(ill > 1 ? Judgement.BREACHED : Judgement.HOLDS);
    }

    private static WindowStats busy(long count, double cpu) {
        return WindowStats
                .mergeInstances(List.of(requests(count, 10), new WindowStats(Duration.ofSeconds(1), 0, 0, 0, 0,
                        new Histogram(3), List.of(), Map.of("cpu", cpu))));
    }

    private static WindowEvaluation judge(List<String> expressions, ServiceWindow window) {
        return new WindowEvaluator(new SlaSpec(SUT, rules(expressions), List.of())).judge(window, Optional.empty());
    }

    private static List<Rule> rules(List<String> expressions) {
        var compiler = new RuleCompiler();
        var rules = new ArrayList<Rule>();
        for (int i = 0; i < expressions.size(); i++) {
            rules.add(compiler.compile("rule" + i, expressions.get(i), false));
        }
        return rules;
    }

    private static ServiceWindow window(Map<String, WindowStats> instances) {
        var seen = new HashMap<String, InstanceMeasurements>();
        instances.forEach((instance, measured) -> seen.put(instance, new InstanceMeasurements(measured, 0)));
        return new ServiceWindow(0, Duration.ofSeconds(1), seen, Map.of());
    }
}
