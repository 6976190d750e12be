// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.time.Duration;

/**
 * The parameters of the search. The defaults were tuned in the accuracy lab.
 *
 * @param baseline least length of each of the two blocks of the baseline
 * @param longestBaseline longest wait for the mean latency to stop falling
 * @param ramp growth of the load per second without a sign of the knee
 * @param caution how strongly the ramp slows down with the growth of the mean latency
 * @param inflated growth of the mean latency that ends the ramp
 * @param minStep least time at one load of the confirm phase
 * @param maxStep longest time to which a step is extended for enough requests
 * @param stepRequests requests that a step should have
 * @param settling time after a change of load that is not counted
 * @param settlingAfterDrain the same after a drain
 * @param trackedQuantile quantile of the posterior at which the load is held
 * @param raise largest relative rise from one step to the next
 * @param quietRaise relative rise when hardly anything exceeds
 * @param quiet part of the allowance below which hardly anything exceeds
 * @param quietQuantile quantile of the posterior that the quiet raise does not pass
 * @param drop part of the load that remains after an alarm
 * @param halfWidth relative half width of the interval at which the search ends
 * @param minConfirmTime least time of the confirm phase
 * @param maxConfirmTime longest time of the confirm phase
 * @param longest time after which the search ends in any case
 * @param extension factor of the longest times while the interval is wide
 * @param tempering exponent of the likelihood when steps have the expected correlation
 * @param correlation expected correlation of one step with the next
 * @param widening factor between the posterior's interval and the one that is reported; a little more with few requests
 * @param systematic part of the capacity added to each side of the interval
 * @param mostStalls number of stalls after which another one is taken for the server's limit
 * @param mostInconclusive inconclusive windows in a row after which the search gives up
 * @param alarm thresholds
 * @param knee model
 * @param watching longest time for which the peers are watched first, to learn their usual speed
 */
public record SearchSettings(Duration baseline, Duration longestBaseline, double ramp, double caution, double inflated,
        Duration minStep, Duration maxStep, double stepRequests, Duration settling, Duration settlingAfterDrain,
        double trackedQuantile, double raise, double quietRaise, double quiet, double quietQuantile, double drop,
        double halfWidth, Duration minConfirmTime, Duration maxConfirmTime, Duration longest, double extension,
        double tempering,
        double correlation, double widening, double systematic, int mostStalls, int mostInconclusive, Alarm alarm,
        KneeSettings knee, Duration watching) {

    /**
     * Thresholds at which load is shed before a step has ended.
     *
     * @param ratio r of the sequential test: it detects exceedances of r times what a rule allows
     * @param ramping threshold of the sum of log likelihood ratios while the load ramps up
     * @param confirming the same in the confirm phase
     * @param allowance the requests that may exceed in this time raise no alarm in the confirm phase
     * @param levelWindows windows in a row in which a level rule is broken
     * @param rampingQueue time that a request would spend at the SUT by Little's law, relative to the latency limit
     * @param confirmingQueue the same in the confirm phase
     * @param queueWindows windows in a row with such a queue
     */
    public record Alarm(double ratio, double ramping, double confirming, Duration allowance, int levelWindows,
            double rampingQueue, double confirmingQueue, int queueWindows) {

        /** The defaults. */
        public static final Alarm DEFAULT = new Alarm(5, 12, 64, Duration.ofSeconds(8), 2, 1, 1.5, 2);

        public Alarm {
            if (!(ratio > 1) || !(ramping > 0) || !(confirming > 0) || levelWindows < 1 || !(rampingQueue > 0)
                    || !(confirmingQueue > 0) || queueWindows < 1) {
                throw new IllegalArgumentException("an alarm needs a ratio above 1 and positive thresholds");
            }
        }
    }

    public SearchSettings {
        if (!baseline.isPositive() || !minStep.isPositive() || settling.isNegative() || watching.isNegative()
                || settlingAfterDrain.isNegative()
                || !maxConfirmTime.isPositive() || minConfirmTime.compareTo(maxConfirmTime) > 0) {
            throw new IllegalArgumentException(
                    "times are positive, and the least time of the confirm phase is no longer than the longest: "
                            + baseline + ", " + minStep + ", " + minConfirmTime + ", " + maxConfirmTime);
        }
        if (!(drop > 0) || !(drop < 1) || !(ramp > 0) || !(trackedQuantile > 0) || !(trackedQuantile < 1)
                || !(halfWidth > 0)) {
            throw new IllegalArgumentException(
                    "a drop to " + drop + ", a ramp of " + ramp + ", the quantile " + trackedQuantile
                            + " and a half width of " + halfWidth + " make no search");
        }
    }

    /** The defaults. */
    public static SearchSettings defaults() {
        return new SearchSettings(Duration.ofSeconds(4), Duration.ofSeconds(60), 0.055, 15, 1.8, Duration.ofSeconds(6),
                Duration.ofSeconds(25), 600, Duration.ZERO, Duration.ofSeconds(3), 0.28, 0.025, 0.008, 0.5, 0.8, 0.5,
                0.038, Duration.ofSeconds(70), Duration.ofSeconds(104), Duration.ofSeconds(240), 1.1, 0.5, 0.2, 1.33,
                0.005, 5, 3, Alarm.DEFAULT, KneeSettings.DEFAULT, Duration.ofSeconds(65));
    }

    /** Returns a copy with other times. */
    public SearchSettings with(Duration newSettling, Duration newBaseline, Duration newMinStep,
            Duration newMinConfirmTime,
            Duration newMaxConfirmTime, Duration newWatching) {
        return new SearchSettings(newBaseline, longestBaseline, ramp, caution, inflated, newMinStep, maxStep,
                stepRequests, newSettling, settlingAfterDrain, trackedQuantile, raise, quietRaise, quiet, quietQuantile,
                drop,
                halfWidth, newMinConfirmTime, newMaxConfirmTime, longest, extension, tempering, correlation, widening,
                systematic,
                mostStalls, mostInconclusive, alarm, knee, newWatching);
    }

    /** Returns a copy that does not watch the peers. */
    public SearchSettings withoutWatching() {
        return with(settling, baseline, minStep, minConfirmTime, maxConfirmTime, Duration.ZERO);
    }

    double maxConfirmSeconds(BaselineProfile base) {
        return seconds(maxConfirmTime) * base.lowRateFactor();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
