// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.Proportion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The SUT's latency and exceedances far below its knee.
 *
 * @param load natural load, requests/s
 * @param latency mean at the natural load, seconds
 * @param allowed part of the requests that may exceed, by limit
 * @param floors exceedances far below the knee, by limit
 * @param approach the same exceedances in blocks of a few seconds, each with its load, by limit
 * @param pending totals since the last of those blocks
 */
public record BaselineProfile(double load, double latency, Map<String, AllowedRatio> allowed,
        Map<String, ExceedanceCount> floors,
        Map<String, List<ExceedancePoint>> approach, LoadTotals pending) {

    private static final double BLOCK_SECONDS = 5;

    private static final double PRIOR_REQUESTS = 100;

    private static final double ORDINARY_LOAD = 150;

    private static final double MAX_FACTOR = 5;

    public BaselineProfile {
        allowed = SortedMaps.copyOf(allowed);
        floors = SortedMaps.copyOf(floors);
        approach = SortedMaps.copyOf(approach);
    }

    /** @param natural totals at the natural load */
    static BaselineProfile at(LoadTotals natural, SearchInput window) {
        return new BaselineProfile(natural.load(), natural.latency(), Map.of(), Map.of(), Map.of(), LoadTotals.EMPTY)
                .learning(window)
                .withFloor(natural);
    }

    /** Returns the factor by which the search takes longer because there are few requests, 1 to 5. */
    double lowRateFactor() {
        return Math.clamp(Math.sqrt(ORDINARY_LOAD / load), 1, MAX_FACTOR);
    }

    /**
     * Returns the ratio of exceeding requests far below the knee, shrunk towards the allowed ratio while there are few requests.
     */
    double floor(String limit) {
        var floor = floors.getOrDefault(limit, ExceedanceCount.NONE);
        return (floor.exceeding() + allowed(limit) * PRIOR_REQUESTS) / (floor.requests() + PRIOR_REQUESTS);
    }

    double allowed(String limit) {
        return allowedRatio(limit).ratio();
    }

    AllowedRatio allowedRatio(String limit) {
        return allowed.getOrDefault(limit, AllowedRatio.ALL);
    }

    BaselineProfile learning(SearchInput window) {
        if (window.limits().stream()
                .allMatch(limit -> limit.proportion().isEmpty() || allowed.containsKey(limit.key()))) {
            return this;
        }
        var known = new TreeMap<>(allowed);
        window.limits().forEach(limit -> limit.proportion()
                .ifPresent(proportion -> known.put(limit.key(),
                        new AllowedRatio(proportion.allowedRatio(), proportion.kind() == Proportion.Kind.SLOW))));
        return new BaselineProfile(load, latency, known, floors, approach, pending);
    }

    /** @param seen totals at a load that is safely below the knee */
    BaselineProfile withFloor(LoadTotals seen) {
        var sum = pending.plus(seen);
        var newFloors = ExceedanceCount.sum(floors, seen.exceedances());
        if (sum.seconds() < BLOCK_SECONDS - 1e-6) {
            return new BaselineProfile(load, latency, allowed, newFloors, approach, sum);
        }
        var blocks = new TreeMap<>(approach);
        sum.exceedances().forEach((limit, count) -> ExceedancePoint.put(blocks, limit,
                new ExceedancePoint(sum.load(), count.requests(), count.exceeding(), sum.seconds(), false)));
        return new BaselineProfile(load, latency, allowed, newFloors, blocks, LoadTotals.EMPTY);
    }
}
