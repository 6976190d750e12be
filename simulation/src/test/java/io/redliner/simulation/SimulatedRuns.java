// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.analyzer.kafka.AnalyzerMetrics;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.StopCode;
import io.redliner.simulation.LoopSimulation.End;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The cores of controller, analyzer and redirector in one loop, with whatever can go wrong. Each seed is a run of its own. The
 * promises are checked while it runs, and the methods here assert that the runs put them to the test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SimulatedRuns {

    private static final int MAX_REPORTED = 5;

    private static final int MAX_NAMED = 100;

    /** Nobody judges for so long, and the proxies drop their share by themselves after so long, in s. */
    private static final double MAX_BLINDNESS = 4.5 + 5;

    private record Run(End end) {

        long seed() {
            return end.scenario().seed();
        }

        StopCode code() {
            return end.finished().ending().reason().code();
        }

        RunOutcome outcome() {
            return end.finished().ending().outcome();
        }

        boolean quiet() {
            return end.scenario().quiet();
        }

        boolean easy() {
            return end.scenario().easy();
        }

        @Override
        public String toString() {
            return "seed " + seed() + " (" + code() + ")";
        }

        /** What was found, of what was constructed. */
        double accuracy() {
            return end.finished().ending().estimate().capacity() / end.constructedCapacity();
        }
    }

    private final LongStream seeds;

    private List<Run> runs = List.of();

    /** @param seeds of the runs, each once */
    SimulatedRuns(LongStream seeds) {
        this.seeds = seeds;
    }

    @BeforeAll
    void runAll() {
        AnalyzerMetrics metrics = new AnalyzerMetrics(new SimpleMeterRegistry());
        runs = ends(seeds, seed -> new LoopSimulation(Scenario.of(seed), metrics)).stream().map(Run::new).toList();
        System.out.println("ends of " + runs.size() + " simulated runs: " + count(Run::code));
        System.out.println("the first seed of each end: " + runs.stream()
                .collect(Collectors.toMap(Run::code, Run::seed, (first, later) -> first, TreeMap::new)));
    }

    /** Runs a world for each seed; fails when one breaks a promise. */
    static List<End> ends(LongStream seeds, LongFunction<LoopSimulation> world) {
        List<Result> results = seeds.parallel().mapToObj(seed -> result(seed, world)).toList();
        List<Result> broken = results.stream().filter(result -> result.broken() != null).toList();
        if (!broken.isEmpty()) {
            AssertionError failure = new AssertionError(broken.size() + " seeds break a promise: "
                    + broken.stream().limit(MAX_NAMED).map(result -> Long.toString(result.seed())).toList()
                    + ", among them " + broken.stream().limit(MAX_REPORTED)
                            .map(result -> result.seed() + ": " + result.broken().getMessage())
                            .collect(Collectors.joining("; ")));
            broken.stream().limit(MAX_REPORTED).forEach(result -> failure.addSuppressed(result.broken()));
            throw failure;
        }
        return results.stream().map(Result::end).toList();
    }

    private record Result(long seed, End end, Throwable broken) {}

    private static Result result(long seed, LongFunction<LoopSimulation> world) {
        try {
            return new Result(seed, world.apply(seed).run(), null);
        } catch (AssertionError | RuntimeException broken) {
            return new Result(seed, null, broken);
        }
    }

    /** The part of the runs in which something goes wrong that find a capacity all the same, 0 to 1. */
    double foundAllTheSame() {
        List<Run> loud = runs.stream().filter(run -> !run.quiet()).toList();
        return (double) loud.stream().filter(run -> run.outcome() == RunOutcome.CAPACITY_FOUND).count() / loud.size();
    }

    private <T> Map<T, Long> count(Function<Run, T> what) {
        return runs.stream().collect(Collectors.groupingBy(what, TreeMap::new, Collectors.counting()));
    }

    /** But for MAX_DURATION: the search knows when its time is over, and gives its answer before. */
    @Test
    void comes_to_every_kind_of_end() {
        assertThat(count(Run::outcome)).containsOnlyKeys(RunOutcome.CAPACITY_FOUND, RunOutcome.TRAFFIC_EXHAUSTED,
                RunOutcome.INCONCLUSIVE, RunOutcome.ABORTED, RunOutcome.FAILED);
        assertThat(count(Run::code)).containsKeys(StopCode.CAPACITY_FOUND, StopCode.TRAFFIC_EXHAUSTED,
                StopCode.SEARCH_GAVE_UP, StopCode.INVALID, StopCode.GUARD_BREACHED, StopCode.TELEMETRY_LOST,
                StopCode.SHARE_NOT_FOLLOWED, StopCode.FLEET_CHANGED, StopCode.HARM_BUDGET,
                StopCode.PREPARATION_TIMEOUT, StopCode.PREFLIGHT, StopCode.LEASE_LOST,
                StopCode.LEASE_NOT_ACKNOWLEDGED, StopCode.REDIRECTOR_SILENT, StopCode.NOT_DELIVERED,
                StopCode.ABORT_REQUESTED, StopCode.CONTROLLER_STOPPED, StopCode.CONTROLLER_LOST,
                StopCode.KILL_SWITCH, StopCode.FREEZE, StopCode.CLOCK_JUMPED);
    }

    @Test
    void finds_the_capacity_when_nothing_goes_wrong() {
        List<Run> easy = runs.stream().filter(Run::easy).toList();
        List<Run> found = easy.stream().filter(run -> run.outcome() == RunOutcome.CAPACITY_FOUND).toList();

        assertThat(easy).hasSizeGreaterThan(runs.size() / 15);
        assertThat(found).hasSizeGreaterThan(easy.size() * 9 / 10);
        List<Double> accuracies = found.stream().map(Run::accuracy).sorted().toList();
        assertThat(accuracies.get(accuracies.size() / 2)).isBetween(0.94, 1.04);
        assertThat(accuracies.get(accuracies.size() / 20)).isGreaterThan(0.85);
        assertThat(accuracies.get(accuracies.size() * 19 / 20)).isLessThan(1.10);
    }

    @Test
    void what_is_found_is_near_the_truth_whatever_goes_wrong() {
        // One that slows down in mid-run has another capacity than the one that was constructed.
        assertThat(runs).filteredOn(run -> !run.quiet() && run.outcome() == RunOutcome.CAPACITY_FOUND
                && !run.end().scenario().has(Misfortune.Kind.SUT_SLOWS_DOWN)).isNotEmpty()
                .allSatisfy(run -> assertThat(run.accuracy()).as("seed %s", run.seed()).isBetween(0.6, 1.5));
    }

    @Test
    void harms_no_more_than_the_budget_and_one_window() {
        assertThat(runs).filteredOn(run -> run.quiet() && run.end().allowedHarm() != null)
                .hasSizeGreaterThan(runs.size() / 10)
                .allSatisfy(run -> assertThat(run.end().harmed()).as("seed %s", run.seed())
                        .isLessThanOrEqualTo(run.end().allowedHarm() + run.end().scenario().mostLoad()));
    }

    @Test
    void harms_no_more_than_what_happens_while_nobody_can_see_it() {
        assertThat(runs).allSatisfy(run -> {
            Double allowed = run.end().allowedHarm();
            assertThat(run.end().harmed()).as("seed %s", run.seed()).isLessThanOrEqualTo(
                    (allowed == null ? 0 : allowed) + MAX_BLINDNESS * run.end().scenario().mostLoad());
        });
    }
}
