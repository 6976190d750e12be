// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Map;

/**
 * The exceedances of one limit in one step.
 *
 * @param requestsPerSecond the load that arrived, above 0
 * @param requests seen, above 0
 * @param exceeding requests beyond the limit
 * @param seconds of the step, above 0
 * @param censored true when an alarm cut the step off; a whole step would have had at least as many
 */
public record ExceedancePoint(double requestsPerSecond, double requests, double exceeding, double seconds,
        boolean censored) {

    public ExceedancePoint {
        if (!(requestsPerSecond > 0) || !(requests > 0) || !(exceeding >= 0) || exceeding > requests
                || !(seconds > 0)) {
            throw new IllegalArgumentException(exceeding + " of " + requests + " requests at " + requestsPerSecond
                    + "/s in " + seconds + " s");
        }
    }

    /** Adds a point to those of its limit. */
    static void put(Map<String, List<ExceedancePoint>> blocks, String limit, ExceedancePoint point) {
        blocks.put(limit, SearchHistory.append(blocks.getOrDefault(limit, List.of()), point));
    }
}
