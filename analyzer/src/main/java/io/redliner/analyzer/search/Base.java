// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of the SUT away from its knee.
 *
 * @param load natural, requests/s
 * @param latency mean at the natural load, seconds
 * @param allowed by limit: ratio of the requests that may exceed
 * @param floors by limit: what was seen far below the knee
 */
public record Base(double load, double latency, Map<String, Double> allowed, Map<String, Tally> floors) {

    private static final double PRIOR_REQUESTS = 100;

    private static final double ORDINARY_LOAD = 150;

    public Base {
        allowed = Map.copyOf(allowed);
        floors = Map.copyOf(floors);
    }

    /** How much longer everything takes because there are few requests, 1 to 3. */
    double slowness() {
        return Math.clamp(Math.sqrt(ORDINARY_LOAD / load), 1, 3);
    }

    /** Ratio of exceeding requests far below the knee, with a little doubt. */
    double floor(String limit) {
        var floor = floors.getOrDefault(limit, Tally.NONE);
        return (floor.exceeding() + allowed(limit) * PRIOR_REQUESTS) / (floor.requests() + PRIOR_REQUESTS);
    }

    double allowed(String limit) {
        return allowed.getOrDefault(limit, 1.0);
    }

    Base learning(JudgedWindow window) {
        if (Limit.all(window.outcomes()).stream()
                .allMatch(limit -> limit.proportion().isEmpty() || allowed.containsKey(limit.key()))) {
            return this;
        }
        var known = new TreeMap<>(allowed);
        Limit.all(window.outcomes()).forEach(limit -> limit.proportion()
                .ifPresent(proportion -> known.put(limit.key(), proportion.allowedRatio())));
        return new Base(load, latency, known, floors);
    }

    Base withFloor(Map<String, Tally> seen) {
        return new Base(load, latency, allowed, Tally.sum(floors, seen));
    }
}
