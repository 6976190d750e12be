// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * A limit that is not on a proportion of requests and breaks without a warning: a gauge that jumps, alternatives, a stall. At
 * which loads it was broken, and for how long, tells where it breaks, as in a psychometric function with false alarms and
 * lapses (Wichmann and Hill 2001): P(broken | load, capacity) = f + (1 - f - l) Phi((ln load - ln capacity) / spread).
 */
final class Jump {

    private static final double FALSE_ALARM = 0.02;

    private static final double LAPSE = 0.02;

    /** Of the logarithm of the load: what a load is known to that was held for some seconds. */
    private static final double SPREAD = 0.02;

    /** Less is a single window, and no evidence. */
    private static final double FEWEST_SECONDS = 1;

    private record Point(double load, double seconds, double broken) {}

    private final List<Point> points;

    private Jump(List<Point> points) {
        this.points = points;
    }

    /** Limits without a proportion of requests of which something is known. */
    static SortedSet<String> limits(SearchHistory ride) {
        var limits = new TreeSet<>(ride.levels().keySet());
        ride.exposures().forEach(exposure -> limits.addAll(exposure.broken().keySet()));
        return limits;
    }

    /** A line through what the limit's level was at the loads of the ride; empty while it is far below the limit. */
    static Optional<UtilisationRegression> fit(String limit, SearchHistory ride) {
        return UtilisationRegression.of(ride.levels().getOrDefault(limit, List.of()))
                .filter(UtilisationRegression::near);
    }

    /** What the ride has shown of the limit; empty while it was hardly ever broken, or when its level follows the load. */
    static Optional<Jump> of(String limit, SearchHistory ride) {
        var points = new ArrayList<Point>();
        double all = 0;
        for (var exposure : ride.exposures()) {
            double broken = exposure.broken().getOrDefault(limit, 0.0);
            all += broken;
            if (!exposure.alarmed() || broken > 0) {
                points.add(new Point(exposure.load(), exposure.alarmed() ? broken : exposure.seconds(), broken));
            }
        }
        boolean jumps = all > FEWEST_SECONDS && fit(limit, ride).filter(UtilisationRegression::smooth).isEmpty();
        return jumps ? Optional.of(new Jump(points)) : Optional.empty();
    }

    /** Probability that the limit breaks at or below each load of the grid; before, each was as likely as another. */
    double[] cumulative(double[] lnLoad) {
        var logarithms = new double[lnLoad.length];
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < lnLoad.length; i++) {
            for (var point : points) {
                double z = (Math.log(point.load()) - lnLoad[i]) / SPREAD;
                double broken = FALSE_ALARM + (1 - FALSE_ALARM - LAPSE) * 0.5 * Erfc.value(-z / Math.sqrt(2));
                logarithms[i] += point.broken() * Math.log(broken)
                        + Math.max(0, point.seconds() - point.broken()) * Math.log(1 - broken);
            }
            largest = Math.max(largest, logarithms[i]);
        }
        var weights = new double[lnLoad.length];
        for (int i = 0; i < lnLoad.length; i++) {
            weights[i] = Math.exp(logarithms[i] - largest);
        }
        return PosteriorEstimator.cumulative(weights);
    }
}
