// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The load grows evenly to twice the capacity until what was seen does not hold (a breakpoint test of k6).
 *
 * @param cumulative whether all since the start is judged, as k6 does, or the last ten seconds
 */
public record LinearRampMethod(boolean cumulative) implements CapacityMethod {

    private static final double SECONDS = 600;

    private static final double TOP = 2;

    private static final double EVERY_SECONDS = 2;

    private static final double DELAY_SECONDS = 10;

    private static final double ROLLING_SECONDS = 10;

    @Override
    public MethodResult find(ServerFleet fleet) {
        var actuator = new LoadActuator(fleet);
        double bottom = fleet.naturalLoad();
        double top = TOP * RecordedCapacities.of(fleet.kind());
        var all = PooledCounts.EMPTY;
        Deque<PooledCounts> recent = new ArrayDeque<>();
        for (double start = 0; start < SECONDS; start += EVERY_SECONDS) {
            double began = start;
            var seen = actuator.load(elapsed -> bottom + (top - bottom) * (began + elapsed) / SECONDS, EVERY_SECONDS);
            all = all.plus(seen);
            recent.add(seen);
            if (recent.size() > ROLLING_SECONDS / EVERY_SECONDS) {
                recent.remove();
            }
            var rolling = recent.stream().reduce(PooledCounts.EMPTY, PooledCounts::plus);
            if (start + EVERY_SECONDS > DELAY_SECONDS && !(cumulative ? all : rolling).holds(fleet.kind())) {
                return MethodResult.found(rolling.requestsPerSecond(), Double.NaN, Double.NaN);
            }
        }
        return MethodResult.exhausted(top, top);
    }
}
