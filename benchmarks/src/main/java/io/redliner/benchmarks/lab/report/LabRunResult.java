// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.report;

import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.traffic.HarmCalculator;

/**
 * One run of one method.
 *
 * @param truth the capacity when the search ended, in requests/s
 * @param bestError the least that can be had in the same time, relative; NaN when nobody asked
 */
public record LabRunResult(String method, String kind, long seed, MethodResult answer, double truth,
        HarmCalculator.Sum harm,
        double bestError) {

    /** A run is off when it errs by more. */
    private static final double OFF = 0.1;

    /** 2 / 0.05. */
    private static final double PENALTY = 40;

    /** Relative, signed; an answer that there is none is wrong by everything. */
    public double error() {
        return answer.estimate() / truth - 1;
    }

    /** Whether the truth is in the interval. */
    public boolean covered() {
        return answer.low() <= truth && truth <= answer.high();
    }

    /** Whether the answer is of no use. */
    public boolean off() {
        return Math.abs(error()) > OFF;
    }

    /** Proper score of the 95 % interval, relative to the truth; NaN when there is none. */
    public double intervalScore() {
        return 2 * halfWidth()
                + PENALTY * (Math.max(0, answer.low() - truth) + Math.max(0, truth - answer.high())) / truth;
    }

    /** Half of the interval, relative to the truth; NaN or infinite when there is no such. */
    public double halfWidth() {
        return (answer.high() - answer.low()) / 2 / truth;
    }
}
