// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Map;
import java.util.TreeMap;

/**
 * Requests seen, and those of them beyond a limit.
 *
 * @param requests >= 0
 * @param exceeding of those, the ones beyond the limit; 0 to requests
 */
public record Tally(double requests, double exceeding) {

    static final Tally NONE = new Tally(0, 0);

    Tally plus(Tally other) {
        return new Tally(requests + other.requests, exceeding + other.exceeding);
    }

    /** Part of the requests beyond the limit; 0 without requests. */
    double ratio() {
        return requests > 0 ? exceeding / requests : 0;
    }

    static Map<String, Tally> sum(Map<String, Tally> left, Map<String, Tally> right) {
        var sum = new TreeMap<>(left);
        right.forEach((key, tally) -> sum.merge(key, tally, Tally::plus));
        return sum;
    }
}
