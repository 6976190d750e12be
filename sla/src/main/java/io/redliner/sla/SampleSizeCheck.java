// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Checks before a run that there will be enough requests for the percentiles that an SLA names. A percentile with a part alpha
 * above it needs 1 / alpha requests in a judgement. With fewer, no request at all may be slow, which is a stricter rule.
 */
public final class SampleSizeCheck {

    /** Longest time that a load is held before it is judged. */
    private static final double MAX_DWELL_SECONDS = 25;

    private SampleSizeCheck() {}

    /**
     * Explains why the rules cannot be judged, and what to change; empty when they can be, and while the service has no traffic.
     *
     * @param sla the rules to check; informational ones are skipped
     * @param largestShare of the service's requests that the SUT may get, 0 to 1
     * @param serviceRequestsPerSecond of the whole service
     */
    public static Optional<String> objection(List<Rule> sla, double largestShare, double serviceRequestsPerSecond) {
        double reachable = largestShare * serviceRequestsPerSecond;
        double maxRequests = reachable * MAX_DWELL_SECONDS;
        if (reachable <= 0) {
            return Optional.empty();
        }
        return sla.stream().filter(rule -> !rule.informational())
                .flatMap(
                        rule -> rule.percentiles().stream().filter(percentile -> percentile.minRequests() > maxRequests)
                                .map(percentile -> objection(rule, percentile, largestShare, serviceRequestsPerSecond)))
                .findFirst();
    }

    private static String objection(Rule rule, LatencyPercentile percentile, double largestShare,
            double serviceRequestsPerSecond) {
        double maxRequests = largestShare * serviceRequestsPerSecond * MAX_DWELL_SECONDS;
        return String.format(Locale.ROOT,
                "rule '%s' names %s, which takes %d requests to judge, and at most %.0f can reach the SUT in the %.0f s"
                        + " that a load is held: %.0f %% of %.1f requests/s; %sallow a larger share, or test when"
                        + " there is more traffic",
                rule.name(), percentile.name(), percentile.minRequests(), maxRequests, MAX_DWELL_SECONDS,
                100 * largestShare, serviceRequestsPerSecond,
                LatencyPercentile.highestOf(maxRequests).map(lower -> "use " + lower.name() + " at most, ").orElse(""));
    }
}
