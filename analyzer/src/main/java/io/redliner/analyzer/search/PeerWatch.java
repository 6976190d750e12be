// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.WindowStats;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Detects noise that slows all peers at the same time. Each peer's logarithm of the latency is compared with its own usual value.
 * At the natural load it shows the speed of the machine, and it changes long before a request is late. The SUT is not used, so its
 * good windows are not selected. For one thread.
 */
final class PeerWatch {

    /** Watched peers: the first ones of a larger fleet. */
    private static final int MAX_PEERS = 10;

    static final int MIN_PEERS = 2;

    /** Smallest slowdown that is noise. A smaller one changes the answer by less than the width of the interval. */
    private static final double MIN_SLOWDOWN = 0.10;

    /** Probability that one look takes quiet peers for noisy. */
    private static final double CHANCE = 1e-5;

    /** Slowdown that does not stop the search and is reported. */
    private static final double SOMEWHAT = 0.05;

    /** Probability that quiet peers are taken for somewhat slower. */
    private static final double SOMEWHAT_CHANCE = 0.01;

    /** Standard deviation of a peer's usual state above which it is no control. */
    private static final double UNFIT = 0.2;

    private static final int ALL_UP_TO = 4;

    private static final double NEARLY_ALL = 0.8;

    private static final double STANDS_STILL = 0.15;

    private static final double ARRIVING = 0.3;

    private static final double MIN_EXPECTED = 5;

    /** Variance of the median of some parts, relative to that of the mean. */
    private static final double OF_MEDIAN = 1.5;

    private static final double ILL = 3;

    private static final int REMEMBERED_RATES = 120;

    private static final int MIN_RATES = 10;

    /** Standard deviations by which each voter has to be slower, by the number of voters. */
    private static final double[] DEVIATIONS = deviations(CHANCE);

    private static final double[] SOMEWHAT_DEVIATIONS = deviations(SOMEWHAT_CHANCE);

    /** A time scale of a look: the median of some parts, each of some windows. */
    private record Scale(int parts, int windowsEach) {

        int windows() {
            return parts * windowsEach;
        }
    }

    private final double windowSeconds;

    private final List<Scale> scales;

    private final Map<String, WatchedPeer> peers = new TreeMap<>();

    private int looks;

    /** Late requests per request in each of the last seconds, oldest first. */
    private final Deque<Double> lateRates = new ArrayDeque<>();

    private PeerWindow second = PeerWindow.NOTHING;

    private int windows;

    /** Late requests per request in the quieter half of the time; NaN before it is known, as histories do not contain it. */
    private double usualLateRate;

    /**
     * @param windowSeconds length of all windows
     * @param known profiles from an earlier watch
     */
    PeerWatch(double windowSeconds, PeerProfiles known) {
        this.windowSeconds = windowSeconds;
        int quick = windows(0.4);
        this.scales = List.of(new Scale(1, quick), new Scale(quick * windowSeconds > 0.5 ? 3 : 5, quick),
                new Scale(5, windows(1)));
        this.looks = known.looks();
        this.usualLateRate = known.lateRate();
        known.byAddress().forEach((address, profile) -> peers.put(address, watched(profile)));
    }

    private WatchedPeer watched(PeerProfile profile) {
        return new WatchedPeer(windowSeconds, scales.getLast().windows(), profile);
    }

    /** Returns the state from which another watch can continue. */
    PeerProfiles profiles() {
        var profiles = new TreeMap<String, PeerProfile>();
        peers.forEach((address, peer) -> profiles.put(address, peer.profile()));
        return new PeerProfiles(profiles, looks, usualLateRate);
    }

    /** Returns how long this watch has seen windows, in seconds. */
    double seconds() {
        return windows * windowSeconds;
    }

    /** Returns true when the usual state is known of as many present peers as given, or of two. */
    boolean knows(int wanted) {
        return known().size() >= Math.min(wanted, MIN_PEERS);
    }

    /** Returns the seconds until {@link #knows} is likely to be true; 0 when it is, infinite while too few peers get requests. */
    double secondsUntilKnown(int wanted) {
        return knows(wanted)
                ? 0
                : peers.values().stream().filter(WatchedPeer::present).map(WatchedPeer::secondsUntilKnown).sorted()
                        .skip(Math.min(wanted, MIN_PEERS) - 1L).findFirst().orElse(Double.POSITIVE_INFINITY);
    }

    /** Returns true when all peers were slower than usual, or stood still, in one of the last seconds. */
    boolean wasNoisyWithin(double seconds) {
        var voting = voting(known());
        double deviations = DEVIATIONS[voting.size()];
        return voting.size() >= MIN_PEERS && IntStream.range(0, (int) Math.ceil(seconds)).anyMatch(
                ago -> count(voting, peer -> wasSlow(peer, peer.second(ago), deviations)) >= needed(voting.size()));
    }

    private static boolean wasSlow(WatchedPeer peer, PeerWindow second, double deviations) {
        var usual = peer.profile();
        double chance = usual.variance() / second.answered() + usual.wander();
        return second.lnLatency() - usual.lnLatency() > Math.max(MIN_SLOWDOWN, deviations * Math.sqrt(chance))
                || second.answered() < STANDS_STILL * second.started();
    }

    /** Adds a window, see {@link #see(Map, long, double)}. Without a latency limit no request is late. */
    int see(SearchInput window) {
        var tightest = window.sla().limits().stream().filter(limit -> limit.latencySeconds().isPresent())
                .min(Comparator.comparingDouble(limit -> limit.proportion().orElseThrow().allowedRatio()));
        return see(window.peers(),
                tightest.map(limit -> Math.round(limit.latencySeconds().orElseThrow() * 1e6)).orElse(Long.MAX_VALUE),
                tightest.map(limit -> limit.proportion().orElseThrow().allowedRatio()).orElse(1.0));
    }

    /**
     * Adds a window.
     *
     * @param seen measurements of the peers, by address
     * @param limitMicros a request that takes longer is late
     * @param allowed part of the requests that may be late
     * @return for how many windows, this one included, there may have been noise; 0 for none
     */
    int see(Map<String, WindowStats> seen, long limitMicros, double allowed) {
        meet(seen.keySet());
        for (var peer : peers.entrySet()) {
            var measured = seen.get(peer.getKey());
            var window = measured == null ? PeerWindow.NOTHING : PeerWindow.of(measured, limitMicros);
            peer.getValue().add(window);
            second = second.plus(window);
        }
        if (++windows % windows(1) == 0) {
            remember();
        }
        var known = known();
        return known.size() >= MIN_PEERS ? look(known, allowed) : 0;
    }

    private void meet(Set<String> addresses) {
        for (String address : addresses) {
            if (peers.size() < MAX_PEERS) {
                peers.computeIfAbsent(address, unused -> watched(PeerProfile.UNKNOWN));
            }
        }
    }

    /**
     * Takes latencies from before the run.
     *
     * @param histories of each peer, one of each collector
     */
    void recall(Map<String, List<LatencyHistory>> histories) {
        meet(histories.keySet());
        histories.forEach((address, known) -> {
            var peer = peers.get(address);
            if (peer != null) {
                peer.recall(known);
            }
        });
    }

    /** Merges an instance's histories from before the run, by the number of the second since the epoch. */
    SortedMap<Long, PeerWindow> before(Collection<LatencyHistory> histories) {
        return PeerWindow.before(histories, WatchedPeer.secondLength(windowSeconds));
    }

    /** Returns the mean logarithm of the latency in a second before the run, with equal weights of all peers; NaN when unknown. */
    double lnLatencyBefore(long secondSinceEpoch) {
        return average(peers.values().stream()
                .map(peer -> peer.before().getOrDefault(secondSinceEpoch, PeerWindow.NOTHING)));
    }

    /** Returns the mean logarithm of the latency in the last second, with equal weights of all peers; NaN when none answered. */
    double lnLatency() {
        return average(peers.values().stream().map(peer -> peer.last(windows(1))));
    }

    private static double average(Stream<PeerWindow> windows) {
        return windows.mapToDouble(PeerWindow::lnLatency).filter(Double::isFinite).average().orElse(Double.NaN);
    }

    /** Returns the part of the looks, 0 to 1, in which each of the worse half of the peers was slow while others were not. */
    double ill() {
        int[] counts = peers.values().stream().mapToInt(peer -> peer.profile().slowAlone()).sorted().toArray();
        return looks == 0 ? 0 : (double) counts[counts.length / 2] / looks;
    }

    /**
     * Returns true when all peers were slower by a few per cent over the last seconds. A single such time may be chance; frequent
     * ones have affected the answer. A single peer may be slow by itself, so it never stops the search: any slowness of it counts.
     */
    boolean isSomewhatSlower() {
        var voting = voting(known());
        if (voting.size() < MIN_PEERS && voting.stream().anyMatch(this::isSlow)) {
            return true;
        }
        var scale = scales.getLast();
        double deviations = SOMEWHAT_DEVIATIONS[voting.size()];
        return !voting.isEmpty() && count(voting, peer -> {
            double chance = OF_MEDIAN * peer.profile().variance() / peer.last(scale.windows()).answered();
            return peer.slower(scale.parts(), scale.windowsEach()) > Math.max(SOMEWHAT,
                    deviations * Math.sqrt(chance));
        }) >= needed(voting.size());
    }

    private boolean isSlow(WatchedPeer alone) {
        return scales.stream().anyMatch(scale -> slow(alone, scale, DEVIATIONS[1]));
    }

    private int look(List<WatchedPeer> known, double allowed) {
        var voting = voting(known);
        int needed = needed(voting.size());
        double deviations = DEVIATIONS[voting.size()];
        if (all(voting) && count(voting, PeerWatch::standsStill) >= needed) {
            return 2;
        }
        countIll(known);
        for (var scale : scales) {
            if (count(voting, peer -> slow(peer, scale, deviations)) >= needed) {
                return scale.windows() + 1;
            }
        }
        int second = windows(1);
        return count(voting, peer -> late(peer.last(second), usualLateRate, deviations, allowed)) >= needed
                ? second + 1
                : 0;
    }

    private static int count(List<WatchedPeer> peers, Predicate<WatchedPeer> which) {
        int count = 0;
        for (var peer : peers) {
            count += which.test(peer) ? 1 : 0;
        }
        return count;
    }

    private static boolean all(List<WatchedPeer> voting) {
        return count(voting, peer -> peer.arrivals() >= MIN_EXPECTED) == voting.size();
    }

    /** Returns true when requests arrive at the peer and hardly any is answered. */
    private static boolean standsStill(WatchedPeer peer) {
        return peer.last().answered() < STANDS_STILL * peer.arrivals()
                && peer.last().started() > ARRIVING * peer.arrivals();
    }

    private static boolean slow(WatchedPeer peer, Scale scale, double deviations) {
        double slower = peer.slower(scale.parts(), scale.windowsEach());
        if (!(slower > MIN_SLOWDOWN)) {
            return false;
        }
        var usual = peer.profile();
        double chance = (scale.parts() == 1 ? 1 : OF_MEDIAN) * usual.variance()
                / peer.last(scale.windows()).answered();
        return slower > deviations * Math.sqrt(chance + usual.wander());
    }

    private static boolean late(PeerWindow second, double usualRate, double deviations, double allowed) {
        double usually = second.answered() * usualRate;
        return second.late() > Math.max(usually + deviations * Math.sqrt(usually + 1), allowed * second.answered());
    }

    private void countIll(List<WatchedPeer> known) {
        var slow = known.stream().filter(peer -> slow(peer, scales.getFirst(), ILL)).toList();
        looks++;
        if (slow.size() < known.size()) {
            slow.forEach(WatchedPeer::slowAlone);
        }
    }

    private void remember() {
        lateRates.addLast((double) second.late() / Math.max(1, second.answered()));
        second = PeerWindow.NOTHING;
        if (lateRates.size() > REMEMBERED_RATES) {
            lateRates.removeFirst();
        }
        if (lateRates.size() >= MIN_RATES) {
            double[] sorted = lateRates.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            usualLateRate = Arrays.stream(sorted, 0, sorted.length / 2).average().orElseThrow();
        }
    }

    private List<WatchedPeer> known() {
        return peers.values().stream().filter(peer -> peer.known() && peer.present()).toList();
    }

    /** Returns the known peers with a steady speed, or all known peers when those are too few. */
    private static List<WatchedPeer> voting(List<WatchedPeer> known) {
        var fit = known.stream().filter(peer -> peer.profile().wander() <= UNFIT * UNFIT).toList();
        return fit.size() >= MIN_PEERS ? fit : known;
    }

    private static int needed(int voters) {
        return voters <= ALL_UP_TO ? voters : (int) Math.ceil(NEARLY_ALL * voters - 1e-9);
    }

    private static double[] deviations(double chance) {
        return IntStream.rangeClosed(0, MAX_PEERS)
                .mapToDouble(voters -> voters == 0
                        ? Double.POSITIVE_INFINITY
                        : deviations(voters, needed(voters), chance))
                .toArray();
    }

    /** Returns the deviation that at least {@code needed} of the voters exceed by chance with this probability. */
    private static double deviations(int voters, int needed, double wanted) {
        double low = 0;
        double high = 0.5;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            double chance = 1 - new BinomialDistribution(null, voters, middle).cumulativeProbability(needed - 1);
            if (chance < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new NormalDistribution(null, 0, 1).inverseCumulativeProbability(1 - low);
    }

    /** Returns the number of windows nearest to this many seconds, at least 1. */
    int windows(double seconds) {
        return (int) Math.max(1, Math.round(seconds / windowSeconds));
    }
}
