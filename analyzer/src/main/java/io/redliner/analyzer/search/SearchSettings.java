// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.time.Duration;

/**
 * The parameters of the search. The defaults were tuned in the accuracy lab.
 *
 * @param ramp the way from the natural load to the knee
 * @param steps the steps below the knee
 * @param target the load of the next step
 * @param stop the ends of the search
 * @param likelihood model of the evidence
 * @param alarm thresholds
 * @param knee model
 * @param watching longest time before the baseline in which the usual speed of the peers is learnt; 0 turns the detection of noise
 *        off
 */
public record SearchSettings(Ramp ramp, Steps steps, Target target, Stop stop, Likelihood likelihood, Alarm alarm,
        KneeSettings knee, Duration watching) {

    /** Part of the usual growth of the load per second beside noise. */
    private static final double RATE_BESIDE_NOISE = 0.15;

    /** Time that a search takes beside its confirm phase. */
    private static final double BEFORE_CONFIRM_SECONDS = 50;

    /** Longest time of a search beside noise, in multiples of the usual one: a slow ramp takes longer. */
    private static final int MAX_TIME_BESIDE_NOISE = 3;

    /** Part of the usual times of the confirm phase beside noise. */
    private static final double TIME_BESIDE_NOISE = 0.75;

    /**
     * The baseline and the ramp.
     *
     * @param baseline least length of each of the two blocks of the baseline
     * @param longestBaseline longest wait for the mean latency to stop falling
     * @param rate growth of the load per second without a sign of the knee
     * @param caution how strongly the ramp slows down with the growth of the mean latency
     * @param inflated growth of the mean latency that ends the ramp
     */
    public record Ramp(Duration baseline, Duration longestBaseline, double rate, double caution, double inflated) {

        public Ramp {
            if (!baseline.isPositive() || !(rate > 0)) {
                throw new IllegalArgumentException(
                        "a baseline of " + baseline + " and a growth of " + rate + " make no ramp");
            }
        }
    }

    /**
     * The steps of the confirm phase.
     *
     * @param min least time at one load
     * @param max longest time to which a step is extended for enough requests
     * @param requests that a step should have
     * @param settling time after a change of load that is not counted
     * @param settlingAfterDrain the same after a drain
     */
    public record Steps(Duration min, Duration max, double requests, Duration settling, Duration settlingAfterDrain) {

        public Steps {
            if (!min.isPositive() || settling.isNegative() || settlingAfterDrain.isNegative()) {
                throw new IllegalArgumentException("times of a step are positive: " + min + ", " + settling + ", "
                        + settlingAfterDrain);
            }
        }
    }

    /**
     * The load of the next step.
     *
     * @param quantile of the posterior at which the load is held
     * @param raise largest relative rise from one step to the next
     * @param quietRaise relative rise when hardly anything exceeds
     * @param quiet part of the allowance below which hardly anything exceeds
     * @param quietQuantile quantile of the posterior that the quiet raise does not pass
     * @param drop part of the load that remains after an alarm
     */
    public record Target(double quantile, double raise, double quietRaise, double quiet, double quietQuantile,
            double drop) {

        public Target {
            if (!(drop > 0) || !(drop < 1) || !(quantile > 0) || !(quantile < 1)) {
                throw new IllegalArgumentException(
                        "a drop to " + drop + " and the quantile " + quantile + " make no next step");
            }
        }
    }

    /**
     * The ends of the search.
     *
     * @param halfWidth relative half width of the interval at which the search ends
     * @param minConfirmTime least time of the confirm phase
     * @param maxConfirmTime longest time of the confirm phase
     * @param longest time after which the search ends in any case
     * @param extension factor of the longest times while the interval is wide
     * @param maxStalls number of stalls after which another one is taken for the server's limit
     * @param maxInconclusive inconclusive windows in a row after which the search gives up
     * @param goal what replaces halfWidth and minConfirmTime
     */
    public record Stop(double halfWidth, Duration minConfirmTime, Duration maxConfirmTime, Duration longest,
            double extension, int maxStalls, int maxInconclusive, SearchGoal goal) {

        public Stop {
            if (!(halfWidth > 0) || !maxConfirmTime.isPositive() || minConfirmTime.compareTo(maxConfirmTime) > 0) {
                throw new IllegalArgumentException(
                        "the half width is positive, and the least time of the confirm phase is no longer than the "
                                + "longest: " + halfWidth + ", " + minConfirmTime + ", " + maxConfirmTime);
            }
        }
    }

    /**
     * The model of the evidence.
     *
     * @param tempering exponent of the likelihood when steps have the expected correlation
     * @param correlation expected correlation of one step with the next
     * @param widening factor between the posterior's interval and the one that is reported; a little more with few requests
     * @param systematic part of the capacity added to each side of the interval
     */
    public record Likelihood(double tempering, double correlation, double widening, double systematic) {}

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

    /** @throws IllegalArgumentException for a negative time of watching */
    public SearchSettings {
        if (watching.isNegative()) {
            throw new IllegalArgumentException("a time of watching is not negative: " + watching);
        }
    }

    /** The defaults. */
    public static SearchSettings defaults() {
        return new SearchSettings(new Ramp(Duration.ofSeconds(4), Duration.ofSeconds(60), 0.055, 15, 1.8),
                new Steps(Duration.ofSeconds(6), Duration.ofSeconds(25), 600, Duration.ZERO, Duration.ofSeconds(3)),
                new Target(0.28, 0.025, 0.008, 0.5, 0.8, 0.5),
                new Stop(0.038, Duration.ofSeconds(70), Duration.ofSeconds(104), Duration.ofSeconds(240), 1.1, 5, 3,
                        SearchGoal.NONE),
                new Likelihood(0.5, 0.2, 1.33, 0.005), Alarm.DEFAULT, KneeSettings.DEFAULT, Duration.ofSeconds(65));
    }

    /** Returns a copy with other times. */
    public SearchSettings with(Duration settling, Duration baseline, Duration minStep, Duration minConfirmTime,
            Duration maxConfirmTime, Duration newWatching) {
        return new SearchSettings(
                new Ramp(baseline, ramp.longestBaseline(), ramp.rate(), ramp.caution(), ramp.inflated()),
                new Steps(minStep, steps.max(), steps.requests(), settling, steps.settlingAfterDrain()), target,
                new Stop(stop.halfWidth(), minConfirmTime, maxConfirmTime, stop.longest(), stop.extension(),
                        stop.maxStalls(), stop.maxInconclusive(), stop.goal()),
                likelihood, alarm, knee, newWatching);
    }

    /** Returns a copy with the goal of a run. */
    public SearchSettings with(SearchGoal goal) {
        return new SearchSettings(ramp, steps, target,
                new Stop(stop.halfWidth(), stop.minConfirmTime(), stop.maxConfirmTime(), stop.longest(),
                        stop.extension(),
                        stop.maxStalls(), stop.maxInconclusive(), goal),
                likelihood, alarm, knee, watching);
    }

    /** Returns a copy that does not watch the peers. */
    public SearchSettings withoutWatching() {
        return new SearchSettings(ramp, steps, target, stop, likelihood, alarm, knee, Duration.ZERO);
    }

    /**
     * Returns a copy for a search beside noise that comes every few seconds. A slow ramp meets some noise at each load. The confirm
     * phase is shorter, as each episode harms users near the knee. Earlier runs were about another capacity. No precision is kept:
     * the interval is at least as wide as so few episodes allow.
     */
    SearchSettings besideNoise() {
        return new SearchSettings(
                new Ramp(ramp.baseline(), ramp.longestBaseline(), RATE_BESIDE_NOISE * ramp.rate(), ramp.caution(),
                        ramp.inflated()),
                steps, target,
                new Stop(stop.halfWidth(), shorter(stop.minConfirmTime()), shorter(stop.maxConfirmTime()),
                        stop.longest().multipliedBy(MAX_TIME_BESIDE_NOISE), stop.extension(), stop.maxStalls(),
                        stop.maxInconclusive(), SearchGoal.NONE),
                likelihood, alarm, knee, watching);
    }

    /** Returns true when a run has time for more than its search. */
    boolean leavesTimeToWatch(SearchInput window) {
        return window.secondsLeft() >= seconds(stop.maxConfirmTime()) + BEFORE_CONFIRM_SECONDS;
    }

    /** Returns true when a run has time for a search beside noise. */
    boolean leavesTimeBesideNoise(SearchInput window) {
        return window.secondsLeft() > seconds(stop.longest());
    }

    private static Duration shorter(Duration time) {
        return Duration.ofMillis(Math.round(TIME_BESIDE_NOISE * time.toMillis()));
    }

    double maxConfirmSeconds(BaselineProfile base) {
        return stop.goal().lengthening() * seconds(stop.maxConfirmTime()) * base.lowRateFactor();
    }

    /** Returns the seconds after which the search ends in any case. */
    double maxSeconds(BaselineProfile base) {
        return seconds(stop.longest()) * base.lowRateFactor()
                + (1 - 1 / stop.goal().lengthening()) * maxConfirmSeconds(base);
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
