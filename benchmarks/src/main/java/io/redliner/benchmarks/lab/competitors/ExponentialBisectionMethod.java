// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;

/**
 * Doubles the load until it does not hold, then bisects (Nighthawk's adaptive load).
 *
 * @param periodSeconds at each load
 */
public record ExponentialBisectionMethod(double periodSeconds) implements CapacityMethod {

    private static final double FACTOR = 2;

    private static final double TOLERANCE = 0.02;

    private static final double TEST_SECONDS = 30;

    @Override
    public MethodResult find(ServerFleet fleet) {
        var actuator = new LoadActuator(fleet);
        double load = fleet.naturalLoad();
        double low = 0;
        double high = Double.POSITIVE_INFINITY;
        while (high - low > TOLERANCE * high || Double.isInfinite(high)) {
            if (actuator.load(load, periodSeconds).holds(fleet.kind())) {
                low = load;
                if (Double.isInfinite(high) && load >= 0.999 * actuator.reachable()) {
                    return MethodResult.exhausted(low, low);
                }
                load = Double.isInfinite(high) ? Math.min(FACTOR * load, actuator.reachable()) : (low + high) / 2;
            } else {
                high = load;
                low = low == 0 ? load / FACTOR : low;
                actuator.recover();
                load = (low + high) / 2;
            }
        }
        // Its last stage tells whether the answer holds, and changes nothing in it.
        actuator.load(low, TEST_SECONDS);
        return MethodResult.found(low, low, high);
    }
}
