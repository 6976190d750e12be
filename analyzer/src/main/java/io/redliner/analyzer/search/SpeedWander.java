// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures how much the SUT's speed varies by itself at its natural load. A server that is slow for some seconds now and then has
 * a lower capacity in these seconds, and a search of two minutes can miss them. Each second the SUT's mean logarithm of the
 * latency is compared with its peers', each relative to its own mean. A chance difference is gone in the next second, so the
 * covariance of consecutive seconds is the variance of the lasting part. For one thread.
 */
final class SpeedWander {

    private static final int MIN_PAIRS = 30;

    /** Largest difference of one second. A single stall is no slow burst, and has a check of its own. */
    private static final double MAX_DIFFERENCE = 0.5;

    /** Watched peers in the order in which they became known, which is that of {@link Second#peers}. */
    private final List<WatchedPeer> known = new ArrayList<>();

    /** The seconds of the run, oldest first. */
    private final List<Second> seconds = new ArrayList<>();

    private final Set<LatencyHistory> histories = new LinkedHashSet<>();

    /** The seconds before the run, oldest first. */
    private List<Second> before = List.of();

    private PeerWindow second = PeerWindow.NOTHING;

    private int windows;

    private double deviation = Double.NaN;

    /** Logarithms of the latencies in one second; NaN without an answer. */
    private static final class Second {

        private final double sut;

        private final double[] peers;

        /** @param peers of each peer that is known, whether it decides or not; later ones are missing */
        Second(double sut, double[] peers) {
            this.sut = sut;
            this.peers = peers;
        }

        double of(int peer) {
            return peer < peers.length ? peers[peer] : Double.NaN;
        }
    }

    /**
     * Adds the SUT's latencies from before the run.
     *
     * @param recalled histories of the SUT, one of each collector
     * @param peers with their own histories
     */
    void recall(List<LatencyHistory> recalled, PeerWatch peers) {
        histories.addAll(recalled);
        meet(peers);
        before = new ArrayList<>();
        peers.before(histories).forEach((number, window) -> before.add(
                second(window, peer -> peer.before().getOrDefault(number, PeerWindow.NOTHING))));
        deviation = calculate(peers.deciding());
    }

    /** Adds a window at the natural load, after it was added to the peers. */
    void see(SearchInput window, PeerWatch peers) {
        second = window.sla().measurements().of(Scope.SUT).map(seen -> second.plus(PeerWindow.of(seen, Long.MAX_VALUE)))
                .orElse(second);
        if (++windows % peers.windows(1) == 0) {
            meet(peers);
            seconds.add(second(second, peer -> peer.last(peers.windows(1))));
            second = PeerWindow.NOTHING;
            deviation = calculate(peers.deciding());
        }
    }

    private void meet(PeerWatch peers) {
        peers.watched().stream().filter(peer -> !known.contains(peer)).forEach(known::add);
    }

    private Second second(PeerWindow sut, Function<WatchedPeer, PeerWindow> ofPeer) {
        return new Second(sut.lnLatency(),
                known.stream().mapToDouble(peer -> ofPeer.apply(peer).lnLatency()).toArray());
    }

    /** Forgets all seconds. They are of no use once the load has been raised. */
    void forget() {
        known.clear();
        seconds.clear();
        histories.clear();
        before = List.of();
        second = PeerWindow.NOTHING;
        windows = 0;
        deviation = Double.NaN;
    }

    /** Returns the standard deviation of the lasting part, relative to the usual speed; NaN with too few seconds. */
    double deviation() {
        return deviation;
    }

    private double calculate(List<WatchedPeer> deciding) {
        double[] all = differences(deciding);
        double[] sorted = Arrays.stream(all).filter(Double::isFinite).sorted().toArray();
        double median = sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
        double[] clipped = Arrays.stream(all)
                .map(it -> median + Math.clamp(it - median, -MAX_DIFFERENCE, MAX_DIFFERENCE)).toArray();
        double mean = average(Arrays.stream(clipped));
        double sum = 0;
        int pairs = 0;
        for (int i = 1; i < clipped.length; i++) {
            double product = (clipped[i - 1] - mean) * (clipped[i] - mean);
            if (Double.isFinite(product)) {
                sum += product;
                pairs++;
            }
        }
        return pairs < MIN_PAIRS ? Double.NaN : Math.sqrt(Math.max(0, sum / pairs));
    }

    /** Returns the SUT's differences from the peers that decide now, in all seconds: those before the hosts were known, too. */
    private double[] differences(List<WatchedPeer> deciding) {
        var all = Stream.concat(before.stream(), seconds.stream()).toList();
        int[] peers = deciding.stream().mapToInt(known::indexOf).toArray();
        double[] usual = Arrays.stream(peers)
                .mapToDouble(peer -> average(all.stream().mapToDouble(it -> it.of(peer)))).toArray();
        return all.stream()
                .mapToDouble(it -> it.sut - average(
                        IntStream.range(0, usual.length).mapToDouble(i -> it.of(peers[i]) - usual[i])))
                .toArray();
    }

    private static double average(DoubleStream values) {
        return values.filter(Double::isFinite).average().orElse(Double.NaN);
    }
}
