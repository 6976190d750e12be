// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * Factors that widen the posterior's 95 % interval, by split conformal prediction (Vovk, Gammerman and Shafer 2005), for each
 * stratum and side. No end is moved inwards. The factors held for whole runs on the lab's 300 tuning servers, two runs each: for
 * 97.5 % of the regular runs below and above 2 000 requests/s, and for 95 % of the few irregular ones. The search is evaluated on
 * other servers.
 */
enum IntervalCalibration {
    /** Runs with few alarms and at most one stall. */
    REGULAR(2.04, 1),
    /** The same for a server with so many requests that the search stops early. */
    FAST(1, 1.53),
    /** Runs of a server that stalled or broke down repeatedly, so that few loads were held for long. */
    IRREGULAR(4.49, 1.21);

    private static final double FAST_REQUESTS_PER_SECOND = 2_000;

    private static final int MAX_STALLS = 1;

    private static final int MAX_ALARMS = 4;

    private final double lowPower;

    private final double highPower;

    IntervalCalibration(double lowPower, double highPower) {
        this.lowPower = lowPower;
        this.highPower = highPower;
    }

    /** @param stalls number of stalls so far */
    static IntervalCalibration of(SearchHistory history, int stalls) {
        if (isIrregular(history, stalls)) {
            return IRREGULAR;
        }
        return history.posterior().orElseThrow().capacity() > FAST_REQUESTS_PER_SECOND ? FAST : REGULAR;
    }

    /** Returns true when many stalls or alarms, or a collapse as the limit, make the estimate less certain. */
    private static boolean isIrregular(SearchHistory history, int stalls) {
        return stalls > MAX_STALLS || history.evidence().alarms().size() > MAX_ALARMS || history.retrograde()
                || history.posterior().filter(posterior -> posterior.limit().equals(SearchHistory.STALL)).isPresent();
    }

    /** Returns the lower end of the reported interval, in requests/s, from that of the posterior. */
    double low(double capacity, double low) {
        return capacity * Math.pow(low / capacity, lowPower);
    }

    /** Returns the upper end of the reported interval, in requests/s, from that of the posterior. */
    double high(double capacity, double high) {
        return capacity * Math.pow(high / capacity, highPower);
    }
}
