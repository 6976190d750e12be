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
}
