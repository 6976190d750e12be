// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was learnt since the ramp ended for the first time.
 *
 * @param since seconds of the search at which it did
 * @param low end of the grid of capacities, requests/s
 * @param high end of that grid
 * @param blocks by limit on a proportion: its dwells
 * @param levels by limit on a level: its dwells
 * @param exposures loads with the time that they were held, and whether an alarm ended it
 * @param latencies of dwells
 * @param highest load tried in a dwell
 * @param highestThroughput that a dwell without an alarm sustained for sure
 * @param alarms loads at which an alarm was raised
 * @param retrograde whether throughput falls beyond the knee
 * @param calm dwells in a row in which nothing was felt
 * @param capped time spent at the most that can be had
 * @param felt whether the knee lies at or below the highest load tried
 * @param breaches by limit: the last window that broke it
 * @param belief what all that says of the capacity
 */
public record SearchHistory(double since, double low, double high, Map<String, List<ExceedancePoint>> blocks,
        Map<String, List<LevelPoint>> levels, List<Exposure> exposures, List<LatencyPoint> latencies, double highest,
        double highestThroughput, List<Double> alarms, boolean retrograde, int calm, Capped capped, boolean felt,
        Map<String, CapacityEstimate.Breach> breaches, Optional<CapacityPosterior> belief) {

    /** What is broken when hardly anything completes, again and again. */
    static final String STALL = "stall";

    /**
     * A load that was held.
     *
     * @param alarmed whether an alarm ended it
     * @param broken by limit without a proportion of requests, or {@link #STALL}: seconds in which it was broken; of one that an
     *        alarm ended, only the limits that raised it
     */
    public record Exposure(double load, double seconds, boolean alarmed, Map<String, Double> broken) {

        public Exposure {
            broken = SortedMaps.copyOf(broken);
        }
    }

    /**
     * How much of a level limit was used at a load.
     *
     * @param utilisation 1 at the limit
     */
    public record LevelPoint(double load, double utilisation, double seconds) {}

    /** Mean latency in seconds at a load. */
    public record LatencyPoint(double load, double latency) {}

    /**
     * Time at the most that can be had.
     *
     * @param requests seen in that time
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

    /** While nothing is believed, the ride is as old as the end of the last ramp. */
    SearchHistory resumed(double seconds) {
        return new SearchHistory(belief.isEmpty() ? seconds : since, low, high, blocks, levels, exposures, latencies,
                highest,
                highestThroughput, alarms, retrograde, calm, capped, felt, breaches, belief);
    }

    static SearchHistory from(double since, double low, double high) {
        return new SearchHistory(since, low, high, Map.of(), Map.of(), List.of(), List.of(), 0, 0, List.of(), false, 0,
                Capped.NOT, false, Map.of(), Optional.empty());
    }

    SearchHistory on(double newLow, double newHigh) {
        return new SearchHistory(since, newLow, newHigh, blocks, levels, exposures, latencies, highest,
                highestThroughput,
                alarms, retrograde, calm, capped, felt, breaches, belief);
    }

    SearchHistory exposed(Exposure exposure) {
        return new SearchHistory(since, low, high, blocks, levels, append(exposures, exposure), latencies, highest,
                highestThroughput, alarms, retrograde, calm, capped, felt, breaches, belief);
    }

    SearchHistory believing(CapacityPosterior newBelief, boolean nowFelt) {
        return new SearchHistory(since, low, high, blocks, levels, exposures, latencies, highest, highestThroughput,
                alarms,
                retrograde, calm, capped, nowFelt, breaches, Optional.of(newBelief));
    }

    SearchHistory counting(int newCalm, Capped newCapped) {
        return new SearchHistory(since, low, high, blocks, levels, exposures, latencies, highest, highestThroughput,
                alarms,
                retrograde, newCalm, newCapped, felt, breaches, belief);
    }

    SearchHistory broken(Map<String, CapacityEstimate.Breach> newBreaches) {
        return new SearchHistory(since, low, high, blocks, levels, exposures, latencies, highest, highestThroughput,
                alarms,
                retrograde, calm, capped, felt, newBreaches, belief);
    }

    /** From now on the collapse is what limits it; dwells that a collapse cut off say nothing of a slope. */
    SearchHistory collapsing(Map<String, List<ExceedancePoint>> uncensored) {
        return new SearchHistory(since, low, high, uncensored, levels, exposures, latencies, highest, highestThroughput,
                alarms, true, calm, capped, felt, breaches, belief);
    }

    /** With a grid that holds the belief. */
    SearchHistory within(CapacityPosterior belief) {
        double newLow = belief.low() < 1.015 * low && low > 0.5 * highest ? 0.9 * low : low;
        double newHigh = belief.high() > 0.985 * high && high < 1.6 * highest ? 1.1 * high : high;
        return newLow == low && newHigh == high ? this : on(newLow, newHigh);
    }

    static <T> List<T> append(List<T> list, T last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }
}
