// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.WindowStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Whether something slows all peers down right now: each is compared with its own usual state, in the logarithm of its
 * latency. At the natural load that is the speed of the machine, and it moves long before a request is late. The SUT is
 * not looked at, so its good windows are not selected. For one thread.
 */
final class PeerWatch {

    /** Of a fleet larger than that the first are watched. */
    private static final int MOST_PEERS = 10;

    static final int FEWEST_PEERS = 2;

    /** What is slower by less costs less than the interval is wide. */
    private static final double LEAST = 0.10;

    /** Of one look calling quiet peers noisy. */
    private static final double CHANCE = 1e-5;

    /** Standard deviation of the usual state of a peer that is no control. */
    private static final double UNFIT = 0.2;

    private static final int ALL_UP_TO = 4;

    private static final double NEARLY_ALL = 0.8;

    private static final double STANDS_STILL = 0.15;

    private static final double ARRIVING = 0.3;

    private static final double FEWEST_EXPECTED = 5;

    /** Variance of a median of some parts, of that of the mean. */
    private static final double OF_MEDIAN = 1.5;

    private static final double ILL = 3;

    private static final int REMEMBERED_RATES = 120;

    /** By the number of voters: how many standard deviations each has to be slower. */
    private static final double[] DEVIATIONS = IntStream.rangeClosed(0, MOST_PEERS)
            .mapToDouble(voters -> voters == 0 ? Double.POSITIVE_INFINITY : deviations(voters, needed(voters)))
            .toArray();

    /** A look: the median of parts, each of some windows. */
    private record Scale(int parts, int windowsEach) {

        int windows() {
            return parts * windowsEach;
        }
    }

    private final double windowSeconds;

    private final List<Scale> scales;

    private final Map<String, WatchedPeer> peers = new TreeMap<>();

    /** By address: looks in which it was slow and not all were. */
    private final Map<String, Integer> alone = new TreeMap<>();

    private int looks;

    private final Deque<Double> lateRates = new ArrayDeque<>();

    /** @param windowSeconds length of all windows */
    PeerWatch(double windowSeconds) {
        this.windowSeconds = windowSeconds;
        int quick = windows(0.4);
        this.scales = List.of(new Scale(1, quick), new Scale(quick * windowSeconds > 0.5 ? 3 : 5, quick),
                new Scale(5, windows(1)));
    }

    /** Whether enough is known of at least two peers. */
    boolean ready() {
        return known().size() >= FEWEST_PEERS;
    }

    /**
     * One more window.
     *
     * @param seen of the peers, by address
     * @param limitMicros a request that takes longer is late
     * @param allowed part of the requests that may be late
     * @return for how many windows, this one included, there may have been noise; 0 for none
     */
    int see(Map<String, WindowStats> seen, long limitMicros, double allowed) {
        for (String address : seen.keySet()) {
            if (peers.size() < MOST_PEERS) {
                peers.computeIfAbsent(address, unused -> new WatchedPeer(windowSeconds, longest()));
            }
        }
        peers.forEach((address, peer) -> {
            var measured = seen.get(address);
            peer.add(measured == null ? PeerWindow.NOTHING : PeerWindow.of(measured, limitMicros));
        });
        remember();
        return ready() ? look(allowed) : 0;
    }

    /** The part of the time for which half of the peers or more are slow by themselves, 0 to 1. */
    double ill() {
        int[] counts = alone.values().stream().mapToInt(Integer::intValue).sorted().toArray();
        int half = (peers.size() + 1) / 2;
        return looks == 0 || counts.length < half ? 0 : (double) counts[counts.length - half] / looks;
    }

    private int look(double allowed) {
        var voting = voting();
        int needed = needed(voting.size());
        double deviations = DEVIATIONS[voting.size()];
        if (voting.stream().filter(PeerWatch::standsStill).count() >= needed && all(voting)) {
            return 2;
        }
        for (var scale : scales) {
            if (scale.parts() == 1) {
                countIll(scale);
            }
            if (voting.stream().filter(peer -> slow(peer, scale, deviations)).count() >= needed) {
                return scale.windows() + 1;
            }
        }
        int second = windows(1);
        double usualRate = usualLateRate();
        return voting.stream().filter(peer -> late(peer.last(second), usualRate, deviations, allowed)).count() >= needed
                ? second + 1
                : 0;
    }

    private static boolean all(Collection<WatchedPeer> voting) {
        return voting.stream().allMatch(peer -> peer.arrivals() >= FEWEST_EXPECTED);
    }

    /** Nothing comes back although requests arrive. */
    private static boolean standsStill(WatchedPeer peer) {
        return peer.last().answered() < STANDS_STILL * peer.arrivals()
                && peer.last().started() > ARRIVING * peer.arrivals();
    }

    private static boolean slow(WatchedPeer peer, Scale scale, double deviations) {
        double slower = peer.slower(scale.parts(), scale.windowsEach());
        double chance = (scale.parts() == 1 ? 1 : OF_MEDIAN) * peer.usual().variance()
                / peer.last(scale.windows()).answered();
        return slower > Math.max(LEAST, deviations * Math.sqrt(chance + peer.usual().wander()));
    }

    private static boolean late(PeerWindow second, double usualRate, double deviations, double allowed) {
        double usually = second.answered() * usualRate;
        return second.late() > Math.max(usually + deviations * Math.sqrt(usually + 1), allowed * second.answered());
    }

    private void countIll(Scale scale) {
        var slow = known().entrySet().stream().filter(entry -> slow(entry.getValue(), scale, ILL))
                .map(Map.Entry::getKey).toList();
        looks++;
        if (slow.size() < known().size()) {
            slow.forEach(address -> alone.merge(address, 1, Integer::sum));
        }
    }

    private void remember() {
        if (peers.isEmpty()) {
            return;
        }
        var all = peers.values().stream().map(WatchedPeer::last).reduce(PeerWindow.NOTHING, PeerWindow::plus);
        lateRates.addLast((double) all.late() / Math.max(1, all.answered()));
        if (lateRates.size() > REMEMBERED_RATES / windowSeconds) {
            lateRates.removeFirst();
        }
    }

    /** Of the quieter half of the time. */
    private double usualLateRate() {
        double[] sorted = lateRates.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return Arrays.stream(sorted, 0, Math.max(1, sorted.length / 2)).average().orElse(0);
    }

    private Map<String, WatchedPeer> known() {
        var known = new TreeMap<>(peers);
        known.values().removeIf(peer -> !peer.usual().known());
        return known;
    }

    /** Known peers that do not wander by themselves; all known ones when that leaves too few. */
    private List<WatchedPeer> voting() {
        var known = new ArrayList<>(known().values());
        var fit = known.stream().filter(peer -> peer.usual().wander() <= UNFIT * UNFIT).toList();
        return fit.size() >= FEWEST_PEERS ? fit : known;
    }

    private static int needed(int voters) {
        return voters <= ALL_UP_TO ? voters : (int) Math.ceil(NEARLY_ALL * voters - 1e-9);
    }

    /** So many standard deviations at so many of them by chance happen in one look of 100 000. */
    private static double deviations(int voters, int needed) {
        double low = 0;
        double high = 0.5;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            double chance = 1 - new BinomialDistribution(null, voters, middle).cumulativeProbability(needed - 1);
            if (chance < CHANCE) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new NormalDistribution(null, 0, 1).inverseCumulativeProbability(1 - low);
    }

    private int windows(double seconds) {
        return (int) Math.max(1, Math.round(seconds / windowSeconds));
    }

    private int longest() {
        return scales.stream().mapToInt(Scale::windows).max().orElseThrow();
    }
}
