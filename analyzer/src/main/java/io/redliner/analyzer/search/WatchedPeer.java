// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistory;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/** One peer's usual latencies, and those of the last seconds. For one thread. */
final class WatchedPeer {

    /** Seconds from which the usual state is computed. */
    private static final int REMEMBERED_SECONDS = 120;

    private static final int MIN_SECONDS = 50;

    private static final int MIN_ANSWERS = 3;

    private static final double MIN_VARIANCE = 1e-6;

    /** Standard deviations of a normal distribution from its 5 % to its 25 % quantile. */
    private static final double LOWER_SIDE = 0.97;

    /** Standard deviations from the 25 % quantile to the median. */
    private static final double TO_MEDIAN = 0.67;

    private static final double ARRIVALS_SECONDS = 5;

    /** Quantile of the load of the remembered seconds, in percent, that is the load of the busy ones. */
    private static final double BUSY = 75;

    /** Part of that load from which on a second is a busy one. */
    private static final double NEARLY_BUSY = 0.8;

    private static final int MIN_BUSY_SECONDS = 25;

    /** Part of that load from which on a peer is compared with its busy seconds. */
    private static final double LIKE_BUSY = 0.6;

    private final double windowSeconds;

    /** Ring buffer of the last windows, with the newest at {@link #newest}. */
    private final PeerWindow[] recent;

    private int newest = -1;

    private int windows;

    private double arrivals;

    private final int windowsPerSecond;

    private final double secondLength;

    /** The last seconds, oldest first. */
    private final Deque<PeerWindow> seconds = new ArrayDeque<>();

    private final int remembered;

    private PeerWindow second = PeerWindow.NOTHING;

    private final Set<LatencyHistory> histories = new LinkedHashSet<>();

    /** The seconds before the run, by their number since the epoch. */
    private SortedMap<Long, PeerWindow> before = Collections.emptySortedMap();

    private PeerProfile profile;

    /** The usual state in busy seconds: a test takes load from a peer. */
    private PeerProfile busyProfile = PeerProfile.UNKNOWN;

    /** Requests in a busy second. */
    private double busyLoad;

    private int slowAlone;

    private boolean neighbour;

    /**
     * @param longest number of windows that are kept one by one
     * @param profile of the peer so far
     */
    WatchedPeer(double windowSeconds, int longest, PeerProfile profile) {
        this.windowSeconds = windowSeconds;
        this.recent = new PeerWindow[longest];
        Arrays.fill(recent, PeerWindow.NOTHING);
        this.windowsPerSecond = windowsPerSecond(windowSeconds);
        this.secondLength = secondLength(windowSeconds);
        this.remembered = (int) (REMEMBERED_SECONDS / secondLength);
        this.profile = profile;
        this.slowAlone = profile.slowAlone();
        this.neighbour = profile.neighbour();
    }

    private static int windowsPerSecond(double windowSeconds) {
        return (int) Math.max(1, Math.ceil(1 / windowSeconds - 1e-9));
    }

    /** Returns the length in seconds of the whole windows that cover a second: 1 or a little more. */
    static double secondLength(double windowSeconds) {
        return Math.max(1, windowsPerSecond(windowSeconds) * windowSeconds);
    }

    /** Takes latencies from before the run. */
    void recall(Collection<LatencyHistory> known) {
        if (histories.addAll(known)) {
            before = PeerWindow.before(histories, secondLength);
            learn();
        }
    }

    /** Returns the known seconds before the run, by their number since the epoch. */
    SortedMap<Long, PeerWindow> before() {
        return before;
    }

    /** Returns the last whole seconds of the run, oldest first. */
    List<PeerWindow> seconds() {
        return List.copyOf(seconds);
    }

    void add(PeerWindow window) {
        newest = (newest + 1) % recent.length;
        recent[newest] = window;
        windows++;
        double weight = windows * windowSeconds > ARRIVALS_SECONDS ? windowSeconds / ARRIVALS_SECONDS : 1.0 / windows;
        arrivals += weight * (window.started() - arrivals);
        second = second.plus(window);
        if (windows % windowsPerSecond == 0) {
            seconds.addLast(second);
            if (seconds.size() > remembered) {
                seconds.removeFirst();
            }
            second = PeerWindow.NOTHING;
            learn();
        }
    }

    private void learn() {
        if ((before.size() + seconds.size()) * secondLength >= MIN_SECONDS) {
            var known = Stream.concat(before.values().stream(), seconds.stream())
                    .skip(Math.max(0, before.size() + seconds.size() - remembered)).toList();
            profile = usually(known);
            learnBusy(known);
        }
    }

    private void learnBusy(List<PeerWindow> known) {
        double load = quantiles(known.stream().mapToDouble(PeerWindow::started).toArray(), known.size()).evaluate(BUSY);
        var busy = known.stream().filter(each -> each.started() >= NEARLY_BUSY * load).toList();
        if (load >= NEARLY_BUSY * busyLoad && busy.size() * secondLength >= MIN_BUSY_SECONDS) {
            busyProfile = usually(busy);
            busyLoad = Math.max(busyLoad, load);
        }
    }

    /**
     * Returns by how much the logarithm of the latency is larger in busy seconds than usually, when the last windows were nearly as
     * busy; else 0. A peer that gets its load back is so much slower again, without any noise.
     */
    double slowerWhenBusy(int lastWindows) {
        double load = secondLength * last(lastWindows).started() / (lastWindows * windowSeconds);
        return busyProfile.known() && known() && load >= LIKE_BUSY * busyLoad
                ? Math.max(0, busyProfile.lnLatency() - profile.lnLatency())
                : 0;
    }

    /** Returns the seconds until the usual state can be computed, at least one window. */
    double secondsUntilKnown() {
        return Math.max(windowSeconds, MIN_SECONDS - (before.size() + seconds.size()) * secondLength);
    }

    void slowAlone() {
        slowAlone++;
    }

    PeerProfile profile() {
        return new PeerProfile(profile.lnLatency(), profile.variance(), profile.wander(), slowAlone, neighbour);
    }

    /** Marks the peer as one on the SUT's host. */
    void neighbour() {
        neighbour = true;
    }

    boolean isNeighbour() {
        return neighbour;
    }

    boolean known() {
        return profile.known();
    }

    /** Returns true when the peer received a request in the last seconds. */
    boolean present() {
        return last(recent.length).started() > 0;
    }

    /** Returns the mean number of requests per window over the last seconds. */
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

    /** Returns the median over parts of the last windows of the mean logarithm above the usual one; NaN with too few answers. */
    double slower(int parts, int windowsEach) {
        if (windows < parts * windowsEach || last(parts * windowsEach).answered() < 4L * parts) {
            return Double.NaN;
        }
        var partMeans = new double[parts];
        for (int part = 0; part < parts; part++) {
            partMeans[part] = sum(part * windowsEach, windowsEach).lnLatency();
        }
        Arrays.sort(partMeans);
        // A part without an answer is NaN, which is sorted last.
        return Double.isNaN(partMeans[parts - 1]) ? Double.NaN : partMeans[parts / 2] - profile.lnLatency();
    }

    /** Computes the usual state. Only the lower side counts, so that up to half of the time may have been noisy. */
    private static PeerProfile usually(List<PeerWindow> seconds) {
        var seenMeans = new double[seconds.size()];
        var seenVariances = new double[seconds.size()];
        var seenAnswers = new double[seconds.size()];
        int seen = 0;
        for (var each : seconds) {
            if (each.answered() >= MIN_ANSWERS) {
                seenMeans[seen] = each.lnLatency();
                seenVariances[seen] = Math.max(MIN_VARIANCE, each.lnVariance());
                seenAnswers[seen++] = each.answered();
            }
        }
        if (seen < seconds.size() / 2 || seen == 0) {
            return PeerProfile.UNKNOWN;
        }
        var ofMeans = quantiles(seenMeans, seen);
        double lowerQuarter = ofMeans.evaluate(25);
        double variance = quantiles(seenVariances, seen).evaluate(25);
        double chance = variance / quantiles(seenAnswers, seen).evaluate(50);
        double deviation = Math.max((lowerQuarter - ofMeans.evaluate(5)) / LOWER_SIDE, Math.sqrt(chance));
        return new PeerProfile(lowerQuarter + TO_MEDIAN * deviation, variance,
                Math.max(0, deviation * deviation - chance), 0, false);
    }

    /** Returns a percentile estimator that interpolates linearly between two values. */
    private static Percentile quantiles(double[] values, int count) {
        var quantiles = new Percentile().withEstimationType(EstimationType.R_7);
        quantiles.setData(values, 0, count);
        return quantiles;
    }
}
