// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.time.Duration;

/**
 * Every parameter of the riding search. The defaults were tuned in the accuracy lab.
 *
 * @param baseline of two blocks of the baseline the shorter one's least length
 * @param longestBaseline at most so long the mean latency is given to stop falling
 * @param ramp growth of the load per second while nothing is felt
 * @param caution how strongly the ramp slows down with the growth of the mean latency
 * @param inflated growth of the mean latency that ends the ramp
 * @param dwell least time at one load while riding
 * @param longestDwell at most so long a dwell is made to see enough requests
 * @param dwellRequests that a dwell should see
 * @param settling time after a change of load that is not counted
 * @param settlingAfterDrain the same after a drain
 * @param ridden quantile of the belief that is ridden
 * @param raise largest relative rise from one dwell to the next
 * @param quietRaise relative rise when hardly anything exceeds
 * @param quiet part of the allowance below which hardly anything exceeds
 * @param quietQuantile of the belief that the quiet raise does not pass
 * @param drop part of the load that remains after an alarm
 * @param halfWidth relative half width of the interval at which the search ends
 * @param leastRide time ridden before the search may end
 * @param longestRide time ridden after which it ends
 * @param longest time after which it ends in any case
 * @param patience by so much longer, while the interval is wide
 * @param tempering exponent of the likelihood when dwells have the correlation that is expected
 * @param correlation of one dwell with the next that is expected
 * @param widening factor between the posterior's interval and the one that is reported; a little more with few requests
 * @param systematic part of the capacity added to each side of the interval
 * @param mostStalls after which a stall is taken for the server's limit
 * @param mostInconclusive windows in a row before giving up
 * @param alarm thresholds
 * @param knee model
 * @param watching at most so long the peers are watched before anything else, to know how fast they usually are
 */
public record SearchSettings(Duration baseline, Duration longestBaseline, double ramp, double caution, double inflated,
        Duration dwell, Duration longestDwell, double dwellRequests, Duration settling, Duration settlingAfterDrain,
        double ridden, double raise, double quietRaise, double quiet, double quietQuantile, double drop,
        double halfWidth, Duration leastRide, Duration longestRide, Duration longest, double patience,
        double tempering,
        double correlation, double widening, double systematic, int mostStalls, int mostInconclusive, Alarm alarm,
        KneeSettings knee, Duration watching) {

    /**
     * When to shed before a dwell has ended.
     *
     * @param ratio r of the sequential test: how many times its allowance a rule is exceeded by what should be noticed
     * @param ramping threshold of the sum of log likelihood ratios while the load rises into the unknown
     * @param riding the same while riding
     * @param allowance time whose own allowance of exceeding requests must not be an alarm while riding
     * @param levelWindows windows in a row in which a level rule is broken
     * @param rampingQueue time that a request would spend at the SUT by Little's law, relative to the latency limit
     * @param ridingQueue the same, while riding
     * @param queueWindows windows in a row with such a queue
     */
    public record Alarm(double ratio, double ramping, double riding, Duration allowance, int levelWindows,
            double rampingQueue, double ridingQueue, int queueWindows) {

        /** What is used when nothing else is said. */
        public static final Alarm DEFAULT = new Alarm(5, 12, 64, Duration.ofSeconds(8), 2, 1, 1.5, 2);

        public Alarm {
            if (!(ratio > 1) || !(ramping > 0) || !(riding > 0) || levelWindows < 1 || !(rampingQueue > 0)
                    || !(ridingQueue > 0) || queueWindows < 1) {
                throw new IllegalArgumentException("an alarm needs a ratio above 1 and positive thresholds");
            }
        }
    }

    public SearchSettings {
        if (!baseline.isPositive() || !dwell.isPositive() || settling.isNegative() || watching.isNegative()
                || settlingAfterDrain.isNegative()
                || !longestRide.isPositive() || leastRide.compareTo(longestRide) > 0) {
            throw new IllegalArgumentException("times are positive, and the least ride is no longer than the longest: "
                    + baseline + ", " + dwell + ", " + leastRide + ", " + longestRide);
        }
        if (!(drop > 0) || !(drop < 1) || !(ramp > 0) || !(ridden > 0) || !(ridden < 1) || !(halfWidth > 0)) {
            throw new IllegalArgumentException("a drop to " + drop + ", a ramp of " + ramp + ", the quantile " + ridden
                    + " and a half width of " + halfWidth + " make no search");
        }
    }

    /** What is used when nothing else is said. */
    public static SearchSettings defaults() {
        return new SearchSettings(Duration.ofSeconds(4), Duration.ofSeconds(60), 0.055, 15, 1.8, Duration.ofSeconds(6),
                Duration.ofSeconds(25), 600, Duration.ZERO, Duration.ofSeconds(3), 0.28, 0.025, 0.008, 0.5, 0.8, 0.5,
                0.038, Duration.ofSeconds(70), Duration.ofSeconds(104), Duration.ofSeconds(240), 1.1, 0.5, 0.2, 1.33,
                0.005, 5, 3, Alarm.DEFAULT, KneeSettings.DEFAULT, Duration.ofSeconds(65));
    }

    /** The same with other times. */
    public SearchSettings with(Duration newSettling, Duration newBaseline, Duration newDwell, Duration newLeastRide,
            Duration newLongestRide, Duration newWatching) {
        return new SearchSettings(newBaseline, longestBaseline, ramp, caution, inflated, newDwell, longestDwell,
                dwellRequests, newSettling, settlingAfterDrain, ridden, raise, quietRaise, quiet, quietQuantile, drop,
                halfWidth, newLeastRide, newLongestRide, longest, patience, tempering, correlation, widening,
                systematic,
                mostStalls, mostInconclusive, alarm, knee, newWatching);
    }

    /** The same without a look at the peers. */
    public SearchSettings withoutWatching() {
        return with(settling, baseline, dwell, leastRide, longestRide, Duration.ZERO);
    }

    double longestRideSeconds(BaselineProfile base) {
        return seconds(longestRide) * base.lowRateFactor();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
