// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;

/**
 * The share grows by as much every minute until a step does not hold (the old RedLiner, Flagger).
 *
 * @param step relative to the capacity
 * @param dwellSeconds at each step
 * @param checkSeconds after which a step that does not hold so far is ended
 */
public record FixedStepMethod(double step, double dwellSeconds, double checkSeconds) implements CapacityMethod {

    /** Judged at its end only. */
    public static FixedStepMethod of(double step, double dwellSeconds) {
        return new FixedStepMethod(step, dwellSeconds, dwellSeconds);
    }

    @Override
    public MethodResult find(ServerFleet fleet) {
        var actuator = new LoadActuator(fleet);
        double increment = step * RecordedCapacities.of(fleet.kind()) * ServerFleet.NATURAL_SHARE / fleet.naturalLoad();
        double share = ServerFleet.NATURAL_SHARE;
        double held = 0;
        while (true) {
            var tried = dwell(fleet.kind(), actuator, share);
            if (!tried.holds()) {
                return MethodResult.found(held, held, tried.pool().requestsPerSecond());
            }
            held = tried.pool().requestsPerSecond();
            if (share >= fleet.largestShare()) {
                return MethodResult.exhausted(held, held);
            }
            share = Math.min(fleet.largestShare(), share + increment);
        }
    }

    private Tried dwell(ServerKind kind, LoadActuator actuator, double share) {
        var pool = PooledCounts.EMPTY;
        for (double elapsed = 0; elapsed < dwellSeconds - 1e-6; elapsed += checkSeconds) {
            var checked = actuator.share(share, checkSeconds);
            pool = pool.plus(checked);
            if (!checked.holds(kind)) {
                return new Tried(pool, false);
            }
        }
        return new Tried(pool, true);
    }

    private record Tried(PooledCounts pool, boolean holds) {}
}
