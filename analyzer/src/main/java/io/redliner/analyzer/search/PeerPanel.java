// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Peers that are judged together: noise is what all of them suffer, or nearly all of a larger number. Where some are on the SUT's
 * host and others are not, noise is what slows the SUT's neighbours. Two neighbours are enough; a single one may be slow by itself,
 * and needs the others with it.
 *
 * @param voting the known peers with a steady speed, or all known peers when those are too few
 * @param neighbours those on the SUT's host; empty when none is known, and when no other peer votes
 */
record PeerPanel(List<WatchedPeer> voting, List<WatchedPeer> neighbours) {

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

    /** Standard deviations by which each voter has to be slower, by the number of voters. */
    private static final double[] DEVIATIONS = deviations(CHANCE);

    private static final double[] SOMEWHAT_DEVIATIONS = deviations(SOMEWHAT_CHANCE);

    /** A time scale of a look: the median of some parts, each of some windows. */
    record Scale(int parts, int windowsEach) {

        int windows() {
            return parts * windowsEach;
        }
    }

    static PeerPanel of(List<WatchedPeer> known) {
        var fit = known.stream().filter(peer -> peer.profile().wander() <= UNFIT * UNFIT).toList();
        var voting = fit.size() >= MIN_PEERS ? fit : known;
        var neighbours = voting.stream().filter(WatchedPeer::isNeighbour).toList();
        return new PeerPanel(voting, neighbours.size() < voting.size() ? neighbours : List.of());
    }

    /** Returns the peers that tell noise: the neighbours when they are enough, else all. */
    private List<WatchedPeer> deciding() {
        return neighbours.size() >= MIN_PEERS ? neighbours : voting;
    }

    /**
     * Returns the noise in the seconds that the usual state was learnt from; none when some peers are often slow by themselves.
     *
     * @param length of a second's windows
     */
    NoiseEpisodes episodes(double length) {
        if (voting.size() < MIN_PEERS) {
            return NoiseEpisodes.NONE;
        }
        var episodes = NoiseEpisodes.NONE;
        int alone = 0;
        for (var second : seconds()) {
            boolean noisy = all(DEVIATIONS, peer -> second.apply(peer).answered() > 0,
                    deviations -> peer -> slow(peer, second.apply(peer), deviations));
            episodes = episodes.passed(length, noisy);
            alone += noisy || isTogether(peer -> isSomewhat(slowdown(peer, second.apply(peer)),
                    peer.profile().variance() / second.apply(peer).answered()))
                            ? 0
                            : count(deciding(),
                                    peer -> slow(peer, second.apply(peer), deviation(DEVIATIONS, deciding())));
        }
        return alone * length > NoiseAccount.ILL * deciding().size() * episodes.seconds()
                ? NoiseEpisodes.NONE
                : episodes;
    }

    /** Returns the seconds before the run and in it, oldest first, each as what a peer did in it. */
    private List<Function<WatchedPeer, PeerWindow>> seconds() {
        var seconds = new ArrayList<Function<WatchedPeer, PeerWindow>>();
        var before = new TreeSet<Long>();
        voting.forEach(peer -> before.addAll(peer.before().keySet()));
        before.forEach(number -> seconds.add(peer -> peer.before().getOrDefault(number, PeerWindow.NOTHING)));
        int most = voting.stream().mapToInt(peer -> peer.seconds().size()).max().orElse(0);
        for (int ago = most; ago > 0; ago--) {
            int back = ago;
            seconds.add(peer -> back > peer.seconds().size()
                    ? PeerWindow.NOTHING
                    : peer.seconds().get(peer.seconds().size() - back));
        }
        return seconds;
    }

    /** Returns true when all peers were slower than usual, or stood still, in one of the last seconds. */
    boolean wasNoisyWithin(int lastSeconds) {
        var known = seconds();
        return voting.size() >= MIN_PEERS
                && known.subList(Math.max(0, known.size() - lastSeconds), known.size()).stream()
                        .anyMatch(second -> all(DEVIATIONS, peer -> second.apply(peer).started() > 0,
                                deviations -> peer -> slow(peer, second.apply(peer), deviations)
                                        || second.apply(peer).answered() < STANDS_STILL
                                                * second.apply(peer).started()));
    }

    /**
     * Returns true when each peer is a little slower, beyond chance. Weak noise is above the bound at some peers and below it at
     * others, and none of them is slow by itself.
     */
    private boolean isTogether(Predicate<WatchedPeer> somewhat) {
        return deciding().size() >= MIN_PEERS && deciding().stream().allMatch(somewhat);
    }

    boolean isTogether(Scale scale) {
        return isTogether(peer -> isSomewhat(peer.slower(scale.parts(), scale.windowsEach()), chance(peer, scale)));
    }

    private boolean isSomewhat(double slower, double chance) {
        return slower > Math.max(SOMEWHAT, deviation(SOMEWHAT_DEVIATIONS, deciding()) * Math.sqrt(chance));
    }

    /** Returns the variance that chance alone gives to a peer's slowdown at this scale. */
    private static double chance(WatchedPeer peer, Scale scale) {
        return (scale.parts() == 1 ? 1 : OF_MEDIAN) * peer.profile().variance() / peer.last(scale.windows()).answered();
    }

    private static double slowdown(WatchedPeer peer, PeerWindow second) {
        return second.lnLatency() - peer.profile().lnLatency();
    }

    private static boolean slow(WatchedPeer peer, PeerWindow second, double deviations) {
        var usual = peer.profile();
        return slowdown(peer, second) > Math.max(MIN_SLOWDOWN,
                deviations * Math.sqrt(usual.variance() / second.answered() + usual.wander()));
    }

    /**
     * Returns true when all peers were slower by a few per cent over the last seconds. A single such time may be chance; frequent
     * ones have affected the answer. A single peer, or a single neighbour, may be slow by itself, so it never stops the search: any
     * slowness of it counts that is beyond its own spread. What comes from its own load does not count, as a test takes load
     * from it and gives it back. Several peers spread independently of each other.
     */
    boolean isSomewhatSlower(List<Scale> scales) {
        var few = neighbours.isEmpty() ? voting : neighbours;
        if (few.size() < MIN_PEERS && few.stream()
                .anyMatch(alone -> scales.stream()
                        .anyMatch(scale -> slow(alone, scale, DEVIATIONS[1], alone.slowerWhenBusy(scale.windows()))))) {
            return true;
        }
        var scale = scales.getLast();
        boolean single = voting.size() < MIN_PEERS;
        return !voting.isEmpty() && all(SOMEWHAT_DEVIATIONS, peer -> isJudged(peer, scale), deviations -> peer -> peer
                .slower(scale.parts(), scale.windowsEach())
                - (single ? peer.slowerWhenBusy(scale.windows()) : 0) > Math.max(SOMEWHAT,
                        deviations * Math.sqrt(chance(peer, scale) + (single ? peer.profile().wander() : 0))));
    }

    /** Returns true when there are enough peers with enough answers at this scale to show noise. */
    boolean canTell(Scale scale) {
        return deciding().size() >= MIN_PEERS && all(deciding(), peer -> isJudged(peer, scale));
    }

    private static boolean isJudged(WatchedPeer peer, Scale scale) {
        return Double.isFinite(peer.slower(scale.parts(), scale.windowsEach()));
    }

    /** Returns true when requests arrive at all peers and hardly any is answered. */
    boolean standsStill() {
        return deciding().stream().allMatch(peer -> peer.arrivals() >= MIN_EXPECTED)
                && all(DEVIATIONS, peer -> true, unused -> PeerPanel::standsStill);
    }

    private static boolean standsStill(WatchedPeer peer) {
        return peer.last().answered() < STANDS_STILL * peer.arrivals()
                && peer.last().started() > ARRIVING * peer.arrivals();
    }

    /** Returns true when all peers are slower than usual at this scale. */
    boolean isSlow(Scale scale) {
        return all(DEVIATIONS, peer -> isJudged(peer, scale), deviations -> peer -> slow(peer, scale, deviations));
    }

    /**
     * Returns true when all peers have more late requests than usual and than allowed.
     *
     * @param second number of the last windows
     */
    boolean isLate(int second, double usualRate, double allowed) {
        return all(DEVIATIONS, peer -> peer.last(second).answered() >= MIN_EXPECTED,
                deviations -> peer -> late(peer.last(second), usualRate, deviations, allowed));
    }

    /**
     * Returns true when all peers are affected, the neighbours with them, or all of enough neighbours. A neighbour that cannot be
     * judged abstains.
     *
     * @param byVoters deviations by the number of voters
     * @param judged whether a peer has enough answers
     * @param affected whether a peer is, with this deviation
     */
    private boolean all(double[] byVoters, Predicate<WatchedPeer> judged,
            DoubleFunction<Predicate<WatchedPeer>> affected) {
        var near = neighbours.stream().filter(judged).toList();
        var together = affected.apply(deviation(byVoters, voting));
        return (all(voting, together) && all(near, together))
                || (near.size() >= MIN_PEERS && all(near, affected.apply(deviation(byVoters, near))));
    }

    private static double deviation(double[] byVoters, List<WatchedPeer> voters) {
        return byVoters[Math.min(voters.size(), byVoters.length - 1)];
    }

    private static boolean all(List<WatchedPeer> voters, Predicate<WatchedPeer> affected) {
        return count(voters, affected) >= needed(voters.size());
    }

    private static int count(List<WatchedPeer> voters, Predicate<WatchedPeer> affected) {
        int count = 0;
        for (var peer : voters) {
            count += affected.test(peer) ? 1 : 0;
        }
        return count;
    }

    static boolean slow(WatchedPeer peer, Scale scale, double deviations) {
        return slow(peer, scale, deviations, 0);
    }

    /** @param harmless part of the slowdown that is no sign of noise */
    private static boolean slow(WatchedPeer peer, Scale scale, double deviations, double harmless) {
        double slower = peer.slower(scale.parts(), scale.windowsEach()) - harmless;
        if (!(slower > MIN_SLOWDOWN)) {
            return false;
        }
        return slower > deviations * Math.sqrt(chance(peer, scale) + peer.profile().wander());
    }

    private static boolean late(PeerWindow second, double usualRate, double deviations, double allowed) {
        double usually = second.answered() * usualRate;
        return second.late() > Math.max(usually + deviations * Math.sqrt(usually + 1), allowed * second.answered());
    }

    private static int needed(int voters) {
        return voters <= ALL_UP_TO ? voters : (int) Math.ceil(NEARLY_ALL * voters - 1e-9);
    }

    private static double[] deviations(double chance) {
        return IntStream.rangeClosed(0, 2 * PeerWatch.MAX_PEERS)
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
}
