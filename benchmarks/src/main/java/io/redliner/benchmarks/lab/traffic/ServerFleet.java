// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.traffic;

import io.redliner.benchmarks.lab.server.Noise;
import io.redliner.benchmarks.lab.server.RandomVariates;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.server.ServerWindowCounts;
import io.redliner.benchmarks.lab.server.SimulatedServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Servers that share live traffic. One is under test: its share can be changed, and what that costs its users is counted.
 * For one thread.
 */
public final class ServerFleet {

    /** Share of one server while nobody tests. */
    public static final double NATURAL_SHARE = 1.0 / 20;

    private static final double MAX_SHARE = 0.25;

    private static final double MIN_LOADED = 0.3;

    private static final double MAX_LOADED = 0.6;

    private static final double WARM_UP_SECONDS = 10;

    private static final double COUPLED_FROM = 0.8;

    private static final double COUPLED_SLOWDOWN = 1.5;

    private static final double AFTERMATH_SECONDS = 30;

    private final ServerKind kind;

    private final TestConditions conditions;

    private final long seed;

    private final FleetTiming clock;

    private final SimulatedServer server;

    private final TrafficModel traffic;

    private final RandomVariates others;

    private final List<Peer> peers = new ArrayList<>();

    private final NoiseSetting noise;

    private final NoiseSchedule sharedNoise;

    /** Noise of the machines of the peers elsewhere. */
    private final NoiseSchedule noiseElsewhere;

    /** Noise as the machine's counters show it: mostly the same. */
    private final NoiseSchedule signs;

    private final double capacity;

    private final HarmCalculator harm;

    private final double naturalLoad;

    private final double largestShare;

    private final Deque<Double> ordered = new ArrayDeque<>();

    private long windows;

    /** A server that is simulated beside the one under test. */
    private record Peer(SimulatedServer server, NoiseSchedule own) {}

    /**
     * A fleet that nothing happened to yet.
     *
     * @param capacity of the server under test, in requests/s: it is loaded to 30 to 60 % of it
     */
    public ServerFleet(ServerKind kind, double capacity, TestConditions conditions, long seed) {
        this.kind = kind;
        this.conditions = conditions;
        this.seed = seed;
        this.clock = conditions.clock();
        this.noise = conditions.noise();
        this.capacity = capacity;
        var seeds = new RandomVariates(seed);
        server = new SimulatedServer(kind, Math.round(seeds.between(0, 1L << 53)));
        others = new RandomVariates(Math.round(seeds.between(0, 1L << 53)));
        var chance = new RandomVariates(Math.round(seeds.between(0, 1L << 53)));
        naturalLoad = capacity * chance.between(MIN_LOADED, MAX_LOADED);
        traffic = new TrafficModel(naturalLoad / NATURAL_SHARE, conditions.weather(), chance);
        largestShare = Double.isInfinite(conditions.reach())
                ? MAX_SHARE
                : Math.clamp(conditions.reach() * capacity * NATURAL_SHARE / naturalLoad, NATURAL_SHARE, 1);
        harm = new HarmCalculator(clock.windowSeconds(), kind.slowAllowed());
        long noiseSeed = Math.round(seeds.between(0, 1L << 53));
        sharedNoise = new NoiseSchedule(noise.shared(), noiseSeed);
        signs = new NoiseSchedule(noise.signs(), noiseSeed);
        for (var own : noise.peers()) {
            var peer = new SimulatedServer(noise.evenPeers() ? kind.warm().even() : kind.warm(),
                    Math.round(seeds.between(0, 1L << 53)));
            peers.add(new Peer(peer, new NoiseSchedule(own, Math.round(seeds.between(0, 1L << 53)))));
        }
        noiseElsewhere = new NoiseSchedule(noise.elsewhere() > 0 ? noise.shared() : NoiseSource.NONE,
                Math.round(seeds.between(0, 1L << 53)));
        for (int i = 0; i < clock.lagWindows(); i++) {
            ordered.add(NATURAL_SHARE);
        }
    }

    /** Returns the same servers on another day, under the same conditions; nothing happened to them yet. */
    public ServerFleet again(long otherSeed) {
        return new ServerFleet(kind, capacity, conditions, otherSeed);
    }

    /** Returns the same fleet on another day with a server of another kind, which gets the same traffic; nothing happened to it yet. */
    public ServerFleet again(ServerKind other, long otherSeed) {
        return new ServerFleet(other, capacity, conditions, otherSeed);
    }

    public long seed() {
        return seed;
    }

    /** Returns the number of the first simulated peers that are known to be on the machine of the server under test. */
    public int knownNeighbours() {
        return conditions.hosts() ? noise.neighbours() : 0;
    }

    /** Load of the server under test while nobody tests, on average, in requests/s. */
    public double naturalLoad() {
        return naturalLoad;
    }

    /** The largest share that a test may ask for. */
    public double largestShare() {
        return largestShare;
    }

    public ServerKind kind() {
        return kind;
    }

    public double windowSeconds() {
        return clock.windowSeconds();
    }

    /** Time that was tested for, so far. */
    public double seconds() {
        return windows * clock.windowSeconds();
    }

    /** So many windows of steady natural traffic come before a test; a server that has to warm up only gets one. */
    public int windowsBefore() {
        return kind.warmUp().excess() > 0 ? 1 : (int) Math.round(WARM_UP_SECONDS / clock.windowSeconds());
    }

    /** A window before the test. */
    public FleetWindow before() {
        return window(NATURAL_SHARE, false);
    }

    /**
     * The next window of the test.
     *
     * @param share of the traffic that is asked for now; in force after the lag
     */
    public FleetWindow next(double share) {
        windows++;
        ordered.add(Math.clamp(share, 0, largestShare));
        var window = window(ordered.remove(), true);
        harm.count(window);
        return window;
    }

    /** Traffic goes back to natural, and what the test left behind is counted too. */
    public HarmCalculator.Sum end() {
        double tested = seconds();
        for (int i = 0; i < Math.round(AFTERMATH_SECONDS / clock.windowSeconds()); i++) {
            next(NATURAL_SHARE);
        }
        return harm.sum(tested);
    }

    private FleetWindow window(double share, boolean live) {
        var sut = new ServerWindowCounts();
        var seen = peers.stream().map(unused -> new ServerWindowCounts()).toList();
        long rest = 0;
        double stalled = 0;
        double stolen = 0;
        for (int i = 0; i < clock.slicesPerWindow(); i++) {
            double all = live ? traffic.next() : naturalLoad / NATURAL_SHARE;
            double ofEach = all * (1 - share) * NATURAL_SHARE / (1 - NATURAL_SHARE);
            var shared = shared(all * share);
            server.advance(all * share, shared, sut);
            var elsewhere = noiseElsewhere.next();
            for (int peer = 0; peer < peers.size(); peer++) {
                var machine = peer < noise.neighbours() ? shared : elsewhere;
                peers.get(peer).server.advance(ofEach, machine.and(peers.get(peer).own.next()), seen.get(peer));
            }
            var sign = signs.next();
            stalled += sign.stallSeconds() / clock.windowSeconds();
            stolen += (1 - 1 / sign.slowdown()) / clock.slicesPerWindow();
            rest += others.poisson((all * (1 - share) - peers.size() * ofEach) * SimulatedServer.SLICE_SECONDS);
        }
        return new FleetWindow(clock.windowSeconds(), sut, seen, new FleetWindow.Signs(Math.min(1, stalled), stolen),
                rest);
    }

    private Noise shared(double requestsPerSecond) {
        var now = sharedNoise.next();
        return noise.coupled() && requestsPerSecond > COUPLED_FROM * capacity
                ? now.and(new Noise(0, COUPLED_SLOWDOWN, 0))
                : now;
    }
}
