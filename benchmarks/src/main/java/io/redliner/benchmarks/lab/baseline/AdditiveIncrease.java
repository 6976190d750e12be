// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.baseline;

import io.redliner.benchmarks.lab.method.Answer;
import io.redliner.benchmarks.lab.method.Method;
import io.redliner.benchmarks.lab.traffic.Fleet;
import io.redliner.benchmarks.lab.truth.Capacities;
import java.util.ArrayList;
import java.util.List;

/** Up by as much while it holds, down by a factor when it does not (AIMD); the median of the peaks is the answer. */
public final class AdditiveIncrease implements Method {

    private static final double PERIOD_SECONDS = 5;

    private static final double INCREASE = 0.02;

    private static final double DECREASE = 0.85;

    private static final double LONGEST_SECONDS = 300;

    private static final int PEAKS = 8;

    @Override
    public Answer find(Fleet fleet) {
        var keeper = new LoadKeeper(fleet);
        double increment = INCREASE * Capacities.of(fleet.kind()) * Fleet.NATURAL_SHARE / fleet.naturalLoad();
        double share = Fleet.NATURAL_SHARE;
        double last = fleet.naturalLoad();
        List<Double> peaks = new ArrayList<>();
        while (fleet.seconds() < LONGEST_SECONDS && peaks.size() < PEAKS) {
            var tried = keeper.share(share, PERIOD_SECONDS);
            if (tried.holds(fleet.kind())) {
                last = tried.requestsPerSecond();
                share = Math.min(fleet.largestShare(), share + increment);
            } else {
                peaks.add(last);
                share *= DECREASE;
            }
        }
        if (peaks.isEmpty()) {
            return Answer.exhausted(last, last);
        }
        peaks.sort(Double::compare);
        double median = (peaks.get((peaks.size() - 1) / 2) + peaks.get(peaks.size() / 2)) / 2;
        return Answer.found(median, peaks.getFirst(), peaks.getLast());
    }
}
