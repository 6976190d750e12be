// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.Proportion;
import io.redliner.sla.WindowStats;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Detects noise that slows all peers at the same time. Each peer's logarithm of the latency is compared with its own usual value.
 * At the natural load it shows the speed of the machine, and it changes long before a request is late. The SUT is not used, so its
 * good windows are not selected. For one thread.
 */
final class PeerWatch {

    /** Watched peers on the SUT's host, and as many others: the first ones of a larger fleet. */
    static final int MAX_PEERS = 10;

    /** Standard deviations from which on a peer counts as slow by itself. */
    private static final double ILL = 3;

    /** Remembered addresses on the SUT's host. Of more, those that are neither watched nor reported now are forgotten. */
    private static final int MAX_NEIGHBOURS = 100;

    private static final int REMEMBERED_RATES = 120;

    private static final int MIN_RATES = 10;

    private final double windowSeconds;

    private final List<PeerPanel.Scale> scales;

    private final Map<String, WatchedPeer> peers = new TreeMap<>();

    private final Map<String, Set<LatencyHistory>> histories = new TreeMap<>();

    /** Addresses of peers that are known to be on the SUT's host, watched or not. */
    private final Set<String> onSutsHost = new TreeSet<>();

    private int looks;

    /** Late requests per request of the deciding peers in each of the last seconds, oldest first. */
    private final Deque<Double> lateRates = new ArrayDeque<>();

    private PeerWindow second = PeerWindow.NOTHING;

    private int windows;

    /** Part of the requests that may be late. */
    private double allowed = 1;

    /** Late requests that are as bad as the peers' failed ones in the last window: more where fewer may fail; 0 when any number may. */
    private double failedAsLate;

    /** Late requests per request in the quieter half of the time; NaN before it is known, as histories do not contain it. */
    private double usualLateRate;

    /**
     * @param windowSeconds length of all windows
     * @param known profiles from an earlier watch
     */
    PeerWatch(double windowSeconds, PeerProfiles known) {
        this.windowSeconds = windowSeconds;
        int quick = windows(0.4);
        this.scales = List.of(new PeerPanel.Scale(1, quick),
                new PeerPanel.Scale(quick * windowSeconds > 0.5 ? 3 : 5, quick),
                new PeerPanel.Scale(5, windows(1)));
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
        return known().size() >= Math.min(wanted, PeerPanel.MIN_PEERS);
    }

    /** Returns the seconds until {@link #knows} is likely to be true; 0 when it is, infinite while too few peers get requests. */
    double secondsUntilKnown(int wanted) {
        return knows(wanted)
                ? 0
                : peers.values().stream().filter(WatchedPeer::present).map(WatchedPeer::secondsUntilKnown).sorted()
                        .skip(Math.min(wanted, PeerPanel.MIN_PEERS) - 1L).findFirst().orElse(Double.POSITIVE_INFINITY);
    }

    /** Returns true when all peers were slower than usual, or stood still, in one of the last seconds. */
    boolean wasNoisyWithin(double seconds) {
        return panel().wasNoisyWithin((int) Math.ceil(seconds));
    }

    /** Adds a window, see {@link #see(Map, long, double)}. Without a latency limit no request is late. */
    int see(SearchInput window) {
        var tightest = window.limits().stream().filter(limit -> limit.latencySeconds().isPresent())
                .min(Comparator.comparingDouble(limit -> limit.proportion().orElseThrow().allowedRatio()));
        double mayBeLate = tightest.map(limit -> limit.proportion().orElseThrow().allowedRatio()).orElse(1.0);
        locate(window.peers().neighbours());
        int noisy = see(window.peers().byAddress(),
                tightest.map(limit -> Math.round(limit.latencySeconds().orElseThrow() * 1e6)).orElse(Long.MAX_VALUE),
                mayBeLate);
        var deciding = deciding();
        var measured = window.peers().byAddress().entrySet().stream()
                .filter(peer -> deciding.contains(peers.get(peer.getKey()))).map(Map.Entry::getValue).toList();
        failedAsLate = window.limits().stream().flatMap(limit -> limit.proportion().stream())
                .mapToDouble(it -> mayBeLate / it.allowedRatio()
                        * measured.stream().mapToLong(peer -> failures(peer, it.kind())).sum())
                .max().orElse(0);
        return noisy;
    }

    private static long failures(WindowStats measured, Proportion.Kind kind) {
        return switch (kind) {
            case SLOW -> 0;
            case FAILED -> measured.errors();
            case TIMED_OUT -> measured.timeouts();
            case CANCELLED -> measured.cancelled().requests();
        };
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
        this.allowed = allowed;
        meet(seen.keySet());
        for (var peer : peers.entrySet()) {
            var measured = seen.get(peer.getKey());
            var window = measured == null ? PeerWindow.NOTHING : PeerWindow.of(measured, limitMicros);
            peer.getValue().add(window);
        }
        deciding().forEach(peer -> second = second.plus(peer.last()));
        if (++windows % windows(1) == 0) {
            remember();
        }
        var known = known();
        return known.size() >= PeerPanel.MIN_PEERS ? look(known) : 0;
    }

    /** Takes the addresses of peers that are known to be on the SUT's host. They stay there, and are replaced in a long run. */
    void locate(Set<String> neighbours) {
        long known = peers.values().stream().filter(WatchedPeer::isNeighbour).count();
        var before = deciding();
        if (onSutsHost.addAll(neighbours) && onSutsHost.size() > MAX_NEIGHBOURS) {
            onSutsHost.removeIf(address -> !neighbours.contains(address) && !peers.containsKey(address));
        }
        for (String address : onSutsHost) {
            if (known >= MAX_PEERS) {
                break;
            }
            var peer = peers.containsKey(address) ? peers.get(address) : met(address);
            if (!peer.isNeighbour()) {
                peer.neighbour();
                known++;
            }
        }
        if (!deciding().equals(before)) {
            lateRates.clear();
            second = PeerWindow.NOTHING;
            usualLateRate = Double.NaN;
        }
    }

    private void meet(Set<String> addresses) {
        long others = peers.values().stream().filter(peer -> !peer.isNeighbour()).count();
        for (String address : addresses) {
            if (others < MAX_PEERS && !onSutsHost.contains(address) && !peers.containsKey(address)) {
                met(address);
                others++;
            }
        }
    }

    private WatchedPeer met(String address) {
        var peer = watched(PeerProfile.UNKNOWN);
        peer.recall(histories.getOrDefault(address, Set.of()));
        peers.put(address, peer);
        return peer;
    }

    /**
     * Takes latencies from before the run.
     *
     * @param recalled histories of each peer, one of each collector
     */
    void recall(Map<String, List<LatencyHistory>> recalled) {
        recalled.forEach((address, known) -> histories.computeIfAbsent(address, unused -> new LinkedHashSet<>())
                .addAll(known));
        meet(recalled.keySet());
        peers.forEach((address, peer) -> peer.recall(histories.getOrDefault(address, Set.of())));
    }

    /** Merges an instance's histories from before the run, by the number of the second since the epoch. */
    SortedMap<Long, PeerWindow> before(Collection<LatencyHistory> histories) {
        return PeerWindow.before(histories, WatchedPeer.secondLength(windowSeconds));
    }

    /** Returns all watched peers, whether they decide or not. None is ever removed. */
    Collection<WatchedPeer> watched() {
        return peers.values();
    }

    /** Returns the watched peers that tell noise: those on the SUT's host when they are enough, else all. */
    List<WatchedPeer> deciding() {
        long neighbours = peers.values().stream().filter(WatchedPeer::isNeighbour).count();
        return peers.values().stream().filter(peer -> neighbours < PeerPanel.MIN_PEERS || peer.isNeighbour()).toList();
    }

    /** Returns the late requests of the peers in the last window. A failed one counts as the late ones that are as bad. */
    long late() {
        return Math.round(deciding().stream().mapToLong(peer -> peer.last().late()).sum() + failedAsLate);
    }

    /** Returns the number of requests of the peers in the last window that might have been late. */
    double allowedLate() {
        return allowed * deciding().stream().mapToLong(peer -> peer.last().answered()).sum();
    }

    /** See {@link PeerProfiles#ill}. */
    double ill() {
        return profiles().ill();
    }

    /** Returns the noise in the seconds that the usual state was learnt from; none when some peers are often slow by themselves. */
    NoiseEpisodes episodes() {
        return panel().episodes(WatchedPeer.secondLength(windowSeconds));
    }

    /** Returns true when enough peers answered in the last seconds to show noise. */
    boolean canTell() {
        return panel().canTell(scales.getLast());
    }

    /** See {@link PeerPanel#isSomewhatSlower}. */
    boolean isSomewhatSlower() {
        return panel().isSomewhatSlower(scales);
    }

    private int look(List<WatchedPeer> known) {
        var panel = panel();
        if (panel.standsStill()) {
            return 2;
        }
        countIll(known, panel);
        for (var scale : scales) {
            if (panel.isSlow(scale)) {
                return scale.windows() + 1;
            }
        }
        int second = windows(1);
        return panel.isLate(second, usualLateRate, allowed) ? second + 1 : 0;
    }

    private void countIll(List<WatchedPeer> known, PeerPanel panel) {
        var deciding = deciding().stream().filter(known::contains).toList();
        var slow = deciding.stream().filter(peer -> PeerPanel.slow(peer, scales.getFirst(), ILL)).toList();
        looks++;
        if (slow.size() < deciding.size() && !panel.isTogether(scales.getFirst())) {
            slow.forEach(WatchedPeer::slowAlone);
        }
    }

    private PeerPanel panel() {
        return PeerPanel.of(known());
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

    /** Returns the number of windows nearest to this many seconds, at least 1. */
    int windows(double seconds) {
        return (int) Math.max(1, Math.round(seconds / windowSeconds));
    }
}
