// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.RunResult;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.Conditions;
import io.redliner.benchmarks.lab.traffic.Fleet;
import io.redliner.benchmarks.lab.truth.BestPossible;
import io.redliner.benchmarks.lab.truth.Capacities;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Runs of one method on one kind of server; run i of all methods sees the same traffic.
 *
 * @param seeds how many runs
 * @param firstSeed of the first run; one more each
 * @param best whether the least error that can be had is measured as well, which takes as long as the run
 */
record Experiment(String method, ServerKind kind, int seeds, long firstSeed, Conditions conditions, boolean best) {

    /** @param told of each run when it and all before it are done */
    List<RunResult> run(ExecutorService workers, Consumer<RunResult> told) {
        var running = LongStream.range(firstSeed, firstSeed + seeds)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> run(seed), workers)).toList();
        var results = new ArrayList<RunResult>();
        for (var run : running) {
            var result = run.join();
            told.accept(result);
            results.add(result);
        }
        return results;
    }

    private RunResult run(long seed) {
        var fleet = new Fleet(kind, Capacities.of(kind), conditions, seed);
        var answer = Methods.named(method).find(fleet);
        var harm = fleet.end();
        return new RunResult(method, kind.name(), seed, answer, Capacities.of(kind, harm.testedSeconds()), harm,
                best ? BestPossible.error(kind, harm.testedSeconds(), seed) : Double.NaN);
    }
}
