// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.SimulatedServer;
import io.redliner.benchmarks.lab.server.WindowTally;
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
public final class TruthFinder {

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
    public TruthFinder(ExecutorService workers, int runs) {
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
    public record Truth(double capacity, double elasticity, boolean byErrors, List<Capacities.Point> curve) {

        public Truth {
            curve = List.copyOf(curve);
        }
    }

    /** What happens to the users of a server at a steady load. */
    private record Response(double slow, double failed) {

        boolean holds(ServerKind kind) {
            return slow <= kind.slowAllowed() && failed <= ServerKind.FAILED_ALLOWED;
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
        var slow = new MonotoneCurve(loads, responses.stream().mapToDouble(Response::slow).toArray());
        var failed = new MonotoneCurve(loads, responses.stream().mapToDouble(Response::failed).toArray());
        double bySlow = slow.crosses(kind.slowAllowed());
        double byFailed = failed.crosses(ServerKind.FAILED_ALLOWED);
        double capacity = Math.min(bySlow, byFailed);
        if (!(capacity > loads[0]) || !Double.isFinite(capacity)) {
            throw new IllegalStateException(kind.name() + ": the capacity is not near " + rough
                    + " requests/s; make the first search finer");
        }
        var curve = new ArrayList<Capacities.Point>();
        for (int i = 0; i < loads.length; i++) {
            curve.add(point(changing, loads[i] / capacity, responses.get(i)));
        }
        FAR_BELOW.forEach(
                part -> curve.add(point(changing, part, at(kind, part * capacity, Math.max(1, runs / 10), 99))));
        curve.sort(Comparator.comparingDouble(Capacities.Point::load));
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

    private Response at(ServerKind kind, double load, int times, long firstSeed) {
        var all = LongStream.range(firstSeed, firstSeed + times)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> once(kind, load, seed), workers)).toList();
        var sum = new long[4];
        for (var one : all) {
            var counts = one.join();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += counts[i];
            }
        }
        return new Response((double) sum[1] / Math.max(1, sum[0]), (double) sum[3] / Math.max(1, sum[2]));
    }

    private static long[] once(ServerKind kind, double load, long seed) {
        var server = new SimulatedServer(kind, seed);
        double seconds = load < LOW_RATE ? SECONDS_AT_LOW_RATES : SECONDS;
        for (int i = 0; i < SKIPPED_SECONDS / SimulatedServer.SLICE_SECONDS; i++) {
            server.advance(load, new WindowTally());
        }
        var counts = new long[4];
        for (int i = 0; i < seconds / SimulatedServer.SLICE_SECONDS; i++) {
            var tally = new WindowTally();
            server.advance(load, tally);
            counts[0] += tally.served();
            counts[1] += tally.slow();
            counts[2] += tally.completed();
            counts[3] += tally.errors();
        }
        return counts;
    }

    private static Capacities.Point point(ServerKind kind, double load, Response response) {
        return new Capacities.Point(kind.name(), load, response.slow(), response.failed());
    }
}
