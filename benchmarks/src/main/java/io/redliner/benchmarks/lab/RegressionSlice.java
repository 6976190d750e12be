// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.LabRunResult;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.FleetTiming;
import io.redliner.benchmarks.lab.traffic.TestConditions;
import io.redliner.benchmarks.lab.traffic.TrafficVolatility;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Few runs of RedLiner on each kind of server, always the same: what the ordinary build looks at. */
final class RegressionSlice {

    private static final int RUNS_EACH = 4;

    private static final long FIRST_SEED = 9_000;

    private RegressionSlice() {}

    static List<LabRunResult> run(ExecutorService workers) {
        return ServerKinds.all().stream().map(
                kind -> new Experiment(CapacityMethods.OURS, kind, RUNS_EACH, FIRST_SEED,
                        TestConditions.of(TrafficVolatility.LIVE, FleetTiming.suiting(RecordedCapacities.of(kind))),
                        false))
                .flatMap(experiment -> experiment.run(workers, run -> {}).stream()).toList();
    }
}
