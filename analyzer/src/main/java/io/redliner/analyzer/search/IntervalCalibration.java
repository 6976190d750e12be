// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * How much farther from the capacity than the belief says each end of a 95 % interval has to be: split conformal prediction
 * (Vovk, Gammerman and Shafer 2005), by stratum and side. No end is moved nearer. The factors held for whole runs, with all
 * their stops, on the lab's 300 tuning servers, two runs each: at 97.5 % of the regular runs below and above 2 000 requests/s,
 * and at 95 % of the few irregular ones. The search is measured on other servers.
 */
enum IntervalCalibration {
    /** Few alarms, at most one stall. */
    REGULAR(2.04, 1),
    /** The same, of a server with so many requests that the search stops early. */
    FAST(1, 1.53),
    /** It stalled or broke down again and again, so what holds and for how long was seen too seldom. */
    IRREGULAR(4.49, 1.21);

    private static final double FAST_REQUESTS_PER_SECOND = 2_000;

    private static final int MOST_STALLS = 1;

    private static final int MOST_ALARMS = 4;

    private final double lowPower;

    private final double highPower;

    IntervalCalibration(double lowPower, double highPower) {
        this.lowPower = lowPower;
        this.highPower = highPower;
    }

    /** @param stalls met so far */
    static IntervalCalibration of(SearchHistory ride, int stalls) {
        if (isIrregular(ride, stalls)) {
            return IRREGULAR;
        }
        return ride.belief().orElseThrow().capacity() > FAST_REQUESTS_PER_SECOND ? FAST : REGULAR;
    }

    /** Whether the SUT stalled or raised alarms so often, or breaks in such a way, that its capacity is known less well. */
    private static boolean isIrregular(SearchHistory ride, int stalls) {
        return stalls > MOST_STALLS || ride.alarms().size() > MOST_ALARMS || ride.retrograde()
                || ride.belief().filter(belief -> belief.limit().equals(SearchHistory.STALL)).isPresent();
    }

    /** The lower end, in requests/s; of the belief it is {@code low}. */
    double low(double capacity, double low) {
        return capacity * Math.pow(low / capacity, lowPower);
    }

    /** The upper end, in requests/s; of the belief it is {@code high}. */
    double high(double capacity, double high) {
        return capacity * Math.pow(high / capacity, highPower);
    }
}
