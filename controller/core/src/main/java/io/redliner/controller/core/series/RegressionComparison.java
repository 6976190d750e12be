// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The comparison of a new version with an old one, from several runs of each: has there been a regression? The logarithms are
 * compared, so a change is a ratio. Old and new alternate as ABBA, so that a steady drift of the environment affects both alike.
 *
 * <p>The variance between runs has two estimates: from the runs' own intervals, and from how runs of the same version differ.
 * There are few runs, so the second is a bad estimate, and the first may be too good. Both are weighed as in G. K. Smyth,
 * Linear Models and Empirical Bayes Methods, Statistical Applications in Genetics and Molecular Biology 3 (2004). The
 * intervals are worth {@value #PRIOR} degrees of freedom. When the runs differ by more than the intervals can explain
 * (chi-squared, 10 %), only the differences between runs count. The verdict "the same" needs two one-sided tests: the 90 %
 * interval of the change lies within the tolerance (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15
 * (1987), p. 657-680).
 *
 * @param change of the new against the old, a ratio: 0.02 is 2 % more
 * @param low of its 95 % interval
 * @param high of its 95 % interval
 * @param detectable the smallest change that would have been detected with 80 % probability, a ratio above 0
 */
record RegressionComparison(Verdict verdict, double change, double low, double high, double detectable) {

    enum Verdict {
        BETTER, WORSE, SAME, INCONCLUSIVE
    }

    /** Degrees of freedom of the runs' own intervals. */
    private static final int PRIOR = 4;

    /** Quantile at each end of a 95 % interval. */
    private static final double TWO_SIDED = 0.975;

    /** Quantile at each end of a 90 % interval, for the two one-sided tests. */
    private static final double ONE_SIDED = 0.95;

    /** Probability with which a change of the detectable size is found. */
    private static final double POWER = 0.8;

    /** Probability of chi-squared up to which the runs' own intervals explain how much the runs differ. */
    private static final double EXPLAINED = 0.9;

    /**
     * Compares two versions; empty unless there is at least one run of each.
     *
     * @param tolerance the smallest change that matters, a ratio above 0
     * @param moreIsBetter true for capacities, false for latencies
     */
    static Optional<RegressionComparison> of(List<Measurement> before, List<Measurement> after, double tolerance,
            boolean moreIsBetter) {
        if (before.isEmpty() || after.isEmpty()) {
            return Optional.empty();
        }
        double difference = mean(after) - mean(before);
        double expected = (sumOfErrors(before) + sumOfErrors(after)) / (before.size() + after.size());
        int freedom = before.size() + after.size() - 2;
        double observed = freedom == 0 ? 0 : (squares(before) + squares(after)) / freedom;
        // Both distributions get null for a random generator: none is needed, and it would cost more than all else here.
        boolean unexplained = freedom > 0 && observed > expected
                * new ChiSquaredDistribution(null, freedom).inverseCumulativeProbability(EXPLAINED) / freedom;
        double variance = unexplained ? observed : weighed(expected, observed, freedom);
        TDistribution distribution = new TDistribution(null, unexplained ? freedom : PRIOR + freedom);
        double error = Math.sqrt(variance * (1.0 / before.size() + 1.0 / after.size()));
        double half = distribution.inverseCumulativeProbability(TWO_SIDED) * error;
        double narrow = distribution.inverseCumulativeProbability(ONE_SIDED) * error;
        Verdict verdict = verdict(difference, half, narrow, Math.log1p(tolerance), moreIsBetter);
        return Optional.of(new RegressionComparison(verdict, Math.expm1(difference), Math.expm1(difference - half),
                Math.expm1(difference + half),
                Math.expm1(half + distribution.inverseCumulativeProbability(POWER) * error)));
    }

    /**
     * Returns the change for the worse or the better that runs will find with 80 % probability, a ratio above 0. A smaller one may be
     * called the same, when it is below the tolerance.
     *
     * @param runs of each version, at least 2
     * @param intervalError the standard error that the runs' own intervals will show, relative to the value
     * @param spread the standard deviation between runs of one version, relative to the value
     * @param tolerance the smallest change that matters, a ratio above 0
     */
    static double detectableBeforehand(int runs, double intervalError, double spread, double tolerance) {
        int freedom = 2 * runs - 2;
        double error = Math.sqrt(weighed(intervalError * intervalError, spread * spread, freedom) * 2 / runs);
        TDistribution distribution = new TDistribution(null, PRIOR + freedom);
        double half = distribution.inverseCumulativeProbability(TWO_SIDED) * error;
        double narrow = distribution.inverseCumulativeProbability(ONE_SIDED) * error;
        double needed = Math.max(half, Math.log1p(tolerance) - narrow);
        double scatter = spread * Math.sqrt(2.0 / runs);
        return Math.expm1(needed + new NormalDistribution(null, 0, 1).inverseCumulativeProbability(POWER) * scatter);
    }

    private static double weighed(double expected, double observed, int freedom) {
        return (PRIOR * expected + freedom * observed) / (PRIOR + freedom);
    }

    /**
     * Returns the verdict on a difference of logarithms.
     *
     * @param half half the width of its 95 % interval
     * @param narrow half the width of its 90 % interval
     * @param margin the smallest difference that matters
     */
    private static Verdict verdict(double difference, double half, double narrow, double margin, boolean moreIsBetter) {
        if (difference - narrow > -margin && difference + narrow < margin) {
            return Verdict.SAME;
        }
        if (difference - half > 0) {
            return moreIsBetter ? Verdict.BETTER : Verdict.WORSE;
        }
        if (difference + half < 0) {
            return moreIsBetter ? Verdict.WORSE : Verdict.BETTER;
        }
        return Verdict.INCONCLUSIVE;
    }

    private static double mean(List<Measurement> runs) {
        return runs.stream().mapToDouble(run -> Math.log(run.value())).average().orElse(0);
    }

    private static double sumOfErrors(List<Measurement> runs) {
        return runs.stream().mapToDouble(run -> run.relativeError() * run.relativeError()).sum();
    }

    private static double squares(List<Measurement> runs) {
        double mean = mean(runs);
        return runs.stream().mapToDouble(run -> Math.pow(Math.log(run.value()) - mean, 2)).sum();
    }
}
