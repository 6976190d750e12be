// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import io.redliner.contract.limit.Precision;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.ProfileSettings.Regression;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of what a comparison of capacities will be able to find. Its runs are expected to be as those of the accuracy
 * lab's servers: see docs/measurements/accuracy.md.
 */
public final class RegressionForecast {

    private static final int RUNS_OF_EACH_IN_A_ROUND = 2;

    /** The median half width of the 95 % intervals, relative to the capacity, as a standard error. */
    static final double INTERVAL_ERROR = 0.101 / Measurement.Z;

    /** The median error, relative to the capacity, as the standard deviation of a normal distribution. */
    static final double SPREAD = 0.0192 / 0.6745;

    /** The median of the lab is 214 s. */
    private static final Duration RUN = Duration.ofSeconds(214);

    private RegressionForecast() {}

    /** Returns the change that so many rounds find with 80 % probability, a ratio above 0. */
    static double detectable(int rounds, double intervalError, double worseBy) {
        return RegressionComparison.detectableBeforehand(RUNS_OF_EACH_IN_A_ROUND * rounds, intervalError, SPREAD,
                worseBy);
    }

    /** Returns the fewest rounds that find a change of the tolerance's size; empty when it takes more than are allowed. */
    static OptionalInt rounds(double intervalError, double worseBy) {
        return IntStream.rangeClosed(1, Regression.MAX_ROUNDS)
                .filter(rounds -> detectable(rounds, intervalError, worseBy) <= worseBy).findFirst();
    }

    /** Returns a sentence for the author of a plan that compares capacities. */
    public static String of(Regression regression, PlanLimits limits) {
        Precision precision = limits.precision();
        double intervalError = precision == null ? INTERVAL_ERROR : precision.halfWidth() / Measurement.Z;
        double worseBy = regression.worseBy().asDouble();
        int rounds = regression.rounds();
        OptionalInt needed = rounds(intervalError, worseBy);
        return count(rounds, precision) + " will find a change of "
                + NumberText.percent(detectable(rounds, intervalError, worseBy))
                + " with 80 % probability, when the runs are as even as those of the accuracy lab's median server"
                + (needed.isEmpty()
                        ? "; a change of " + NumberText.percent(worseBy) + " takes more than " + Regression.MAX_ROUNDS
                                + " rounds: compare latencies at a load"
                        : needed.getAsInt() > rounds
                                ? "; a change of " + NumberText.percent(worseBy) + " takes "
                                        + count(needed.getAsInt(), precision)
                                : "");
    }

    private static String count(int rounds, @Nullable Precision precision) {
        int runs = 2 * RUNS_OF_EACH_IN_A_ROUND * rounds;
        return (rounds == 1 ? "1 round" : rounds + " rounds") + " (" + runs + " runs"
                + (precision == null
                        ? ", about " + Math.round(RUN.multipliedBy(runs).toSeconds() / 60.0) + " minutes"
                        : "")
                + ")";
    }
}
