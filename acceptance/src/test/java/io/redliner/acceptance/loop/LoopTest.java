// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.loop;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redliner.acceptance.loop.LoopSimulation.End;
import io.redliner.analyzer.stream.AnalyzerMetrics;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** All three rooms' hearts in one loop, thousands of times, with whatever can go wrong. */
class LoopTest {

    private static final int SEEDS = Integer.getInteger("redliner.loop.seeds", 200);

    @Test
    void keeps_its_promises_whatever_goes_wrong() {
        long from = Long.getLong("redliner.loop.from", 1);
        List<String> ends = LongStream.range(from, from + SEEDS).parallel().mapToObj(LoopTest::line).toList();
        ends.forEach(System.out::println);
    }

    private static String line(long seed) {
        Scenario scenario = Scenario.of(seed);
        try {
            End end = new LoopSimulation(scenario, new AnalyzerMetrics(new SimpleMeterRegistry())).run();
            var ending = end.finished().ending();
            return "END " + seed + " " + ending.outcome() + " " + ending.reason().code() + " "
                    + (scenario.quiet() ? "quiet" : "loud") + " proof=" + end.finished().restored().proof() + " took="
                    + end.finished().duration().toSeconds() + " est="
                    + (ending.estimate() == null
                            ? 0
                            : ending.estimate().capacity() / Sut.capacity(Users.limitMillis(scenario) / 1e3))
                    + " harm=" + end.harmed() + "/" + end.finished().harm() + " events=" + end.events() + " "
                    + ending.reason().detail();
        } catch (AssertionError | RuntimeException broken) {
            var trace = broken.getStackTrace();
            return "BROKEN " + seed + " " + broken + " " + List.of(trace).stream().limit(4).toList() + " " + scenario;
        }
    }
}
