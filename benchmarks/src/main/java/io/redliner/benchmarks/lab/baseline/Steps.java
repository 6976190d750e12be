// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.baseline;

import io.redliner.benchmarks.lab.method.Answer;
import io.redliner.benchmarks.lab.method.Method;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.Fleet;
import io.redliner.benchmarks.lab.truth.Capacities;

/**
 * The share grows by as much every minute until a step does not hold (the old RedLiner, Flagger).
 *
 * @param step relative to the capacity
 * @param dwellSeconds at each step
 * @param checkSeconds after which a step that does not hold so far is ended
 */
public record Steps(double step, double dwellSeconds, double checkSeconds) implements Method {

    /** Judged at its end only. */
    public static Steps of(double step, double dwellSeconds) {
        return new Steps(step, dwellSeconds, dwellSeconds);
    }

    @Override
    public Answer find(Fleet fleet) {
        var keeper = new LoadKeeper(fleet);
        double increment = step * Capacities.of(fleet.kind()) * Fleet.NATURAL_SHARE / fleet.naturalLoad();
        double share = Fleet.NATURAL_SHARE;
        double held = 0;
        while (true) {
            var tried = dwell(fleet.kind(), keeper, share);
            if (!tried.holds()) {
                return Answer.found(held, held, tried.pool().requestsPerSecond());
            }
            held = tried.pool().requestsPerSecond();
            if (share >= fleet.largestShare()) {
                return Answer.exhausted(held, held);
            }
            share = Math.min(fleet.largestShare(), share + increment);
        }
    }

    private Tried dwell(ServerKind kind, LoadKeeper keeper, double share) {
        var pool = Pool.EMPTY;
        for (double elapsed = 0; elapsed < dwellSeconds - 1e-6; elapsed += checkSeconds) {
            var checked = keeper.share(share, checkSeconds);
            pool = pool.plus(checked);
            if (!checked.holds(kind)) {
                return new Tried(pool, false);
            }
        }
        return new Tried(pool, true);
    }

    private record Tried(Pool pool, boolean holds) {}
}
