// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.time.Duration;

/**
 * The time at one load.
 *
 * @param goal where the load is to be judged, in requests/s
 * @param target asked for now: the goal, or a load on the way to it that is no further than one raise may be
 * @param strayingSeconds for which the load has not been the one asked for
 * @param elapsedSeconds since the target was asked for
 * @param pool of the windows that count
 * @param watch over all windows
 */
record Trial(double goal, double target, double strayingSeconds, double elapsedSeconds, Pool pool, Watch watch) {

    private static final double ARRIVED = 0.10;

    private static final double LONGEST_DWELL = 2;

    /** So that rounding and drift do not make a raise a little larger than is allowed. */
    private static final double WITHIN_RAISE = 0.97;

    static Trial natural() {
        return new Trial(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0, 0, Pool.EMPTY, Watch.START);
    }

    /** From a load to another, in as many raises as are needed. */
    static Trial of(double goal, double from, double largestRaise) {
        return new Trial(goal, hop(goal, from, largestRaise), 0, 0, Pool.EMPTY, Watch.START);
    }

    /** The same test goes on at the next load: what was counted against the SUT is not forgotten. */
    Trial movedTo(double next, double largestRaise) {
        return new Trial(next, hop(next, target, largestRaise), 0, 0, Pool.EMPTY, watch);
    }

    /** Further on the way to the goal. */
    Trial hopped(double largestRaise) {
        return movedTo(goal, largestRaise);
    }

    /** The same load once more from the start. */
    Trial again() {
        return new Trial(goal, target, 0, 0, Pool.EMPTY, watch);
    }

    /** At the natural share nothing is asked for: what comes is the target. */
    Trial at(double requestsPerSecond) {
        return new Trial(requestsPerSecond, requestsPerSecond, strayingSeconds, elapsedSeconds, pool, watch);
    }

    Trial next(JudgedWindow window, SearchSettings settings, boolean riding) {
        double reachable = Math.min(target, window.reachableRequestsPerSecond());
        boolean counts = elapsedSeconds >= seconds(settings.settling()) - 1e-6 && arrived(window, reachable);
        return new Trial(Math.min(goal, window.reachableRequestsPerSecond()), reachable,
                counts ? 0 : strayingSeconds + window.seconds(), elapsedSeconds + window.seconds(),
                counts ? pool.with(window) : pool, watch.next(window, settings.alarm(), riding));
    }

    /** Whether the load on the way to the goal has come, so that it can go on. */
    boolean halfway() {
        return target < goal && !pool.windows().isEmpty();
    }

    /** Whether the load stays away although there was time enough. */
    boolean astray(SearchSettings settings) {
        return strayingSeconds > seconds(settings.slowestSettling());
    }

    boolean complete(Duration dwell, int fewestRequests) {
        double wanted = seconds(dwell) - 1e-6;
        return target >= goal && pool.seconds() >= wanted
                && (pool.requests() >= fewestRequests || pool.seconds() >= LONGEST_DWELL * wanted);
    }

    /** Whether more could not be had. */
    boolean capped(JudgedWindow window) {
        return target >= 0.99 * window.reachableRequestsPerSecond();
    }

    /** What raised the alarm, at the load that was measured, or asked for when there was no time to measure it. */
    Estimate.Breach alarm() {
        return watch.raised().orElseThrow().at(pool.windows().isEmpty() ? target : pool.requestsPerSecond());
    }

    private static double hop(double goal, double from, double largestRaise) {
        return Math.min(goal, Math.max(from, 1) * Math.max(1.01, largestRaise * WITHIN_RAISE));
    }

    private static boolean arrived(JudgedWindow window, double target) {
        double noise = 3 / Math.sqrt(Math.max(1, target * window.seconds()));
        return Math.abs(window.requestsPerSecond() - target) <= (ARRIVED + noise) * target;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
