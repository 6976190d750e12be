// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Arrays;
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

    /** The last windows, the newest at {@link #newest}. */
    private final PeerWindow[] recent;

    private int newest = -1;

    private int windows;

    private double arrivals;

    private final int windowsPerSecond;

    /** Of the last seconds, of which {@link #seconds} are known: mean and variance of the logarithm, and how many answers. */
    private final float[] means;

    private final float[] variances;

    private final float[] answers;

    private int seconds;

    private PeerWindow second = PeerWindow.NOTHING;

    private PeerProfile profile;

    private int slowAlone;

    /**
     * @param longest windows that are remembered one by one
     * @param profile what is known of it so far
     */
    WatchedPeer(double windowSeconds, int longest, PeerProfile profile) {
        this.windowSeconds = windowSeconds;
        this.recent = new PeerWindow[longest];
        Arrays.fill(recent, PeerWindow.NOTHING);
        this.windowsPerSecond = (int) Math.max(1, Math.ceil(1 / windowSeconds - 1e-9));
        int remembered = (int) (REMEMBERED_SECONDS / Math.max(1, windowsPerSecond * windowSeconds));
        this.means = new float[remembered];
        this.variances = new float[remembered];
        this.answers = new float[remembered];
        this.profile = profile;
        this.slowAlone = profile.slowAlone();
    }

    void add(PeerWindow window) {
        newest = (newest + 1) % recent.length;
        recent[newest] = window;
        windows++;
        double weight = windows * windowSeconds > ARRIVALS_SECONDS ? windowSeconds / ARRIVALS_SECONDS : 1.0 / windows;
        arrivals += weight * (window.started() - arrivals);
        second = second.plus(window);
        if (windows % windowsPerSecond == 0) {
            int at = seconds % means.length;
            means[at] = (float) second.lnLatency();
            variances[at] = (float) second.lnVariance();
            answers[at] = second.answered();
            seconds++;
            second = PeerWindow.NOTHING;
            if (seconds >= FEWEST_SECONDS / Math.max(1, windowsPerSecond * windowSeconds)) {
                profile = usually();
            }
        }
    }

    void slowAlone() {
        slowAlone++;
    }

    PeerProfile profile() {
        return new PeerProfile(profile.lnLatency(), profile.variance(), profile.wander(), slowAlone);
    }

    boolean known() {
        return profile.known();
    }

    /** Whether it got a request in the last seconds. */
    boolean present() {
        return last(recent.length).started() > 0;
    }

    /** Requests in a window, on average over the last seconds. */
    double arrivals() {
        return arrivals;
    }

    PeerWindow last() {
        return recent[newest];
    }

    PeerWindow last(int count) {
        return sum(0, count);
    }

    private PeerWindow sum(int newerToSkip, int count) {
        var sum = PeerWindow.NOTHING;
        for (int i = newerToSkip; i < newerToSkip + count; i++) {
            sum = sum.plus(recent[Math.floorMod(newest - i, recent.length)]);
        }
        return sum;
    }

    /** Means of the logarithm above the usual one: the median of equal parts of the last windows; NaN when too little was seen. */
    double slower(int parts, int windowsEach) {
        if (windows < parts * windowsEach || last(parts * windowsEach).answered() < 4L * parts) {
            return Double.NaN;
        }
        var partMeans = new double[parts];
        for (int part = 0; part < parts; part++) {
            partMeans[part] = sum(part * windowsEach, windowsEach).lnLatency();
        }
        Arrays.sort(partMeans);
        // A part without an answer is NaN, and the last.
        return Double.isNaN(partMeans[parts - 1]) ? Double.NaN : partMeans[parts / 2] - profile.lnLatency();
    }

    /** Only the lower side counts, so that up to half of the time may have been noisy. */
    private PeerProfile usually() {
        int remembered = Math.min(seconds, means.length);
        var seenMeans = new double[remembered];
        var seenVariances = new double[remembered];
        var seenAnswers = new double[remembered];
        int seen = 0;
        for (int i = 0; i < remembered; i++) {
            if (answers[i] >= FEWEST_ANSWERS) {
                seenMeans[seen] = means[i];
                seenVariances[seen] = Math.max(LEAST_VARIANCE, variances[i]);
                seenAnswers[seen++] = answers[i];
            }
        }
        if (seen < remembered / 2 || seen == 0) {
            return PeerProfile.UNKNOWN;
        }
        var ofMeans = quantiles(seenMeans, seen);
        double lowerQuarter = ofMeans.evaluate(25);
        double variance = quantiles(seenVariances, seen).evaluate(25);
        double chance = variance / quantiles(seenAnswers, seen).evaluate(50);
        double deviation = Math.max((lowerQuarter - ofMeans.evaluate(5)) / LOWER_SIDE, Math.sqrt(chance));
        return new PeerProfile(lowerQuarter + TO_MEDIAN * deviation, variance,
                Math.max(0, deviation * deviation - chance), 0);
    }

    /** Between two values linearly. */
    private static Percentile quantiles(double[] values, int count) {
        var quantiles = new Percentile().withEstimationType(EstimationType.R_7);
        quantiles.setData(values, 0, count);
        return quantiles;
    }
}
