// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.LabRunResult;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.truth.BestPossible;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
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
record Experiment(String method, ServerKind kind, int seeds, long firstSeed, TestConditions conditions, boolean best) {

    /** @param listener receives each run when it and all before it are done */
    List<LabRunResult> run(ExecutorService workers, Consumer<LabRunResult> listener) {
        var running = LongStream.range(firstSeed, firstSeed + seeds)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> run(seed), workers)).toList();
        var results = new ArrayList<LabRunResult>();
        for (var run : running) {
            var result = run.join();
            listener.accept(result);
            results.add(result);
        }
        return results;
    }

    private LabRunResult run(long seed) {
        var fleet = new ServerFleet(kind, RecordedCapacities.of(kind), conditions, seed);
        var answer = CapacityMethods.named(method).find(fleet);
        var harm = fleet.end();
        double quiet = RecordedCapacities.of(kind, harm.testedSeconds());
        double truth = answer.beside()
                ? RecordedCapacities.beside(kind, conditions.noise().name()).orElse(quiet)
                : quiet;
        return new LabRunResult(method, kind.name(), seed, answer, truth, harm,
                best ? BestPossible.error(kind, harm.testedSeconds(), seed) : Double.NaN);
    }
}
