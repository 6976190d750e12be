// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The part of the requests that exceeds a limit, over the load: counted in the steps of a search, and as fitted to them. The
 * fitted curve reaches the allowed ratio at the capacity.
 *
 * @param rule of the limit, by name
 * @param latencyLimit seconds that a request may take; empty for other limits
 * @param allowedRatio of the requests that may exceed the limit, above 0; 0 for a limit that is not on a part of the requests
 * @param loads that were tried, ascending; neighbours are summed, so that there are at most sixteen
 * @param fit points of the curve, ascending; empty when none was fitted
 * @param shownPart part of the exceedances of a lasting load that the steps of a search show, above 0 and at most 1
 * @param unfitted why no curve was fitted; empty when one was
 */
public record ExceedanceCurve(String rule, OptionalDouble latencyLimit, double allowedRatio, List<LoadGroup> loads,
        List<FittedPoint> fit, double shownPart, String unfitted) {

    /**
     * Exceedances of neighbouring loads.
     *
     * @param requestsPerSecond mean over the requests
     * @param steps number of steps, and of parts of the ramp
     * @param requests seen, above 0
     * @param exceeding requests beyond the limit
     * @param censored true when alarms cut these steps off; whole steps would have had at least as many exceedances
     */
    public record LoadGroup(double requestsPerSecond, int steps, double requests, double exceeding, boolean censored) {

        private LoadGroup plus(LoadGroup other) {
            double sum = requests + other.requests;
            return new LoadGroup(
                    (requestsPerSecond * requests + other.requestsPerSecond * other.requests) / sum,
                    steps + other.steps, sum, exceeding + other.exceeding, censored);
        }

        /** Returns the growth of the variance of ln load within the groups that summing two of them costs (Ward 1963). */
        private double costOf(LoadGroup other) {
            double distance = Math.log(requestsPerSecond / other.requestsPerSecond);
            return requests * other.requests / (requests + other.requests) * distance * distance;
        }
    }

    /**
     * A point of the fitted curve, for a load that lasts.
     *
     * @param requestsPerSecond the load
     * @param ratio of the requests beyond the limit, median
     * @param low end of its 95 % interval
     * @param high end of that interval
     */
    public record FittedPoint(double requestsPerSecond, double ratio, double low, double high) {}

    private static final int MAX_GROUPS = 12;

    private static final int MAX_CENSORED_GROUPS = 4;

    public ExceedanceCurve {
        loads = List.copyOf(loads);
        fit = List.copyOf(fit);
    }

    static ExceedanceCurve unfitted(String rule, String reason) {
        return new ExceedanceCurve(rule, OptionalDouble.empty(), 0, List.of(), List.of(), 1, reason);
    }

    /** Sums steps at neighbouring loads, those that an alarm cut off by themselves. */
    static List<LoadGroup> groups(List<ExceedancePoint> points) {
        return Stream.of(summed(points, false, MAX_GROUPS), summed(points, true, MAX_CENSORED_GROUPS))
                .flatMap(List::stream).sorted(Comparator.comparingDouble(LoadGroup::requestsPerSecond)).toList();
    }

    private static List<LoadGroup> summed(List<ExceedancePoint> points, boolean censored, int most) {
        var groups = new ArrayList<>(points.stream().filter(point -> point.censored() == censored)
                .map(point -> new LoadGroup(point.requestsPerSecond(), 1, point.requests(), point.exceeding(),
                        censored))
                .sorted(Comparator.comparingDouble(LoadGroup::requestsPerSecond)).toList());
        while (groups.size() > most) {
            int cheapest = 0;
            for (int i = 1; i < groups.size() - 1; i++) {
                if (groups.get(i).costOf(groups.get(i + 1)) < groups.get(cheapest).costOf(groups.get(cheapest + 1))) {
                    cheapest = i;
                }
            }
            groups.set(cheapest, groups.get(cheapest).plus(groups.remove(cheapest + 1)));
        }
        return groups;
    }
}
