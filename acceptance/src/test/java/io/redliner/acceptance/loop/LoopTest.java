// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.acceptance.loop.LoopSimulation.End;
import io.redliner.analyzer.stream.AnalyzerMetrics;
import io.redliner.controller.run.Outcome;
import io.redliner.controller.run.StopCode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The hearts of all three rooms in one loop, with whatever can go wrong. Each seed is a run of its own; the promises are
 * checked while it runs, and what is asserted here is that they were put to the test.
 */
@Tag("loop")
class LoopTest {

    /** Of a few, what is asserted of many may not hold; the promises do. */
    private static final int SEEDS = Integer.getInteger("redliner.loop.seeds", 10_000);

    private static final long FIRST = Long.getLong("redliner.loop.first", 1);

    private static final int MOST_TOLD = 5;

    /** Nobody judges for so long, and the proxies drop their share by themselves after so long, in s. */
    private static final double LONGEST_BLINDNESS = 4.5 + 5;

    private record Run(long seed, End end, Throwable broken) {

        StopCode code() {
            return end.finished().ending().reason().code();
        }

        Outcome outcome() {
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
            return "seed " + seed + " (" + code() + ")";
        }

        /** What was found, of what was constructed. */
        double accuracy() {
            return end.finished().ending().estimate().capacity() / end.constructedCapacity();
        }
    }

    private static List<Run> runs = List.of();

    @BeforeAll
    static void all() {
        AnalyzerMetrics metrics = new AnalyzerMetrics(new SimpleMeterRegistry());
        runs = LongStream.range(FIRST, FIRST + SEEDS).parallel().mapToObj(seed -> run(seed, metrics)).toList();
        List<Run> broken = runs.stream().filter(run -> run.broken() != null).toList();
        if (!broken.isEmpty()) {
            AssertionError failure = new AssertionError(broken.size() + " seeds break a promise, among them "
                    + broken.stream().limit(MOST_TOLD).map(run -> run.seed() + ": " + run.broken().getMessage())
                            .collect(Collectors.joining("; ")));
            broken.stream().limit(MOST_TOLD).forEach(run -> failure.addSuppressed(run.broken()));
            throw failure;
        }
        System.out.println("ends of " + SEEDS + " simulated runs: " + count(Run::code));
    }

    private static Run run(long seed, AnalyzerMetrics metrics) {
        try {
            return new Run(seed, new LoopSimulation(Scenario.of(seed), metrics).run(), null);
        } catch (AssertionError | RuntimeException broken) {
            return new Run(seed, null, broken);
        }
    }

    private static <T> Map<T, Long> count(Function<Run, T> what) {
        return runs.stream().collect(Collectors.groupingBy(what, TreeMap::new, Collectors.counting()));
    }

    @Test
    void comes_to_every_kind_of_end() {
        assertThat(count(Run::outcome)).containsOnlyKeys(Outcome.CAPACITY_FOUND, Outcome.TRAFFIC_EXHAUSTED,
                Outcome.INCONCLUSIVE, Outcome.ABORTED, Outcome.FAILED);
        assertThat(count(Run::code)).containsKeys(StopCode.CAPACITY_FOUND, StopCode.TRAFFIC_EXHAUSTED,
                StopCode.SEARCH_GAVE_UP, StopCode.INVALID, StopCode.GUARD_BREACHED, StopCode.TELEMETRY_LOST,
                StopCode.SHARE_NOT_FOLLOWED, StopCode.FLEET_CHANGED, StopCode.HARM_BUDGET, StopCode.MAX_DURATION,
                StopCode.PREPARATION_TIMEOUT, StopCode.PREFLIGHT, StopCode.LEASE_LOST,
                StopCode.LEASE_NOT_ACKNOWLEDGED, StopCode.REDIRECTOR_SILENT, StopCode.NOT_DELIVERED,
                StopCode.ABORT_REQUESTED, StopCode.CONTROLLER_STOPPED, StopCode.CONTROLLER_LOST,
                StopCode.KILL_SWITCH, StopCode.FREEZE, StopCode.CLOCK_JUMPED);
    }

    @Test
    void finds_the_capacity_when_nothing_goes_wrong() {
        List<Run> easy = runs.stream().filter(Run::easy).toList();
        List<Run> found = easy.stream().filter(run -> run.outcome() == Outcome.CAPACITY_FOUND).toList();

        assertThat(easy).hasSizeGreaterThan(SEEDS / 15);
        assertThat(found).hasSizeGreaterThan(easy.size() * 9 / 10);
        List<Double> accuracies = found.stream().map(Run::accuracy).sorted().toList();
        assertThat(accuracies.get(accuracies.size() / 2)).isBetween(0.94, 1.04);
        assertThat(accuracies.get(accuracies.size() / 20)).isGreaterThan(0.85);
        assertThat(accuracies.get(accuracies.size() * 19 / 20)).isLessThan(1.10);
    }

    @Test
    void finds_it_often_whatever_goes_wrong() {
        List<Run> loud = runs.stream().filter(run -> !run.quiet()).toList();
        List<Run> found = loud.stream().filter(run -> run.outcome() == Outcome.CAPACITY_FOUND).toList();

        assertThat(found).hasSizeGreaterThan(loud.size() / 6);
        // One that slows down in mid-run has another capacity than the one that was constructed.
        assertThat(found).filteredOn(run -> !run.end().scenario().has(Misfortune.Kind.SUT_SLOWS_DOWN))
                .allSatisfy(run -> assertThat(run.accuracy()).as("seed %s", run.seed()).isBetween(0.6, 1.5));
    }

    @Test
    void harms_no_more_than_the_budget_and_one_window() {
        assertThat(runs).filteredOn(run -> run.quiet() && run.end().allowedHarm() != null)
                .hasSizeGreaterThan(SEEDS / 10)
                .allSatisfy(run -> assertThat(run.end().harmed()).as("seed %s", run.seed())
                        .isLessThanOrEqualTo(run.end().allowedHarm() + run.end().scenario().mostLoad()));
    }

    @Test
    void harms_no_more_than_what_happens_while_nobody_can_see_it() {
        assertThat(runs).allSatisfy(run -> {
            Double allowed = run.end().allowedHarm();
            assertThat(run.end().harmed()).as("seed %s", run.seed()).isLessThanOrEqualTo(
                    (allowed == null ? 0 : allowed) + LONGEST_BLINDNESS * run.end().scenario().mostLoad());
        });
    }
}
