// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.loop;

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
import org.jspecify.annotations.Nullable;

/** Simulated runs, one for each seed. The promises are checked while each of them runs. */
final class LoopRuns {

    private static final int MOST_TOLD = 5;

    /** One of them, with its end. */
    record Run(long seed, End end) {

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

        /** The capacity that was found, relative to the constructed one. */
        double accuracy() {
            return end.finished().ending().estimate().capacity() / end.constructedCapacity();
        }
    }

    private record Attempt(long seed, @Nullable Run run, @Nullable Throwable broken) {

        String failure() {
            return seed + ": " + (broken == null ? "" : broken.getMessage());
        }
    }

    private LoopRuns() {}

    /**
     * Runs all of these seeds.
     *
     * @throws AssertionError when a seed breaks a promise; names the first ones that do
     */
    static List<Run> of(LongStream seeds) {
        AnalyzerMetrics metrics = new AnalyzerMetrics(new SimpleMeterRegistry());
        List<Attempt> attempts = seeds.parallel().mapToObj(seed -> attempt(seed, metrics)).toList();
        List<Attempt> broken = attempts.stream().filter(attempt -> attempt.broken() != null).toList();
        if (!broken.isEmpty()) {
            AssertionError failure = new AssertionError(broken.size() + " seeds break a promise, among them "
                    + broken.stream().limit(MOST_TOLD).map(Attempt::failure).collect(Collectors.joining("; ")));
            broken.stream().limit(MOST_TOLD).forEach(attempt -> failure.addSuppressed(attempt.broken()));
            throw failure;
        }
        List<Run> runs = attempts.stream().map(Attempt::run).toList();
        System.out.println("ends of " + runs.size() + " simulated runs: " + count(runs, Run::code));
        return runs;
    }

    private static Attempt attempt(long seed, AnalyzerMetrics metrics) {
        try {
            return new Attempt(seed, new Run(seed, new LoopSimulation(Scenario.of(seed), metrics).run()), null);
        } catch (AssertionError | RuntimeException broken) {
            return new Attempt(seed, null, broken);
        }
    }

    static <T> Map<T, Long> count(List<Run> runs, Function<Run, T> what) {
        return runs.stream().collect(Collectors.groupingBy(what, TreeMap::new, Collectors.counting()));
    }
}
