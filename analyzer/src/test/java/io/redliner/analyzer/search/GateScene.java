// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.search.SearchInput.Loads;
import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.Rule;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** A search behind a {@link NoiseGate}, and windows of a second that it sees. */
class GateScene {

    static final double NATURAL = 100;

    static final double SERVICE = 1_000;

    static final double LIMIT_SECONDS = 0.1;

    static final List<Rule> SLA = SimulatedRun.sla("latency.p99 <= duration('100ms')");

    final Random random = new Random(3);

    final NoiseGate gate = new NoiseGate(SearchSettings.defaults());

    GatedState state = (GatedState) gate.begin();

    double secondsLeft = Double.POSITIVE_INFINITY;

    /** Addresses of the peers on the SUT's host. */
    Set<String> neighbours = Set.of();

    /** Quiet windows, until so much is asked for. */
    void ramp(double requestsPerSecond) {
        for (int second = 0; second < 200 && state.advice().requestsPerSecond() < requestsPerSecond; second++) {
            next(0, 1, 1, 1);
        }
        assertThat(state.search()).isInstanceOf(SearchPhaseState.Ramping.class);
    }

    void next(int slowPercent, double... slower) {
        state = (GatedState) gate.advise(state, window(slowPercent, slower));
    }

    SearchInput window(int slowPercent, double... slower) {
        return window(slowPercent, 2, slower);
    }

    /**
     * A second at the load that is advised.
     *
     * @param slowPercent of the SUT's requests
     * @param slower of each peer, a factor
     */
    SearchInput window(int slowPercent, long inFlight, double... slower) {
        var peers = new TreeMap<String, WindowStats>();
        for (double factor : slower) {
            peers.put("peer" + peers.size(), peer(factor));
        }
        return window(slowPercent, inFlight, peers);
    }

    SearchInput window(Map<String, WindowStats> peers) {
        return window(0, 2, peers);
    }

    private SearchInput window(int slowPercent, long inFlight, Map<String, WindowStats> peers) {
        double load = Math.max(NATURAL, state.advice().requestsPerSecond());
        long requests = Math.round(load);
        var latency = new Histogram(3);
        long late = requests * slowPercent / 100;
        latency.recordValueWithCount(10_000, requests - late);
        latency.recordValueWithCount(Math.round(2e6 * LIMIT_SECONDS), late);
        var measurements = new ScopedStats(Map.of(Scope.SUT, stats(requests, latency)));
        return input(measurements, inFlight, peers);
    }

    /** A second with other rules at the natural load. */
    SearchInput window(List<Rule> rules, Map<String, WindowStats> peers) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(10_000, (long) NATURAL);
        var measurements = new ScopedStats(Map.of(Scope.SUT, stats((long) NATURAL, latency)));
        return input(rules, measurements, 2, peers);
    }

    SearchInput silent() {
        return input(new ScopedStats(Map.of()), 0, Map.of());
    }

    SearchInput input(ScopedStats measurements, long inFlight, Map<String, WindowStats> peers) {
        return input(SLA, measurements, inFlight, peers);
    }

    private SearchInput input(List<Rule> rules, ScopedStats measurements, long inFlight,
            Map<String, WindowStats> peers) {
        return new SearchInput(Duration.ofSeconds(1), SlaEvaluation.of(rules, measurements, ""), inFlight,
                new Loads(NATURAL, SERVICE, 0.9 * SERVICE, 0), secondsLeft,
                new SearchInput.Peers(peers, neighbours));
    }

    WindowStats peer(double slower) {
        var latency = new Histogram(3);
        for (int i = 0; i < 300; i++) {
            latency.recordValue(Math.round(10_000 * slower * Math.exp(0.4 * random.nextGaussian())));
        }
        return stats(300, latency);
    }

    /** A second with too few requests for a judgement. */
    static WindowStats few() {
        var latency = new Histogram(3);
        latency.recordValueWithCount(10_000, 2);
        return stats(2, latency);
    }

    static WindowStats stats(long started, Histogram latency) {
        return new WindowStats(Duration.ofSeconds(1), started, latency.getTotalCount(), 0, 0,
                LatencyHistogram.of(latency), List.of(), Map.of());
    }
}
