// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.benchmarks.lab.report.RunResult;
import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.traffic.Conditions;
import io.redliner.benchmarks.lab.traffic.FleetClock;
import io.redliner.benchmarks.lab.traffic.Weather;
import io.redliner.benchmarks.lab.truth.Capacities;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Few runs of RedLiner on each kind of server, always the same: what the ordinary build looks at. */
final class Slice {

    private static final int RUNS_EACH = 4;

    private static final long FIRST_SEED = 9_000;

    private Slice() {}

    static List<RunResult> run(ExecutorService workers) {
        return ServerKinds.all().stream().map(
                kind -> new Experiment(Methods.OURS, kind, RUNS_EACH, FIRST_SEED,
                        Conditions.of(Weather.LIVE, FleetClock.suiting(Capacities.of(kind))), false))
                .flatMap(experiment -> experiment.run(workers, run -> {}).stream()).toList();
    }
}
