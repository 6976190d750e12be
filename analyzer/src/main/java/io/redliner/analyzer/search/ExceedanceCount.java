// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Map;
import java.util.TreeMap;

/**
 * Counts of requests and of those beyond a limit.
 *
 * @param requests >= 0
 * @param exceeding requests beyond the limit, 0 to requests
 */
public record ExceedanceCount(double requests, double exceeding) {

    static final ExceedanceCount NONE = new ExceedanceCount(0, 0);

    ExceedanceCount plus(ExceedanceCount other) {
        return new ExceedanceCount(requests + other.requests, exceeding + other.exceeding);
    }

    /** Returns the part of the requests beyond the limit; 0 without requests. */
    double ratio() {
        return requests > 0 ? exceeding / requests : 0;
    }

    static Map<String, ExceedanceCount> sum(Map<String, ExceedanceCount> left, Map<String, ExceedanceCount> right) {
        var sum = new TreeMap<>(left);
        right.forEach((key, count) -> sum.merge(key, count, ExceedanceCount::plus));
        return sum;
    }
}
