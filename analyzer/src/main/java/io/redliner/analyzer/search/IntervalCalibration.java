// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * How much farther from the capacity each end of a 95 % interval has to be than in the posterior: split conformal prediction
 * (Vovk, Gammerman and Shafer 2005), by stratum and side. No end is moved nearer. The factors held for whole runs, with all
 * their stops, on the lab's 300 tuning servers, two runs each: at 97.5 % of the regular runs below and above 2 000 requests/s,
 * and at 95 % of the few irregular ones. The search is measured on other servers.
 */
enum IntervalCalibration {
    /** Few alarms, at most one stall. */
    REGULAR(2.04, 1),
    /** The same, of a server with so many requests that the search stops early. */
    FAST(1, 1.53),
    /** It stalled or broke down repeatedly, so that few loads were held for long. */
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

    /** @param stalls met so far */
    static IntervalCalibration of(SearchHistory history, int stalls) {
        if (isIrregular(history, stalls)) {
            return IRREGULAR;
        }
        return history.posterior().orElseThrow().capacity() > FAST_REQUESTS_PER_SECOND ? FAST : REGULAR;
    }

    /** Whether the SUT stalled or raised alarms so often, or breaks in such a way, that its capacity is known less well. */
    private static boolean isIrregular(SearchHistory history, int stalls) {
        return stalls > MAX_STALLS || history.alarms().size() > MAX_ALARMS || history.retrograde()
                || history.posterior().filter(posterior -> posterior.limit().equals(SearchHistory.STALL)).isPresent();
    }

    /** The lower end, in requests/s; that of the posterior is {@code low}. */
    double low(double capacity, double low) {
        return capacity * Math.pow(low / capacity, lowPower);
    }

    /** The upper end, in requests/s; that of the posterior is {@code high}. */
    double high(double capacity, double high) {
        return capacity * Math.pow(high / capacity, highPower);
    }
}
