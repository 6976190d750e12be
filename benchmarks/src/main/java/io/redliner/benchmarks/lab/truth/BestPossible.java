// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import io.redliner.benchmarks.lab.server.ServerKind;

/**
 * How near an observer comes that has nothing to look for: it stands at the capacity all the time, nothing around it changes, and
 * it knows how steeply the users' hurt grows there. It counts who is hurt, and corrects the load by what is too much or too
 * little (to first order what maximum likelihood does). What counting can tell in a time is no more than that.
 */
public final class BestPossible {

    private static final double SKIPPED_SECONDS = 10;

    private BestPossible() {}

    /**
     * Its error, relative to the capacity, at most 1.
     *
     * @param seconds for which it counts
     * @param seed of what happens meanwhile
     */
    public static double error(ServerKind kind, double seconds, long seed) {
        var steady = kind.steady();
        var limit = RecordedCapacities.limit(kind);
        var run = SteadyRun.of(steady, RecordedCapacities.of(kind), seed, SKIPPED_SECONDS, seconds);
        double hurt = limit.byErrors()
                ? run.errorRatio() / ServerKind.FAILED_ALLOWED
                : run.slowRatio() / kind.slowAllowed();
        return Math.min(1, Math.abs(hurt - 1) / limit.elasticity());
    }
}
