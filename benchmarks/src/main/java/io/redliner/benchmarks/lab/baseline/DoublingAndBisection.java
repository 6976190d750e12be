// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.baseline;

import io.redliner.benchmarks.lab.method.Answer;
import io.redliner.benchmarks.lab.method.Method;
import io.redliner.benchmarks.lab.traffic.Fleet;

/**
 * Doubles the load until it does not hold, then bisects (Nighthawk's adaptive load).
 *
 * @param periodSeconds at each load
 */
public record DoublingAndBisection(double periodSeconds) implements Method {

    private static final double FACTOR = 2;

    private static final double TOLERANCE = 0.02;

    private static final double TEST_SECONDS = 30;

    @Override
    public Answer find(Fleet fleet) {
        var keeper = new LoadKeeper(fleet);
        double load = fleet.naturalLoad();
        double low = 0;
        double high = Double.POSITIVE_INFINITY;
        while (high - low > TOLERANCE * high || Double.isInfinite(high)) {
            if (keeper.load(load, periodSeconds).holds(fleet.kind())) {
                low = load;
                if (Double.isInfinite(high) && load >= 0.999 * keeper.reachable()) {
                    return Answer.exhausted(low, low);
                }
                load = Double.isInfinite(high) ? Math.min(FACTOR * load, keeper.reachable()) : (low + high) / 2;
            } else {
                high = load;
                low = low == 0 ? load / FACTOR : low;
                keeper.recover();
                load = (low + high) / 2;
            }
        }
        // Its last stage tells whether the answer holds, and changes nothing in it.
        keeper.load(low, TEST_SECONDS);
        return Answer.found(low, low, high);
    }
}
