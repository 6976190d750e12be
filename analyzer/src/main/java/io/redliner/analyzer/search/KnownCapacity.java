// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * The capacity that the runs of a service found so far, in requests/s. A run's answer is combined with it by inverse variances of the
 * logarithms, as in a meta-analysis with fixed effects. Errors of two runs on one server correlate, since the server's
 * peculiarities are in both.
 *
 * @param low end of the 95 % interval, above 0
 * @param high end of the 95 % interval, finite
 * @param runs number of runs that it was combined from, at least 1
 */
public record KnownCapacity(double capacity, double low, double high, int runs) {

    /** Correlation of the errors of two runs on one server, measured on the lab's tuning servers. */
    private static final double CORRELATION = 0.33;

    /** Standard deviation by which a capacity drifts from one run to the next, relative to it. */
    private static final double DRIFT = 0.03;

    /**
     * Standard deviations between two answers from which on the capacity has changed. With this and {@link #APART}, of the lab's
     * tuning servers 93 % show a move by 25 % and 7 % one that is none; with 2.5 and 1.5 it was 87 % and 4 %.
     */
    private static final double CHANGED = 2;

    /** Standard deviations between two answers from which on the narrower interval is not to be trusted. */
    private static final double APART = 1;

    private static final int MAX_RUNS = 1_000_000;

    /** Width of a 95 % interval in standard deviations. */
    private static final double WIDTH = 3.92;

    /** @throws IllegalArgumentException when the capacity is not between the ends of a finite interval above 0 */
    public KnownCapacity {
        if (!(low > 0) || !(low <= capacity) || !(capacity <= high) || !Double.isFinite(high) || runs < 1) {
            throw new IllegalArgumentException("no known capacity: " + capacity + " between " + low + " and " + high
                    + " of " + runs + " runs");
        }
    }

    /** Returns the relative half width of the interval. */
    public double halfWidth() {
        return (high - low) / (2 * capacity);
    }

    /**
     * Combines this with the answer of a later run. An answer that contradicts it replaces it; of two answers that lie apart, the
     * wider interval is taken.
     *
     * @param now with a finite interval above 0
     */
    public KnownCapacity with(CapacityEstimate now) {
        var alone = new KnownCapacity(now.capacity(), now.low(), now.high(), 1);
        double before = Math.hypot(deviation(), DRIFT);
        double deviation = Math.max(alone.deviation(), 1e-6);
        double apart = Math.abs(Math.log(now.capacity() / capacity)) / Math.hypot(before, deviation);
        if (apart > CHANGED) {
            return alone;
        }
        double weight = Math.pow(deviation, 2) / (Math.pow(before, 2) + Math.pow(deviation, 2));
        double combined = Math.sqrt(Math.pow(weight * before, 2) + Math.pow((1 - weight) * deviation, 2)
                + 2 * correlation() * weight * (1 - weight) * before * deviation);
        double center = capacity * Math.pow(now.capacity() / capacity, 1 - weight);
        // The later run's interval says on which side more is possible.
        double below = Math.log(now.high() / now.low()) > 0
                ? Math.log(now.capacity() / now.low()) / Math.log(now.high() / now.low())
                : 0.5;
        var both = new KnownCapacity(center, center * Math.exp(-WIDTH * combined * below),
                center * Math.exp(WIDTH * combined * (1 - below)), Math.min(runs, MAX_RUNS) + 1);
        return apart > APART && alone.halfWidth() > both.halfWidth() ? alone : both;
    }

    /** Returns the correlation of this one's error with that of the next run: a mean of many runs has hardly any error but theirs. */
    private double correlation() {
        return CORRELATION / Math.sqrt(CORRELATION + (1 - CORRELATION) / runs);
    }

    /** Returns the standard deviation of the capacity's logarithm. */
    private double deviation() {
        return Math.log(high / low) / WIDTH;
    }
}
