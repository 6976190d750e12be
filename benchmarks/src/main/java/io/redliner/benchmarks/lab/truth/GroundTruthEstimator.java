// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Finds the capacity of a kind: many long runs at steady loads around it, a monotone curve through what happened to the
 * users, and where that curve passes the allowance. Thread-safe.
 */
public final class GroundTruthEstimator {

    private static final double SKIPPED_SECONDS = 20;

    private static final double SECONDS = 300;

    private static final double SECONDS_AT_LOW_RATES = 1_500;

    private static final double LOW_RATE = 100;

    private static final int ROUGH_RUNS = 6;

    private static final double ROUGH = 0.01;

    private static final int STEPS_EACH_SIDE = 6;

    private static final double STEP = 0.01;

    private static final List<Double> FAR_BELOW = List.of(0.4, 0.6, 0.8, 0.9);

    private final ExecutorService workers;

    private final int runs;

    /**
     * With as much effort as wanted.
     *
     * @param runs at each load, at least 1
     */
    public GroundTruthEstimator(ExecutorService workers, int runs) {
        this.workers = workers;
        this.runs = runs;
    }

    /**
     * What was found.
     *
     * @param capacity in requests/s
     * @param elasticity relative growth of the part of the users that are hurt, per relative growth of the load
     * @param byErrors whether errors limit it, and not latency
     * @param curve around it
     */
    public record Truth(double capacity, double elasticity, boolean byErrors, List<RecordedCapacities.Point> curve) {

        public Truth {
            curve = List.copyOf(curve);
        }
    }

    /** Takes minutes. */
    public Truth find(ServerKind changing) {
        var kind = changing.steady();
        double rough = rough(kind);
        double[] loads = IntStream.rangeClosed(-STEPS_EACH_SIDE, STEPS_EACH_SIDE)
                .mapToDouble(step -> rough * (1 + STEP * step)).toArray();
        var responses = IntStream.range(0, loads.length)
                .mapToObj(i -> at(kind, loads[i], runs, 5_000 + 1_000L * i)).toList();
        var slow = new IsotonicRegression(loads, responses.stream().mapToDouble(SteadyRun::slowRatio).toArray());
        var failed = new IsotonicRegression(loads, responses.stream().mapToDouble(SteadyRun::errorRatio).toArray());
        double bySlow = slow.crosses(kind.slowAllowed());
        double byFailed = failed.crosses(ServerKind.FAILED_ALLOWED);
        double capacity = Math.min(bySlow, byFailed);
        if (!(capacity > loads[0]) || !Double.isFinite(capacity)) {
            throw new IllegalStateException(kind.name() + ": the capacity is not near " + rough
                    + " requests/s; make the first search finer");
        }
        var curve = new ArrayList<RecordedCapacities.Point>();
        for (int i = 0; i < loads.length; i++) {
            curve.add(point(changing, loads[i] / capacity, responses.get(i)));
        }
        FAR_BELOW.forEach(
                part -> curve.add(point(changing, part, at(kind, part * capacity, Math.max(1, runs / 10), 99))));
        curve.sort(Comparator.comparingDouble(RecordedCapacities.Point::load));
        return new Truth(capacity, (bySlow <= byFailed ? slow : failed).elasticity(capacity), byFailed < bySlow, curve);
    }

    private double rough(ServerKind kind) {
        double scale = kind.link().meanSeconds() > 0
                ? 1 / kind.link().meanSeconds()
                : kind.workers() / kind.service().meanSeconds() / slowedDown(kind);
        double low = 0.3 * scale;
        double high = 1.1 * scale;
        while (high - low > ROUGH * scale) {
            double middle = (low + high) / 2;
            if (at(kind, middle, ROUGH_RUNS, 1).holds(kind)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** By how much the best number of busy workers falls short of all of them. */
    private static double slowedDown(ServerKind kind) {
        double best = IntStream.rangeClosed(1, kind.workers()).mapToDouble(busy -> busy
                / (1 + kind.contention().linear() * (busy - 1) + kind.contention().quadratic() * busy * (busy - 1)))
                .max().orElseThrow();
        return kind.workers() / best;
    }

    private SteadyRun at(ServerKind kind, double load, int times, long firstSeed) {
        double seconds = load < LOW_RATE ? SECONDS_AT_LOW_RATES : SECONDS;
        var all = LongStream.range(firstSeed, firstSeed + times)
                .mapToObj(seed -> CompletableFuture.supplyAsync(
                        () -> SteadyRun.of(kind, load, seed, SKIPPED_SECONDS, seconds), workers))
                .toList();
        return all.stream().map(CompletableFuture::join).reduce(SteadyRun.NONE, SteadyRun::plus);
    }

    private static RecordedCapacities.Point point(ServerKind kind, double load, SteadyRun run) {
        return new RecordedCapacities.Point(kind.name(), load, run.slowRatio(), run.errorRatio());
    }
}
