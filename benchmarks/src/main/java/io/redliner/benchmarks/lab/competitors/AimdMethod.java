// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.competitors;

import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.benchmarks.lab.truth.RecordedCapacities;
import java.util.ArrayList;
import java.util.List;

/** Up by as much while it holds, down by a factor when it does not (AIMD); the median of the peaks is the answer. */
public final class AimdMethod implements CapacityMethod {

    private static final double PERIOD_SECONDS = 5;

    private static final double INCREASE = 0.02;

    private static final double DECREASE = 0.85;

    private static final double MAX_SECONDS = 300;

    private static final int PEAKS = 8;

    @Override
    public MethodResult find(ServerFleet fleet) {
        var actuator = new LoadActuator(fleet);
        double increment = INCREASE * RecordedCapacities.of(fleet.kind()) * ServerFleet.NATURAL_SHARE
                / fleet.naturalLoad();
        double share = ServerFleet.NATURAL_SHARE;
        double last = fleet.naturalLoad();
        List<Double> peaks = new ArrayList<>();
        while (fleet.seconds() < MAX_SECONDS && peaks.size() < PEAKS) {
            var tried = actuator.share(share, PERIOD_SECONDS);
            if (tried.holds(fleet.kind())) {
                last = tried.requestsPerSecond();
                share = Math.min(fleet.largestShare(), share + increment);
            } else {
                peaks.add(last);
                share *= DECREASE;
            }
        }
        if (peaks.isEmpty()) {
            return MethodResult.exhausted(last, last);
        }
        peaks.sort(Double::compare);
        double median = (peaks.get((peaks.size() - 1) / 2) + peaks.get(peaks.size() / 2)) / 2;
        return MethodResult.found(median, peaks.getFirst(), peaks.getLast());
    }
}
