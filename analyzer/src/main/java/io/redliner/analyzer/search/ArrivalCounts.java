// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * Requests that arrived at the SUT over some windows, and those expected by the requested share. The arrived requests are a count
 * with its noise. The expected number is exact if the share was followed. Together they give a better estimate of the load than
 * either.
 *
 * @param seconds total length of the windows
 * @param windows number of windows
 * @param arrived requests at the SUT
 * @param expected requests: the requested share of the service's requests in the same windows
 * @param scatter sum over the windows of (arrived - expected)^2 / expected
 */
public record ArrivalCounts(double seconds, double windows, double arrived, double expected, double scatter) {

    /** Relative error with which a share is followed. */
    private static final double SHARE_ERROR = 0.01;

    private static final double DEVIATIONS = 3.5;

    static final ArrivalCounts NONE = new ArrivalCounts(0, 0, 0, 0, 0);

    static ArrivalCounts of(SearchInput window, double share) {
        double arrived = window.requestsPerSecond() * window.seconds();
        double expected = share * window.wholeRequestsPerSecond() * window.seconds();
        double difference = arrived - expected;
        return new ArrivalCounts(window.seconds(), 1, arrived, expected,
                difference * difference / Math.max(expected, 1));
    }

    ArrivalCounts plus(ArrivalCounts other) {
        return new ArrivalCounts(seconds + other.seconds, windows + other.windows, arrived + other.arrived,
                expected + other.expected, scatter + other.scatter);
    }

    /**
     * Returns the load as a mean weighted by inverse variances; expected requests are not used when the arrived ones contradict.
     */
    double requestsPerSecond() {
        // The scatter around the mean deviation, as a steady deviation is no noise.
        double steady = expected > 0 ? (arrived - expected) * (arrived - expected) / expected : 0;
        double noise = windows > 1 ? Math.max(1, (scatter - steady) / (windows - 1)) : 1;
        if (!(expected > 0) || Math.abs(arrived - expected) > DEVIATIONS * Math.sqrt(noise * expected)
                + 2 * SHARE_ERROR * expected) {
            return arrived / seconds;
        }
        double certainty = expected / noise;
        double trust = 1 / (SHARE_ERROR * SHARE_ERROR);
        return (arrived * certainty + expected * trust) / (certainty + trust) / seconds;
    }
}
