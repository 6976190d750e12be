// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.NoiseSchedule;
import io.redliner.benchmarks.lab.traffic.NoiseSource;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/**
 * Finds the load that a server keeps its SLA at while noise slows it now and then. Bisection over long steady runs; all loads suffer
 * the same noise, so that the part of late users grows with the load.
 */
public final class NoisyTruth {

    private static final double SKIPPED_SECONDS = 20;

    private static final double RUN_SECONDS = 1_500;

    /** Part of the capacity without noise at which the bisection ends. */
    private static final double PRECISION = 0.004;

    /** Part of the capacity without noise. Below it a server is not tested: its natural load is higher. */
    private static final double LOWEST = 0.2;

    private static final long FIRST_SEED = 47_000;

    private NoisyTruth() {}

    /**
     * Returns the capacity beside this noise, in requests/s; empty when it is below a fifth of the one without noise. Takes minutes.
     *
     * @param runs at each load, of 1 500 s each
     */
    public static OptionalDouble find(ServerKind changing, NoiseSource noise, int runs) {
        var kind = changing.steady();
        double quiet = RecordedCapacities.of(kind);
        double low = LOWEST;
        double high = 1.04;
        if (!holds(kind, low * quiet, noise, runs)) {
            return OptionalDouble.empty();
        }
        while (high - low > PRECISION) {
            double middle = (low + high) / 2;
            if (holds(kind, middle * quiet, noise, runs)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return OptionalDouble.of((low + high) / 2 * quiet);
    }

    private static boolean holds(ServerKind kind, double load, NoiseSource noise, int runs) {
        return LongStream.range(FIRST_SEED, FIRST_SEED + runs)
                .mapToObj(seed -> SteadyRun.of(kind, load, seed, SKIPPED_SECONDS, RUN_SECONDS,
                        new NoiseSchedule(noise, seed)::next))
                .reduce(SteadyRun.NONE, SteadyRun::plus).holds(kind);
    }
}
