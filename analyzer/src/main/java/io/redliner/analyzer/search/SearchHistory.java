// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Results of the steps since the ramp ended for the first time.
 *
 * @param since seconds of the search at which the ramp ended
 * @param low lower end of the grid of capacities, requests/s
 * @param high upper end of that grid
 * @param blocks steps of limits on a proportion, by limit
 * @param levels steps of limits on a level, by limit
 * @param exposures loads with the time for which they were held
 * @param latencies of steps
 * @param highest load tried in a step
 * @param highestThroughput lower bound of the throughput that a step without an alarm sustained
 * @param alarms loads at which an alarm was raised
 * @param retrograde true when throughput falls beyond the knee
 * @param stepsBelowKnee steps in a row without a sign of the knee
 * @param capped time at the highest reachable load
 * @param kneeReached true when the knee lies at or below the highest load tried
 * @param breaches last breach, by limit
 * @param posterior of the capacity from these results; empty while no limit binds
 */
public record SearchHistory(double since, double low, double high, Map<String, List<ExceedancePoint>> blocks,
        Map<String, List<LevelPoint>> levels, List<Exposure> exposures, List<LatencyPoint> latencies, double highest,
        double highestThroughput, List<Double> alarms, boolean retrograde, int stepsBelowKnee, Capped capped,
        boolean kneeReached,
        Map<String, CapacityEstimate.Breach> breaches, Optional<CapacityPosterior> posterior) {

    /** Name of the limit that is broken by repeated stalls, in which hardly any request completes. */
    static final String STALL = "stall";

    /**
     * A load that was held.
     *
     * @param alarmed true when an alarm ended it
     * @param broken seconds in which a limit without a proportion of requests, or {@link #STALL}, was broken, by limit; after an
     *        alarm only the limits that raised it
     */
    public record Exposure(double load, double seconds, boolean alarmed, Map<String, Double> broken) {

        public Exposure {
            broken = SortedMaps.copyOf(broken);
        }
    }

    /**
     * Utilisation of a limit on a level at a load.
     *
     * @param utilisation 1 at the limit
     */
    public record LevelPoint(double load, double utilisation, double seconds) {}

    /** Mean latency in seconds at a load. */
    public record LatencyPoint(double load, double latency) {}

    /**
     * Time at the highest reachable load.
     *
     * @param requests in that time
     * @param loadSeconds integral of the load over that time
     */
    public record Capped(double seconds, double requests, double loadSeconds) {

        static final Capped NOT = new Capped(0, 0, 0);
    }

    public SearchHistory {
        blocks = SortedMaps.copyOf(blocks);
        levels = SortedMaps.copyOf(levels);
        exposures = List.copyOf(exposures);
        latencies = List.copyOf(latencies);
        alarms = List.copyOf(alarms);
        breaches = SortedMaps.copyOf(breaches);
    }

    /** Continues after another ramp. Without a posterior, the time of the confirm phase counts from the end of this ramp. */
    SearchHistory resumed(double seconds) {
        return new SearchHistory(posterior.isEmpty() ? seconds : since, low, high, blocks, levels, exposures, latencies,
                highest,
                highestThroughput, alarms, retrograde, stepsBelowKnee, capped, kneeReached, breaches, posterior);
    }

    static SearchHistory from(double since, double low, double high) {
        return new SearchHistory(since, low, high, Map.of(), Map.of(), List.of(), List.of(), 0, 0, List.of(), false, 0,
                Capped.NOT, false, Map.of(), Optional.empty());
    }

    SearchHistory on(double newLow, double newHigh) {
        return new SearchHistory(since, newLow, newHigh, blocks, levels, exposures, latencies, highest,
                highestThroughput,
                alarms, retrograde, stepsBelowKnee, capped, kneeReached, breaches, posterior);
    }

    SearchHistory exposed(Exposure exposure) {
        return new SearchHistory(since, low, high, blocks, levels, append(exposures, exposure), latencies, highest,
                highestThroughput, alarms, retrograde, stepsBelowKnee, capped, kneeReached, breaches, posterior);
    }

    SearchHistory withPosterior(CapacityPosterior newPosterior, boolean newKneeReached) {
        return new SearchHistory(since, low, high, blocks, levels, exposures, latencies, highest, highestThroughput,
                alarms,
                retrograde, stepsBelowKnee, capped, newKneeReached, breaches, Optional.of(newPosterior));
    }

    SearchHistory counting(int newStepsBelowKnee, Capped newCapped) {
        return new SearchHistory(since, low, high, blocks, levels, exposures, latencies, highest, highestThroughput,
                alarms,
                retrograde, newStepsBelowKnee, newCapped, kneeReached, breaches, posterior);
    }

    SearchHistory broken(Map<String, CapacityEstimate.Breach> newBreaches) {
        return new SearchHistory(since, low, high, blocks, levels, exposures, latencies, highest, highestThroughput,
                alarms,
                retrograde, stepsBelowKnee, capped, kneeReached, newBreaches, posterior);
    }

    /** Makes the collapse the limit, and keeps only uncensored steps: a step that a collapse cut off is no evidence of a slope. */
    SearchHistory collapsing(Map<String, List<ExceedancePoint>> uncensored) {
        return new SearchHistory(since, low, high, uncensored, levels, exposures, latencies, highest, highestThroughput,
                alarms, true, stepsBelowKnee, capped, kneeReached, breaches, posterior);
    }

    /** Widens the grid when the posterior's interval reaches an end of it. */
    SearchHistory within(CapacityPosterior posterior) {
        double newLow = posterior.low() < 1.015 * low && low > 0.5 * highest ? 0.9 * low : low;
        double newHigh = posterior.high() > 0.985 * high && high < 1.6 * highest ? 1.1 * high : high;
        return newLow == low && newHigh == high ? this : on(newLow, newHigh);
    }

    static <T> List<T> append(List<T> list, T last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }
}
