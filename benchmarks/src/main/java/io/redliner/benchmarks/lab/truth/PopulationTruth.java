// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The capacity of one of many servers, with its standard error. As {@link GroundTruthEstimator} finds it, with an effort that some hundreds of
 * servers can have.
 */
public final class PopulationTruth {

    private static final double SKIPPED_SECONDS = 10;

    private static final double REQUESTS = 100_000;

    private static final double MIN_SECONDS = 60;

    /** When it is slow in bursts of its own. */
    private static final double MIN_SECONDS_WITH_BURSTS = 200;

    private static final double MAX_SECONDS = 1_500;

    private static final int RUNS = 4;

    private static final double ROUGH = 0.02;

    private static final int STEPS_EACH_SIDE = 4;

    private static final double STEP = 0.02;

    private static final int MAX_MOVES = 8;

    private static final double WANTED_ERROR = 0.005;

    private static final int MAX_EFFORT = 16;

    /** Part of the capacity at which users must be well. */
    private static final double NATURAL = 0.45;

    /** Of the allowance. */
    private static final double WELL = 0.5;

    private static final long FIRST_SEED = 31_000;

    private final ServerKind kind;

    /** How many times as long a run is. */
    private int effort = 1;

    private PopulationTruth(ServerKind kind) {
        this.kind = kind;
    }

    /**
     * What was found.
     *
     * @param capacity in requests/s
     * @param error standard error, relative to it, by leaving out one of the runs
     * @param elasticity relative growth of the part of the users that are hurt, per relative growth of the load
     * @param byErrors whether errors limit it, and not latency
     */
    public record Truth(double capacity, double error, double elasticity, boolean byErrors) {}

    /** Takes seconds; empty when its users are not well far below its capacity: such a server has none. */
    public static Optional<Truth> find(ServerKind changing) {
        return new PopulationTruth(changing.steady()).find();
    }

    private Optional<Truth> find() {
        double rough = rough();
        for (int moved = 0; moved < MAX_MOVES; moved++) {
            double middle = rough;
            double[] loads = IntStream.rangeClosed(-STEPS_EACH_SIDE, STEPS_EACH_SIDE)
                    .mapToDouble(step -> middle * (1 + STEP * step)).toArray();
            var counts = Arrays.stream(loads).mapToObj(load -> runs(load, RUNS)).toArray(SteadyRun[][]::new);
            double capacity = capacity(loads, counts, -1);
            if (capacity <= loads[0] || Double.isInfinite(capacity)) {
                rough = capacity <= loads[0] ? loads[0] : loads[loads.length - 1];
                continue;
            }
            double error = error(loads, counts);
            if (error > WANTED_ERROR && effort < MAX_EFFORT) {
                effort *= 4;
                rough = capacity;
                continue;
            }
            var natural = run(NATURAL * capacity, FIRST_SEED);
            return natural.slowRatio() < WELL * kind.slowAllowed()
                    && natural.errorRatio() < WELL * ServerKind.FAILED_ALLOWED
                            ? Optional.of(truth(loads, counts, capacity, error))
                            : Optional.empty();
        }
        return Optional.empty();
    }

    private Truth truth(double[] loads, SteadyRun[][] counts, double capacity, double error) {
        boolean byErrors = bySlow(loads, counts, -1) > capacity;
        var limiting = curve(loads, counts, -1, byErrors ? SteadyRun::errorRatio : SteadyRun::slowRatio);
        return new Truth(capacity, error, limiting.elasticity(capacity), byErrors);
    }

    private double rough() {
        double scale = kind.workers() / kind.service().overallMeanSeconds();
        double low = 0.02 * scale;
        double high = 1.1 * scale;
        while (high - low > ROUGH * high) {
            double middle = Math.sqrt(low * high);
            var all = together(runs(middle, 2), -1);
            if (all.holds(kind)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return Math.sqrt(low * high);
    }

    private double error(double[] loads, SteadyRun[][] counts) {
        double[] without = IntStream.range(0, RUNS).mapToDouble(run -> capacity(loads, counts, run))
                .filter(Double::isFinite).toArray();
        double mean = Arrays.stream(without).average().orElse(Double.NaN);
        return Math.sqrt((RUNS - 1.0) / RUNS * Arrays.stream(without).map(it -> (it - mean) * (it - mean)).sum())
                / mean;
    }

    private double capacity(double[] loads, SteadyRun[][] counts, int without) {
        return Math.min(bySlow(loads, counts, without),
                curve(loads, counts, without, SteadyRun::errorRatio).crosses(ServerKind.FAILED_ALLOWED));
    }

    private double bySlow(double[] loads, SteadyRun[][] counts, int without) {
        return curve(loads, counts, without, SteadyRun::slowRatio).crosses(kind.slowAllowed());
    }

    private static IsotonicRegression curve(double[] loads, SteadyRun[][] counts, int without,
            ToDoubleFunction<SteadyRun> hurt) {
        return new IsotonicRegression(loads,
                Arrays.stream(counts).map(runs -> together(runs, without)).mapToDouble(hurt).toArray());
    }

    private static SteadyRun together(SteadyRun[] runs, int without) {
        return IntStream.range(0, runs.length).filter(run -> run != without).mapToObj(run -> runs[run])
                .reduce(SteadyRun.NONE, SteadyRun::plus);
    }

    private SteadyRun[] runs(double load, int times) {
        return IntStream.range(0, times).mapToObj(run -> run(load, FIRST_SEED + run)).toArray(SteadyRun[]::new);
    }

    private SteadyRun run(double load, long seed) {
        double seconds = effort * Math.clamp(REQUESTS / load,
                kind.bursts().part() > 0 ? MIN_SECONDS_WITH_BURSTS : MIN_SECONDS, MAX_SECONDS);
        return SteadyRun.of(kind, load, seed, SKIPPED_SECONDS, seconds);
    }
}
