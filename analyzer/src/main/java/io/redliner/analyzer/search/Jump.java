// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * A limit that is not on a proportion of requests and breaks without a warning: a gauge that jumps, alternatives, a stall. Its
 * capacity is estimated from the loads at which it was broken, and for how long. The model is a psychometric function with false
 * alarms and lapses (Wichmann and Hill 2001):
 * P(broken | load, capacity) = f + (1 - f - l) Phi((ln load - ln capacity) / spread).
 */
final class Jump {

    private static final double FALSE_ALARM = 0.02;

    private static final double LAPSE = 0.02;

    /** Standard deviation of the logarithm of a load that was held for some seconds. */
    private static final double SPREAD = 0.02;

    /** Least total time of a breach. A shorter one is a single window and no evidence. */
    private static final double MIN_SECONDS = 1;

    private record Point(double load, double seconds, double broken) {}

    private final List<Point> points;

    private Jump(List<Point> points) {
        this.points = points;
    }

    /** Returns the limits without a proportion of requests that the evidence has points of. */
    static SortedSet<String> limits(StepEvidence evidence) {
        var limits = new TreeSet<>(evidence.levels().keySet());
        evidence.exposures().forEach(exposure -> limits.addAll(exposure.broken().keySet()));
        return limits;
    }

    /** Fits a line to the limit's level over the loads of the evidence; empty while the level is far below the limit. */
    static Optional<UtilisationRegression> fit(String limit, StepEvidence evidence) {
        return UtilisationRegression.of(evidence.levels().getOrDefault(limit, List.of()))
                .filter(UtilisationRegression::near);
    }

    /** Collects the limit's breaches in the evidence; empty while there are hardly any, or when its level follows the load. */
    static Optional<Jump> of(String limit, StepEvidence evidence) {
        var points = new ArrayList<Point>();
        double all = 0;
        for (var exposure : evidence.exposures()) {
            double broken = exposure.broken().getOrDefault(limit, 0.0);
            all += broken;
            if (!exposure.alarmed() || broken > 0) {
                points.add(new Point(exposure.load(), exposure.alarmed() ? broken : exposure.seconds(), broken));
            }
        }
        boolean jumps = all > MIN_SECONDS && fit(limit, evidence).filter(UtilisationRegression::smooth).isEmpty();
        return jumps ? Optional.of(new Jump(points)) : Optional.empty();
    }

    /** Returns the probability that the limit breaks at or below each load of the grid, by a uniform prior over the grid. */
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
