// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.run;

import static io.redliner.analyzer.windowing.Observations.requests;
import static io.redliner.analyzer.windowing.Observations.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.bottleneck.BottleneckKind;
import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.search.CapacityEstimate;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.ExceedanceCurve;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchInput;
import io.redliner.analyzer.search.SearchState;
import io.redliner.analyzer.validity.CheckStatus;
import io.redliner.analyzer.validity.ValidityCheckResult;
import io.redliner.analyzer.validity.ValidityChecks;
import io.redliner.analyzer.windowing.InstanceMeasurements;
import io.redliner.analyzer.windowing.ServiceWindow;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.SlaEvaluation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RunDiagnosisTest {

    private static final int WINDOWS = 30;

    private static final ExceedanceCurve CURVE = new ExceedanceCurve("latency", OptionalDouble.of(0.1), 0.01, List.of(),
            List.of(), 1, "it is a test");

    @Test
    void while_the_search_goes_on_nothing_is_concluded() {
        var analysis = analysis(SearchAdvice.Action.DONE);

        assertThat(analysis.next(window(0, true), 400).conclusion()).isEqualTo(RunDiagnosis.NONE);
    }

    @Test
    void the_end_of_the_search_is_reported_with_bottleneck_and_validity_and_repeated_unchanged() {
        var analysis = analysis(SearchAdvice.Action.DONE);
        var last = analysis.next(window(0, true), 400);
        for (int i = 1; i < WINDOWS; i++) {
            last = analysis.next(window(i, true), 400);
        }
        var again = analysis.next(window(WINDOWS, false), 400);

        assertThat(last.advice().action()).isEqualTo(SearchAdvice.Action.DONE);
        assertThat(last.conclusion().bottleneck().getFirst().resource()).isEqualTo(BottleneckKind.UNKNOWN);
        assertThat(last.conclusion().validity()).hasSizeGreaterThan(10)
                .noneMatch(check -> check.verdict() == CheckStatus.INVALID);
        assertThat(again.advice()).isEqualTo(last.advice());
        assertThat(again.conclusion()).isEqualTo(last.conclusion());
    }

    @Test
    void a_run_whose_fleet_changed_has_no_answer_and_its_estimate_stays_visible() {
        for (var action : List.of(SearchAdvice.Action.DONE, SearchAdvice.Action.EXHAUSTED,
                SearchAdvice.Action.GIVE_UP)) {
            var analysis = analysis(action);
            var last = analysis.next(window(0, true), 400);
            for (int i = 1; i < WINDOWS; i++) {
                last = analysis.next(window(i, i < 20), 400);
            }

            assertThat(last.advice().action()).isEqualTo(SearchAdvice.Action.GIVE_UP);
            assertThat(last.advice().phase()).isEqualTo(SearchAdvice.Phase.ENDED);
            if (action == SearchAdvice.Action.GIVE_UP) {
                assertThat(last.advice().reason()).as("it has no answer that a check could take away")
                        .isEqualTo("that is all");
            } else {
                assertThat(last.advice().reason()).contains("not valid", "fleet", "c:1", "that is all");
            }
            assertThat(ValidityChecks.objection(last.conclusion().validity()).orElseThrow()).contains("fleet", "c:1");
            assertThat(last.advice().estimate()).map(CapacityEstimate::capacity).contains(110.0);
        }
    }

    @Test
    void clocks_that_disagree_are_noticed_where_observations_come_in() {
        var service = new ServiceAnalyzer(Duration.ofSeconds(1), Duration.ZERO,
                run -> new Ending(SearchAdvice.Action.DONE));
        service.update(run(Stage.BASELINE), Instant.ofEpochSecond(1_000));
        var said = new ArrayList<WindowResult>();
        for (int i = 1; i <= WINDOWS; i++) {
            service.add(observation("collector-1", 2L * i, "a:1", 999 + i), Instant.ofEpochSecond(1_000 + i));
            service.add(observation("collector-2", i, "b:1", 9_999 + i), Instant.ofEpochSecond(1_000 + i));
            said.addAll(service.due(Instant.ofEpochSecond(1_000 + i)));
        }

        var checks = said.getLast().conclusion().validity();
        assertThat(checks).filteredOn(check -> check.verdict() == CheckStatus.INVALID)
                .extracting(ValidityCheckResult::name).containsExactly("telemetry", "clocks");
        assertThat(said.getLast().advice().action()).isEqualTo(SearchAdvice.Action.GIVE_UP);
    }

    @Test
    void what_only_came_out_of_its_order_does_not_count_as_lost() {
        var service = new ServiceAnalyzer(Duration.ofSeconds(1), Duration.ZERO,
                run -> new Ending(SearchAdvice.Action.DONE));
        service.update(run(Stage.BASELINE), Instant.ofEpochSecond(1_000));
        var said = new ArrayList<WindowResult>();
        for (int i = 1; i <= WINDOWS; i++) {
            service.add(observation("collector", 2L * i + 1, "b:1", 999 + i), Instant.ofEpochSecond(999 + i));
            service.add(observation("collector", 2L * i, "a:1", 999 + i), Instant.ofEpochSecond(999 + i));
            said.addAll(service.due(Instant.ofEpochSecond(1_000 + i)));
        }

        assertThat(service.gaps()).isEqualTo(WINDOWS - 1);
        assertThat(service.state().orElseThrow().run().evidence().coverage().lost()).isZero();
        assertThat(said.getLast().conclusion().validity()).noneMatch(check -> check.verdict() == CheckStatus.INVALID);
        assertThat(said.getLast().advice().action()).isEqualTo(SearchAdvice.Action.DONE);
    }

    @Test
    void a_run_whose_beginning_was_not_seen_is_concluded_from_nothing() {
        var analysis = RunAnalyzer.lost(run(Stage.FOLLOWING), new Ending(SearchAdvice.Action.DONE), 90_000);

        var said = analysis.next(window(0, true), 400);

        assertThat(said.advice().action()).isEqualTo(SearchAdvice.Action.GIVE_UP);
        assertThat(said.conclusion().bottleneck()).extracting(finding -> finding.resource())
                .containsExactly(BottleneckKind.NONE_REACHED);
        assertThat(said.conclusion().validity()).noneMatch(check -> check.verdict() == CheckStatus.INVALID);
    }

    @Test
    void what_something_else_ended_is_concluded_while_traffic_goes_back() {
        var analysis = analysis(SearchAdvice.Action.DONE);
        for (int second = 0; second < WINDOWS / 2; second++) {
            analysis.next(window(second, true), 400);
        }
        analysis.update(run(Stage.RESTORING));

        var said = analysis.next(window(WINDOWS / 2, true), 400);

        assertThat(said.conclusion().validity()).isNotEmpty();
        assertThat(said.advice().action()).isEqualTo(SearchAdvice.Action.HOLD);
    }

    @Test
    void the_curve_of_the_search_is_in_its_conclusion_and_not_before() {
        var analysis = analysis(SearchAdvice.Action.DONE);
        var said = new ArrayList<WindowResult>();
        for (int second = 0; second < WINDOWS; second++) {
            said.add(analysis.next(window(second, true), 400));
        }

        assertThat(said.getLast().conclusion().curve()).contains(CURVE);
        assertThat(said.subList(0, WINDOWS - 1)).allMatch(result -> result.conclusion().curve().isEmpty());
    }

    private static RunAnalyzer analysis(SearchAdvice.Action action) {
        return RunAnalyzer.begin(run(Stage.BASELINE), new Ending(action));
    }

    private static RunContext run(Stage stage) {
        var sla = List.of(new RuleCompiler().compile("latency", "latency.p99 <= duration('100ms')", false));
        return new RunContext("service", "run", 1, stage, new SlaSpec("a:1", sla, List.of()),
                Duration.ofSeconds(1), 0.25, 0.6, 0);
    }

    private static ServiceWindow window(int second, boolean whole) {
        var instances = new HashMap<>(Map.of("a:1", new InstanceMeasurements(requests(100, 10), 1), "b:1",
                new InstanceMeasurements(requests(150, 10), 2)));
        if (whole) {
            instances.put("c:1", new InstanceMeasurements(requests(150, 10), 1));
        }
        return new ServiceWindow(1_000_000 + 1_000L * second, Duration.ofSeconds(1), instances, Map.of());
    }

    /** Ends after so many windows. */
    private record Ending(SearchAdvice.Action action) implements CapacitySearch {

        @Override
        public SearchState begin() {
            return new Counted(0, new SearchAdvice(SearchAdvice.Action.HOLD, 100, SearchAdvice.Phase.RAMPING, "", 1,
                    Optional.empty()));
        }

        @Override
        public Optional<ExceedanceCurve> curve(SearchState state, SlaEvaluation sla) {
            return Optional.of(CURVE);
        }

        @Override
        public SearchState advise(SearchState state, SearchInput window) {
            var counted = (Counted) state;
            return counted.windows + 1 < WINDOWS
                    ? new Counted(counted.windows + 1, counted.advice)
                    : new Counted(counted.windows + 1, new SearchAdvice(action, 0, SearchAdvice.Phase.ENDED,
                            "that is all", 2,
                            Optional.of(
                                    new CapacityEstimate(110, 105, 115, OptionalDouble.of(108), Optional.empty()))));
        }
    }

    private record Counted(int windows, SearchAdvice advice) implements SearchState {}
}
