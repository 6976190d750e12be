// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The measurements of the steps.
 *
 * @param blocks steps of limits on a proportion, by limit
 * @param levels steps of limits on a level, by limit
 * @param exposures loads with the time for which they were held
 * @param latencies of steps
 * @param highest load tried in a step
 * @param highestThroughput lower bound of the throughput that a step without an alarm sustained
 * @param alarms loads at which an alarm was raised
 * @param breaches last breach, by limit
 */
public record StepEvidence(Map<String, List<ExceedancePoint>> blocks, Map<String, List<LevelPoint>> levels,
        List<Exposure> exposures, List<LatencyPoint> latencies, double highest, double highestThroughput,
        List<Double> alarms, Map<String, CapacityEstimate.Breach> breaches) {

    static final StepEvidence NONE = new StepEvidence(Map.of(), Map.of(), List.of(), List.of(), 0, 0, List.of(),
            Map.of());

    /**
     * A load that was held.
     *
     * @param alarmed true when an alarm ended it
     * @param broken seconds in which a limit without a proportion of requests, or {@link SearchHistory#STALL}, was broken, by
     *        limit; after an alarm only the limits that raised it
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

    public StepEvidence {
        blocks = SortedMaps.copyOf(blocks);
        levels = SortedMaps.copyOf(levels);
        exposures = List.copyOf(exposures);
        latencies = List.copyOf(latencies);
        alarms = List.copyOf(alarms);
        breaches = SortedMaps.copyOf(breaches);
    }

    StepEvidence exposed(Exposure exposure) {
        return new StepEvidence(blocks, levels, SearchHistory.append(exposures, exposure), latencies, highest,
                highestThroughput, alarms, breaches);
    }

    StepEvidence broken(Map<String, CapacityEstimate.Breach> newBreaches) {
        return new StepEvidence(blocks, levels, exposures, latencies, highest, highestThroughput, alarms, newBreaches);
    }

    /** Leaves out the steps that an alarm cut off. */
    StepEvidence uncensored() {
        var uncensored = new TreeMap<String, List<ExceedancePoint>>();
        blocks.forEach((limit, steps) -> uncensored.put(limit,
                steps.stream().filter(step -> !step.censored()).toList()));
        return new StepEvidence(uncensored, levels, exposures, latencies, highest, highestThroughput, alarms, breaches);
    }
}
