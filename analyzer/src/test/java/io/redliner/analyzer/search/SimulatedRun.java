// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchInput.Loads;
import io.redliner.sla.Judgement;
import io.redliner.sla.LatencyHistogram;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.Scope;
import io.redliner.sla.ScopedStats;
import io.redliner.sla.SlaEvaluation;
import io.redliner.sla.WindowStats;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.DoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * A search at work on a server in virtual time. As the controller does, the share is raised only after a window that
 * holds, and never to more than twice the present one; what is asked for comes into force after a second.
 */
public final class SimulatedRun {

    /** Above the longest search: 240 s, times 1.1 for a wide interval, times 5 for few requests, and its baseline. */
    private static final double MAX_SECONDS = 1_400;

    private static final double MAX_RAISE = 2;

    private static final double LAG_SECONDS = 1;

    /** Seconds at which the peers of {@link #besidePeers} get slow. */
    public static final List<Integer> NOISE = List.of(70, 90, 120, 180);

    private static final int NOISY_SECONDS = 4;

    /** One window and what was advised after it. */
    public record Moment(double second, double share, SearchInput window, SearchState state) {

        public SearchAdvice advice() {
            return state.advice();
        }
    }

    private final List<Rule> sla;

    private final double windowSeconds;

    private final double serviceLoad;

    private final double naturalShare;

    private final double largestShare;

    private final Random random;

    private final Deque<Double> underWay = new ArrayDeque<>();

    private double smoothed;

    /** May change what happens next, at each window. */
    BiConsumer<Double, Moment> events = (second, moment) -> {
        // Nothing happens.
    };

    final SimulatedServer server;

    final List<Moment> moments = new ArrayList<>();

    /** Whether nobody tells of the SUT at the moment. */
    boolean silent;

    /** At a second, of each peer by address the factor of its latencies. */
    DoubleFunction<Map<String, Double>> slowerPeers = second -> Map.of();

    /** Until traffic goes back whatever is known. */
    double secondsLeft = Double.POSITIVE_INFINITY;

    /** Of the usual traffic, the part that there is. */
    double traffic = 1;

    SimulatedRun(SimulatedServer.Kind kind, List<Rule> sla, double windowSeconds, double naturalLoad,
            double naturalShare, double largestShare, long seed) {
        this.server = new SimulatedServer(kind, seed);
        this.sla = sla;
        this.windowSeconds = windowSeconds;
        this.serviceLoad = naturalLoad / naturalShare;
        this.naturalShare = naturalShare;
        this.largestShare = largestShare;
        this.random = new Random(seed + 1);
        this.smoothed = serviceLoad;
    }

    /** Windows of an ordinary run of the search up to its end, 1 s each. */
    public static List<Moment> ordinary(long seed) {
        var run = new SimulatedRun(SimulatedServer.Kind.ORDINARY, sla("latency.p99 <= duration('50ms')"), 1, 350, 0.2,
                0.6, seed);
        run.follow(new BayesianCapacitySearch(SearchSettings.defaults()));
        return run.moments;
    }

    /** The same beside three peers, all of which are slow for some seconds at {@link #NOISE}. */
    public static List<Moment> besidePeers(long seed) {
        var run = new SimulatedRun(SimulatedServer.Kind.ORDINARY, sla("latency.p99 <= duration('50ms')"), 1, 350, 0.2,
                0.6, seed);
        run.slowerPeers = second -> {
            double slower = NOISE.stream().anyMatch(from -> second >= from && second < from + NOISY_SECONDS) ? 2 : 1;
            return Map.of("peer0", slower, "peer1", slower, "peer2", slower);
        };
        run.follow(new NoiseGate(SearchSettings.defaults()));
        return run.moments;
    }

    static List<Rule> sla(String... expressions) {
        var rules = new ArrayList<Rule>();
        for (String expression : expressions) {
            rules.add(new RuleCompiler().compile(expression.substring(0, expression.indexOf(' ')), expression, false));
        }
        return rules;
    }

    /** To the end of the search. */
    SearchAdvice follow(CapacitySearch search) {
        var state = search.begin();
        double ordered = naturalShare;
        int lag = (int) Math.round(LAG_SECONDS / windowSeconds);
        for (int i = 0; i < lag; i++) {
            underWay.add(naturalShare);
        }
        for (double second = 0; second < MAX_SECONDS && !state.ended(); second += windowSeconds) {
            double share = underWay.remove();
            var window = window(share, peers(slowerPeers.apply(second)));
            state = search.advise(state, window);
            var moment = new Moment(second, share, window, state);
            moments.add(moment);
            events.accept(second, moment);
            ordered = share(state.advice(), window, ordered);
            underWay.add(ordered);
        }
        return state.advice();
    }

    private double share(SearchAdvice advice, SearchInput window, double current) {
        double wanted = Math.min(largestShare, advice.requestsPerSecond() / smoothed);
        return wanted <= current || window.sla().judgement() == Judgement.HOLDS
                ? Math.min(wanted, MAX_RAISE * current)
                : current;
    }

    private Map<String, WindowStats> peers(Map<String, Double> slower) {
        var peers = new TreeMap<String, WindowStats>();
        new TreeMap<>(slower).forEach((address, factor) -> {
            var latency = new Histogram(3);
            for (int request = 0; request < 300; request++) {
                latency.recordValue(Math.round(10_000 * factor * Math.exp(0.4 * random.nextGaussian())));
            }
            peers.put(address, new WindowStats(Duration.ofNanos(Math.round(windowSeconds * 1e9)), 300, 300, 0, 0,
                    LatencyHistogram.of(latency), List.of(), Map.of()));
        });
        return peers;
    }

    private SearchInput window(double share, Map<String, WindowStats> eachPeer) {
        secondsLeft -= windowSeconds;
        double offered = serviceLoad * traffic * (1 + 0.01 * random.nextGaussian());
        var sut = server.window(offered * share, windowSeconds);
        double peers = offered * (1 - share);
        smoothed += (1 - Math.exp(-windowSeconds / 2)) * (sut.started() / windowSeconds + peers - smoothed);
        var measurements = new ScopedStats(silent
                ? Map.of()
                : Map.of(Scope.SUT, sut, Scope.SERVICE, service(sut, peers)));
        return new SearchInput(Duration.ofNanos(Math.round(windowSeconds * 1e9)),
                SlaEvaluation.of(sla, measurements, silent ? "nobody reported the SUT" : ""), server.inFlight(),
                new Loads(smoothed * naturalShare, smoothed, smoothed * largestShare, 0), secondsLeft,
                new SearchInput.Peers(eachPeer, Set.of()));
    }

    private WindowStats service(WindowStats sut, double peers) {
        long others = Math.round(peers * windowSeconds);
        return new WindowStats(sut.length(), sut.started() + others, sut.completed() + others, sut.errors(), 0,
                sut.latency(), List.of(), Map.of());
    }
}
