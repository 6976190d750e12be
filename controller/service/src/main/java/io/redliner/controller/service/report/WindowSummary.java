// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import java.util.List;

/**
 * All windows of a run, summed up.
 *
 * @param rules those of the SLA first, in the order of the plan
 * @param buckets for charts, at most {@value #MAX_BUCKETS}
 */
public record WindowSummary(List<RuleSummary> rules, List<WindowBucket> buckets) {

    public static final int MAX_BUCKETS = 240;

    public WindowSummary {
        rules = List.copyOf(rules);
        buckets = List.copyOf(buckets);
    }

    /** Returns the number of windows. */
    public long windows() {
        return buckets.stream().mapToLong(WindowBucket::windows).sum();
    }

    /** Returns the largest share that was in force. */
    public double largestShare() {
        return buckets.stream().mapToDouble(bucket -> bucket.values().getOrDefault("shareAsked", 0.0)).max().orElse(0);
    }
}
