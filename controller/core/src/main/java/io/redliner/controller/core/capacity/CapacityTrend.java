// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The trend of a service's capacity, in requests/s per 30 days. A few wrong capacities do not move it: it is the median of
 * the slopes between all pairs of capacities (H. Theil, A rank-invariant method of linear and polynomial regression
 * analysis, Proc. Kon. Ned. Akad. v. Wetensch. A53 (1950); P. K. Sen, Estimates of the regression coefficient based on
 * Kendall's tau, Journal of the American Statistical Association 63 (1968), p. 1379-1389). Only capacities of one group (an
 * instance on its hardware) are paired, as R. M. Hirsch, J. R. Slack and R. A. Smith do with the months of a year
 * (Techniques of trend analysis for monthly water quality data, Water Resources Research 18 (1982), p. 107-121): a fleet of
 * unlike instances that are tested in turn has no trend from that.
 *
 * @param points capacities that were paired
 * @param slope absent when no two of one group are there
 * @param low lower end of the 95 % interval by Sen's method; absent when there are too few to tell
 * @param high upper end
 */
public record CapacityTrend(int points, @Nullable Double slope, @Nullable Double low, @Nullable Double high) {

    private static final double MONTH_SECONDS = Duration.ofDays(30).toSeconds();

    /**
     * A capacity at a time.
     *
     * @param group only points of the same group are compared
     */
    public record Point(String group, Instant at, double capacity) {}

    /** Returns true when the interval does not hold 0, so that there is a trend. */
    public boolean distinguishable() {
        return low != null && high != null && (low > 0 || high < 0);
    }

    /** Computes the trend of points, which may be in any order. */
    public static CapacityTrend of(Collection<Point> points) {
        Map<String, List<Point>> groups = new LinkedHashMap<>();
        points.forEach(point -> groups.computeIfAbsent(point.group(), name -> new ArrayList<>()).add(point));
        groups.values().removeIf(group -> group.size() < 2);
        double[] slopes = groups.values().stream().flatMapToDouble(CapacityTrend::slopes).sorted().toArray();
        int paired = groups.values().stream().mapToInt(List::size).sum();
        if (slopes.length == 0) {
            return new CapacityTrend(paired, null, null, null);
        }
        int reach = MannKendallTest.critical(groups.values().stream().map(List::size).toList());
        // Sen: with N slopes and the critical score C, the ends are the (N - C) / 2 th from below and from above.
        int below = (slopes.length - reach) / 2;
        return below < 1
                ? new CapacityTrend(paired, median(slopes), null, null)
                : new CapacityTrend(paired, median(slopes), slopes[below - 1], slopes[slopes.length - below]);
    }

    private static DoubleStream slopes(List<Point> group) {
        double[] slopes = new double[group.size() * (group.size() - 1) / 2];
        int count = 0;
        for (int one = 0; one < group.size(); one++) {
            for (int other = 0; other < one; other++) {
                double seconds = Duration.between(group.get(other).at(), group.get(one).at()).toMillis() / 1000.0;
                if (seconds != 0) {
                    slopes[count++] = (group.get(one).capacity() - group.get(other).capacity()) / seconds
                            * MONTH_SECONDS;
                }
            }
        }
        return Arrays.stream(slopes, 0, count);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Kendall's score S: of all pairs, those that rise less those that fall. Without a trend every order of n values is equally
     * likely. The number of falling pairs then has the generating function of inversions: the product of (1 + q + ... + q^(i-1)) /
     * i for i from 1 to n. The functions of independent groups multiply. See M. G. Kendall, A new measure of rank correlation,
     * Biometrika 30 (1938), p. 81-93.
     */
    static final class MannKendallTest {

        /** Above this, the normal approximation is as good and costs nothing. */
        private static final int MAX_EXACT_PAIRS = 2_000;

        private static final double TAIL = 0.025;

        private static final double Z = 1.959963984540054;

        private MannKendallTest() {}

        /**
         * Returns the smallest score that is exceeded with a probability of at most 2.5 % on each side. When there are too few values
         * for that, the number of pairs.
         *
         * @param groups how many values each has
         */
        static int critical(List<Integer> groups) {
            int pairs = groups.stream().mapToInt(size -> size * (size - 1) / 2).sum();
            return pairs > MAX_EXACT_PAIRS ? approximate(groups) : exact(groups, pairs);
        }

        private static int approximate(List<Integer> groups) {
            double variance = groups.stream().mapToDouble(n -> n * (n - 1.0) * (2.0 * n + 5) / 18).sum();
            return (int) Math.ceil(Z * Math.sqrt(variance));
        }

        private static int exact(List<Integer> groups, int pairs) {
            double[] probability = {1};
            for (int size : groups) {
                for (int factor = 2; factor <= size; factor++) {
                    probability = times(probability, factor);
                }
            }
            double tail = 0;
            int falling = 0;
            while (falling < probability.length && tail + probability[falling] <= TAIL) {
                tail += probability[falling++];
            }
            // Scores above pairs - 2 x falling have fewer falling pairs than that.
            return Math.max(0, pairs - 2 * falling);
        }

        private static double[] times(double[] series, int factor) {
            double[] product = new double[series.length + factor - 1];
            for (int power = 0; power < series.length; power++) {
                for (int more = 0; more < factor; more++) {
                    product[power + more] += series[power] / factor;
                }
            }
            return product;
        }
    }
}
