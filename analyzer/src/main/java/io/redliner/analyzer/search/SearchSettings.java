// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.time.Duration;

/**
 * Every parameter of the stepping search. Times are counted in whole windows. The defaults were tuned on the simulation
 * in this module's tests.
 *
 * @param settling time after a change of load whose windows are watched by the alarm and otherwise ignored
 * @param slowestSettling time after which a load that has not arrived never will
 * @param baseline time over which the SLA must hold at the natural load; prolonged to up to three times its length
 *            while it does not
 * @param dwell time that a load is held before it is judged
 * @param confirmation time that the answer must hold
 * @param fewestRequests in a judgement; a dwell is prolonged to up to twice its length to get them
 * @param fewestConfirming the same for a confirmation
 * @param step relative rise of the load while nothing is felt
 * @param carefulStep relative rise once something is
 * @param feltExceedance part of a proportion rule's allowance from which on the rise is careful
 * @param feltUtilisation of a level rule from which on the rise is careful
 * @param slackExceedance part of a proportion rule's allowance below which a confirmed load is not the answer yet
 * @param shedFactor of the load that remains after an alarm
 * @param longestDrain time after which a SUT that does not recover is given up
 * @param bracket ratio of first bad and last good load at which bisecting ends
 * @param confirmationStep relative step down after the first failed confirmation; twice that after the second, and so
 *            on, but no more than a step
 * @param mostConfirmations before giving up
 * @param mostInconclusive windows in a row before giving up
 * @param alarm thresholds
 */
public record SearchSettings(Duration settling, Duration slowestSettling, Duration baseline, Duration dwell,
        Duration confirmation, int fewestRequests, int fewestConfirming, double step, double carefulStep,
        double feltExceedance,
        double feltUtilisation, double slackExceedance, double shedFactor, Duration longestDrain, double bracket,
        double confirmationStep,
        int mostConfirmations, int mostInconclusive, Alarm alarm) {

    /**
     * When to shed before a dwell has ended.
     *
     * @param ratio r of the sequential test: how many times its allowance a rule is exceeded by what should be noticed
     * @param rampingThreshold of the sum of log likelihood ratios while the load rises into the unknown
     * @param ridingThreshold the same, between a load that held and one that did not
     * @param ridingAllowance time whose own allowance of exceeding requests must not be an alarm while riding
     * @param levelWindows windows in a row in which a level rule is broken
     * @param rampingQueue time that a request would spend at the SUT by Little's law, relative to the latency limit
     * @param ridingQueue the same, while riding
     */
    public record Alarm(double ratio, double rampingThreshold, double ridingThreshold, Duration ridingAllowance,
            int levelWindows, double rampingQueue, double ridingQueue) {

        public Alarm {
            if (ratio <= 1 || rampingThreshold <= 0 || ridingThreshold <= 0 || levelWindows < 1 || rampingQueue <= 0
                    || ridingQueue <= 0) {
                throw new IllegalArgumentException("an alarm needs a ratio above 1 and positive thresholds");
            }
        }
    }

    public SearchSettings {
        if (step <= 0 || carefulStep <= 0 || confirmationStep <= 0 || confirmationStep >= 1) {
            throw new IllegalArgumentException("steps are positive: " + step + ", " + carefulStep + ", "
                    + confirmationStep);
        }
        if (shedFactor <= 0 || shedFactor >= 1 || bracket <= 1) {
            throw new IllegalArgumentException("to shed, 0 < " + shedFactor + " < 1; to bisect, 1 < " + bracket);
        }
    }

    /** What is used when nothing else is said. */
    public static SearchSettings defaults() {
        return new SearchSettings(Duration.ofSeconds(2), Duration.ofSeconds(20), Duration.ofSeconds(5),
                Duration.ofSeconds(6), Duration.ofSeconds(15), 300, 3000, 0.10, 0.04, 0.3, 0.85, 0.5, 0.5,
                Duration.ofSeconds(30),
                1.05, 0.03, 8, 3, new Alarm(5, 12, 64, Duration.ofSeconds(8), 2, 2, 3));
    }
}
