// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import static io.redliner.analyzer.windowing.Observations.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.Judgement;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunAnalyzerTest {

    private static final List<Rule> SLA = List.of(
            new RuleCompiler().compile("relative", "latency.p99 <= 2 * baseline.latency.p99", false));

    private final CapacitySearch search = new BayesianCapacitySearch(SearchSettings.defaults());

    @Test
    void while_the_controller_prepares_the_load_stays_natural_and_nothing_is_searched() {
        var analysis = RunAnalyzer.begin(run(Stage.WAITING), search);

        for (int i = 0; i < 20; i++) {
            var said = analysis.next(window(10), 400);

            assertThat(said.advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
            assertThat(said.advice().requestsPerSecond()).isEqualTo(100);
            assertThat(said.sequence()).isEqualTo(i + 1);
        }
    }

    @Test
    void the_baseline_is_what_was_measured_before_anything_was_moved() {
        var analysis = RunAnalyzer.begin(run(Stage.WAITING), search);
        analysis.next(window(10), 400);
        analysis.update(run(Stage.BASELINE));

        assertThat(analysis.next(window(15), 400).evaluation().sla().judgement()).isEqualTo(Judgement.HOLDS);
        for (int i = 0; i < 8; i++) {
            analysis.next(window(10), 400);
        }
        analysis.update(run(Stage.FOLLOWING));

        assertThat(analysis.next(window(50), 400).evaluation().sla().judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(analysis.next(window(50), 400).evaluation().sla().judgement()).isEqualTo(Judgement.BREACHED);
    }

    @Test
    void a_cold_server_is_no_baseline() {
        var analysis = RunAnalyzer.begin(run(Stage.WAITING), search);
        for (int i = 0; i < 3; i++) {
            analysis.next(window(200), 400);
        }
        analysis.update(run(Stage.BASELINE));
        for (int i = 0; i < 4; i++) {
            analysis.next(window(100), 400);
        }
        for (int i = 0; i < 16; i++) {
            assertThat(analysis.next(window(10), 400).evaluation().sla().judgement()).isEqualTo(Judgement.HOLDS);
        }
        analysis.update(run(Stage.FOLLOWING));

        assertThat(analysis.next(window(50), 400).evaluation().sla().judgement()).isEqualTo(Judgement.BREACHED);
    }

    @Test
    void an_incomplete_window_is_no_baseline() {
        var analysis = RunAnalyzer.begin(run(Stage.BASELINE), search);
        analysis.next(window(10), 400);
        var incomplete = window(200);
        analysis.next(new ServiceWindow(incomplete.startMillis(), incomplete.length(), incomplete.instances(),
                Map.of("b:1", "collector-1")), 400);
        for (int i = 0; i < 16; i++) {
            analysis.next(window(10), 400);
        }
        analysis.update(run(Stage.FOLLOWING));

        assertThat(analysis.next(window(50), 400).evaluation().sla().judgement()).isEqualTo(Judgement.BREACHED);
    }

    @Test
    void a_pause_keeps_the_load_and_the_search_where_they_are() {
        var analysis = RunAnalyzer.begin(run(Stage.BASELINE), search);
        var last = analysis.next(window(10), 400);
        for (int i = 0; i < 8; i++) {
            last = analysis.next(window(10), 400);
        }
        analysis.update(run(Stage.PAUSED));

        var paused = analysis.next(window(10), 400);

        assertThat(paused.advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
        assertThat(paused.advice().requestsPerSecond()).isEqualTo(last.advice().requestsPerSecond());
        assertThat(paused.advice().reason()).contains("paused");
    }

    @ParameterizedTest
    @EnumSource(value = Stage.class, names = {"WAITING", "BASELINE", "PAUSED"})
    void a_first_window_that_says_nothing_leaves_the_load_at_the_natural_one(Stage stage) {
        for (var searching : List.of(search, new NoiseGate(SearchSettings.defaults()))) {
            var analysis = RunAnalyzer.begin(run(stage), searching);

            for (int i = 0; i < 2; i++) {
                var said = analysis.next(
                        new ServiceWindow(0, Duration.ofSeconds(1), Map.of(), Map.of("a:1", "collector-1")), 400);

                assertThat(said.evaluation().sla().judgement()).isEqualTo(Judgement.INCONCLUSIVE);
                assertThat(said.advice().requestsPerSecond()).as(said.advice().reason()).isEqualTo(100);
            }
        }
    }

    @Test
    void a_run_found_after_a_restart_without_its_state_is_given_up() {
        var analysis = RunAnalyzer.lost(run(Stage.FOLLOWING), search, 90_000);

        var said = analysis.next(window(10), 400);

        assertThat(said.advice().action()).isEqualTo(SearchAdvice.Action.GIVE_UP);
        assertThat(said.sequence()).isGreaterThan(90);
    }

    @Test
    void a_run_found_after_a_restart_with_its_state_goes_on_as_if_nothing_had_happened() {
        var analysis = RunAnalyzer.begin(run(Stage.BASELINE), search);
        for (int i = 0; i < 5; i++) {
            analysis.next(window(10), 400);
        }

        var resumed = RunAnalyzer.resume(run(Stage.BASELINE), search, analysis.state());

        for (int i = 0; i < 5; i++) {
            var said = resumed.next(window(10 + i), 400);
            var undisturbed = analysis.next(window(10 + i), 400);
            assertThat(said.advice()).isEqualTo(undisturbed.advice());
            assertThat(said.evaluation().sla().judgement()).isEqualTo(undisturbed.evaluation().sla().judgement());
            assertThat(said.sequence()).isEqualTo(6 + i);
        }
    }

    @Test
    void a_run_that_another_controller_took_over_goes_on_under_its_epoch() {
        var analysis = RunAnalyzer.begin(run(Stage.BASELINE), search);
        var undisturbed = RunAnalyzer.begin(run(Stage.BASELINE), search);
        for (int i = 0; i < 5; i++) {
            analysis.next(window(10), 400);
            undisturbed.next(window(10), 400);
        }
        var taken = new RunContext("service", "run", 4, Stage.BASELINE, new SlaSpec("a:1", SLA, List.of()),
                Duration.ofSeconds(1), 0.25, 0.6, 0);

        assertThat(run(Stage.BASELINE).isContinuedBy(taken)).isTrue();
        assertThat(taken.isContinuedBy(run(Stage.BASELINE))).as("an older controller").isFalse();
        analysis.update(taken);

        var said = analysis.next(window(10), 400);
        assertThat(said.run().epoch()).isEqualTo(4);
        assertThat(said.sequence()).isEqualTo(6);
        assertThat(said.advice()).isEqualTo(undisturbed.next(window(10), 400).advice());
        assertThat(RunAnalyzer.resume(taken, search, analysis.state()).state()).isEqualTo(analysis.state());
    }

    @Test
    void the_state_of_another_run_is_refused() {
        var state = RunAnalyzer.begin(run(Stage.BASELINE), search).state();
        var other = new RunContext("service", "run", 2, Stage.BASELINE, new SlaSpec("a:1", SLA, List.of()),
                Duration.ofSeconds(1), 0.25, 0.6, 0);

        assertThatThrownBy(() -> RunAnalyzer.resume(other, search, state)).hasMessageContaining("epoch 1")
                .hasMessageContaining("epoch 2");
    }

    @Test
    void a_run_found_after_a_restart_before_anything_was_moved_is_carried_on() {
        var analysis = RunAnalyzer.lost(run(Stage.WAITING), search, 5_000);
        analysis.update(run(Stage.BASELINE));

        assertThat(analysis.next(window(10), 400).advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
    }

    @Test
    void a_percentile_that_the_traffic_cannot_support_is_given_up_before_anything_is_moved() {
        var tail = List.of(new RuleCompiler().compile("tail", "latency.p999 <= duration('1s')", false));
        var analysis = RunAnalyzer.begin(run(Stage.WAITING, tail),
                new BayesianCapacitySearch(SearchSettings.defaults()));

        assertThat(analysis.next(window(10), 60).advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
        assertThat(analysis.next(window(10), 60).advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
        var third = analysis.next(window(10), 60).advice();

        assertThat(third.action()).isEqualTo(SearchAdvice.Action.GIVE_UP);
        assertThat(third.reason()).contains("latency.p999", "1000 requests", "60.0 requests/s", "use latency.p99");
        assertThat(analysis.next(window(10), 70).advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
    }

    @Test
    void an_informational_rule_that_is_broken_does_not_keep_the_search_from_going_on() {
        var sla = List.of(SLA.getFirst(),
                new RuleCompiler().compile("ambition", "latency.p99 <= duration('5ms')", true));
        var analysis = RunAnalyzer.begin(run(Stage.WAITING, sla), search);
        analysis.next(window(10), 400);
        analysis.update(run(Stage.BASELINE, sla));

        var said = analysis.next(window(10), 400);
        for (int i = 0; i < 12; i++) {
            said = analysis.next(window(10), 400);
        }

        assertThat(said.evaluation().sla().rules().getLast().judgement()).isEqualTo(Judgement.BREACHED);
        assertThat(said.advice().phase()).isEqualTo(SearchAdvice.Phase.RAMPING);
        assertThat(said.advice().requestsPerSecond()).isGreaterThan(101);
    }

    @Test
    void a_run_with_a_plan_of_its_own_is_judged_to_its_end_and_nothing_is_searched() {
        var analysis = RunAnalyzer.begin(judgedOnly(Stage.WAITING), search);
        var empty = analysis.state().search();
        for (var stage : List.of(Stage.WAITING, Stage.BASELINE, Stage.FOLLOWING)) {
            analysis.update(judgedOnly(stage));
            for (int i = 0; i < 300; i++) {
                var said = analysis.next(window(i % 2 == 0 ? 10 : 5000), 60);

                assertThat(said.advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
                assertThat(said.conclusion()).isEqualTo(RunDiagnosis.NONE);
                assertThat(said.evaluation().sla().judgement())
                        .isEqualTo(i % 2 == 0 ? Judgement.HOLDS : Judgement.BREACHED);
            }
        }

        assertThat(analysis.state().search()).isEqualTo(empty);
        assertThat(analysis.state().sequence()).isEqualTo(900);
    }

    @Test
    void why_a_window_does_not_count_is_reported_whatever_the_run_follows() {
        for (var stage : List.of(Stage.BASELINE, Stage.FOLLOWING, Stage.PAUSED)) {
            var said = RunAnalyzer.begin(judgedOnly(stage), search)
                    .next(new ServiceWindow(0, Duration.ofSeconds(1), Map.of(), Map.of("a:1", "collector-1")), 60);

            assertThat(said.advice().reason()).as("%s", stage).startsWith("not counted: ")
                    .isEqualTo("not counted: " + said.evaluation().sla().reason());
        }
    }

    private static RunContext judgedOnly(Stage stage) {
        var sla = List.of(new RuleCompiler().compile("latency", "latency.p99 <= duration('200ms')", false));
        return new RunContext("service", "run", 1, stage, new SlaSpec("a:1", sla, List.of()),
                Duration.ofSeconds(1), 0.25, 0.6, 0, 0, true, SearchGoal.NONE, Set.of());
    }

    private static RunContext run(Stage stage) {
        return run(stage, SLA);
    }

    private static RunContext run(Stage stage, List<Rule> sla) {
        return new RunContext("service", "run", 1, stage, new SlaSpec("a:1", sla, List.of()),
                Duration.ofSeconds(1), 0.25, 0.6, 0);
    }

    private static ServiceWindow window(long millis) {
        return new ServiceWindow(0, Duration.ofSeconds(1),
                Map.of("a:1", new InstanceMeasurements(requests(100, millis), 1), "b:1",
                        new InstanceMeasurements(requests(300, 10), 1)),
                Map.of());
    }
}
