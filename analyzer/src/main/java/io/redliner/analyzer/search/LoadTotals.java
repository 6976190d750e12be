// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Judgement;
import io.redliner.sla.Scope;
import io.redliner.sla.WindowStats;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums over the windows at one load.
 *
 * @param seconds total length of the windows
 * @param arrivals requests that arrived in the windows
 * @param exceedances of limits on a proportion, by limit
 * @param levels integral of the utilisation over time, of limits on a level, by limit
 * @param broken seconds in which a limit was broken that is not on a proportion, by limit
 * @param latencySeconds sum of the latencies of the completed requests
 * @param completed requests whose latency is known
 */
public record LoadTotals(double seconds, ArrivalCounts arrivals, Map<String, ExceedanceCount> exceedances,
        Map<String, Double> levels,
        Map<String, Double> broken, double latencySeconds, double completed) {

    static final LoadTotals EMPTY = new LoadTotals(0, ArrivalCounts.NONE, Map.of(), Map.of(), Map.of(), 0, 0);

    public LoadTotals {
        exceedances = SortedMaps.copyOf(exceedances);
        levels = SortedMaps.copyOf(levels);
        broken = SortedMaps.copyOf(broken);
    }

    LoadTotals plus(SearchInput window, SutSignals signals) {
        double length = window.seconds();
        var newExceedances = new TreeMap<>(exceedances);
        var newLevels = new TreeMap<>(levels);
        var newBroken = new TreeMap<>(broken);
        for (var limit : window.limits()) {
            limit.proportion().ifPresentOrElse(
                    it -> newExceedances.merge(limit.key(), new ExceedanceCount(it.requests(), it.exceeding()),
                            ExceedanceCount::plus),
                    () -> limit.comparison().utilisation()
                            .ifPresent(it -> newLevels.merge(limit.key(), it * length, Double::sum)));
            if (limit.proportion().isEmpty() && limit.judgement() == Judgement.BREACHED) {
                newBroken.merge(limit.key(), length, Double::sum);
            }
        }
        var latency = window.sla().measurements().of(Scope.SUT).map(WindowStats::latency);
        double count = latency.map(it -> (double) it.getTotalCount()).orElse(0.0);
        double sum = count > 0 ? count * latency.orElseThrow().getMean() / 1e6 : 0;
        return new LoadTotals(seconds + length, arrivals.plus(signals.arrivals()), newExceedances, newLevels, newBroken,
                latencySeconds + sum, completed + count);
    }

    LoadTotals plus(LoadTotals other) {
        var sum = new TreeMap<>(levels);
        other.levels.forEach((limit, level) -> sum.merge(limit, level, Double::sum));
        var longer = new TreeMap<>(broken);
        other.broken.forEach((limit, length) -> longer.merge(limit, length, Double::sum));
        return new LoadTotals(seconds + other.seconds, arrivals.plus(other.arrivals),
                ExceedanceCount.sum(exceedances, other.exceedances),
                sum, longer, latencySeconds + other.latencySeconds, completed + other.completed);
    }

    double load() {
        return arrivals.requestsPerSecond();
    }

    /** Returns the mean latency in seconds; NaN when nothing completed. */
    double latency() {
        return completed > 0 ? latencySeconds / completed : Double.NaN;
    }

    /** Returns the largest mean utilisation of a level; 0 without levels. */
    double largestLevel() {
        return levels.values().stream().mapToDouble(it -> it / seconds).max().orElse(0);
    }

    ExceedanceCount exceedances(String limit) {
        return exceedances.getOrDefault(limit, ExceedanceCount.NONE);
    }
}
