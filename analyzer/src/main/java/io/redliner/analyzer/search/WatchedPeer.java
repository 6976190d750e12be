// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/** What one peer's latencies usually are, and what they were in the last seconds. For one thread. */
final class WatchedPeer {

    /** Of the usual state. */
    private static final int REMEMBERED_SECONDS = 120;

    private static final int FEWEST_SECONDS = 60;

    private static final int FEWEST_ANSWERS = 3;

    private static final double LEAST_VARIANCE = 1e-6;

    /** Standard deviations of a normal distribution from its 5 % to its 25 % quantile. */
    private static final double LOWER_SIDE = 0.97;

    /** Standard deviations from the 25 % quantile to the median. */
    private static final double TO_MEDIAN = 0.67;

    private static final double ARRIVALS_SECONDS = 5;

    private final double windowSeconds;

    private final int longest;

    /** Between two values linearly. */
    private final Percentile linear = new Percentile().withEstimationType(EstimationType.R_7);

    private final Deque<PeerWindow> recent = new ArrayDeque<>();

    private final Deque<PeerWindow> seconds = new ArrayDeque<>();

    private PeerWindow second = PeerWindow.NOTHING;

    private double passed;

    private int windows;

    private double arrivals;

    private Usual usual = Usual.UNKNOWN;

    /**
     * Its latencies without noise.
     *
     * @param lnLatency mean of the logarithm of the latency in microseconds; NaN while it is not known
     * @param variance of the logarithm within a second
     * @param wander variance of its mean from second to second, beyond what chance explains
     */
    record Usual(double lnLatency, double variance, double wander) {

        static final Usual UNKNOWN = new Usual(Double.NaN, 0, 0);

        boolean known() {
            return !Double.isNaN(lnLatency);
        }
    }

    /** @param longest windows that are remembered one by one */
    WatchedPeer(double windowSeconds, int longest) {
        this.windowSeconds = windowSeconds;
        this.longest = longest;
    }

    void add(PeerWindow window) {
        recent.addLast(window);
        if (recent.size() > longest) {
            recent.removeFirst();
        }
        windows++;
        double weight = windows * windowSeconds > ARRIVALS_SECONDS ? windowSeconds / ARRIVALS_SECONDS : 1.0 / windows;
        arrivals += weight * (window.started() - arrivals);
        second = second.plus(window);
        passed += windowSeconds;
        if (passed >= 1 - 1e-9) {
            seconds.addLast(second);
            if (seconds.size() > REMEMBERED_SECONDS / Math.max(1, Math.round(passed))) {
                seconds.removeFirst();
            }
            if (seconds.size() * passed >= FEWEST_SECONDS) {
                usual = usually();
            }
            second = PeerWindow.NOTHING;
            passed = 0;
        }
    }

    Usual usual() {
        return usual;
    }

    /** Requests in a window, on average over the last seconds. */
    double arrivals() {
        return arrivals;
    }

    PeerWindow last() {
        return recent.getLast();
    }

    PeerWindow last(int count) {
        return recent.stream().skip(Math.max(0, recent.size() - count)).reduce(PeerWindow.NOTHING, PeerWindow::plus);
    }

    /** Means of the logarithm above the usual one: the median of equal parts of the last windows; NaN when too little was seen. */
    double slower(int parts, int windowsEach) {
        if (recent.size() < parts * windowsEach || last(parts * windowsEach).answered() < 4L * parts) {
            return Double.NaN;
        }
        var all = recent.stream().skip(recent.size() - (long) parts * windowsEach).toList();
        var means = new double[parts];
        for (int part = 0; part < parts; part++) {
            means[part] = all.subList(part * windowsEach, (part + 1) * windowsEach).stream()
                    .reduce(PeerWindow.NOTHING, PeerWindow::plus).lnLatency();
        }
        Arrays.sort(means);
        // A part without an answer is NaN, and the last.
        return Double.isNaN(means[parts - 1]) ? Double.NaN : means[parts / 2] - usual.lnLatency();
    }

    /** Only the lower side counts, so that up to half of the time may have been noisy. */
    private Usual usually() {
        var seen = seconds.stream().filter(it -> it.answered() >= FEWEST_ANSWERS).toList();
        if (seen.size() < seconds.size() / 2) {
            return Usual.UNKNOWN;
        }
        double[] means = seen.stream().mapToDouble(PeerWindow::lnLatency).toArray();
        double lowerQuarter = quantile(means, 0.25);
        double variance = quantile(seen.stream().mapToDouble(it -> Math.max(LEAST_VARIANCE, it.lnVariance()))
                .toArray(), 0.25);
        double answered = quantile(seen.stream().mapToDouble(PeerWindow::answered).toArray(), 0.5);
        double chance = variance / answered;
        double deviation = Math.max((lowerQuarter - quantile(means, 0.05)) / LOWER_SIDE, Math.sqrt(chance));
        return new Usual(lowerQuarter + TO_MEDIAN * deviation, variance, Math.max(0, deviation * deviation - chance));
    }

    private double quantile(double[] values, double part) {
        return linear.evaluate(values, 100 * part);
    }
}
