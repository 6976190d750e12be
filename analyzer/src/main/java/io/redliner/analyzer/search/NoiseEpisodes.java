// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * Counts the times in which all peers were slow, with the peers' late requests.
 *
 * @param count number of episodes
 * @param seconds length of the time that was watched
 * @param noisySeconds part of it in which all peers were slow
 * @param longest seconds of the longest episode
 * @param current seconds of the present episode; 0 without noise
 * @param quiet seconds since the last episode, or of the whole time before the first; 0 in noise
 * @param late requests of the peers above the latency limit, after the watch those in noise; failed ones count as the late ones that
 *        are as bad
 * @param allowed requests of the peers that might have been late
 */
public record NoiseEpisodes(int count, double seconds, double noisySeconds, double longest, double current,
        double quiet,
        long late, double allowed) {

    static final NoiseEpisodes NONE = new NoiseEpisodes(0, 0, 0, 0, 0, 0, 0, 0);

    private static final int MIN_COUNT = 3;

    /** Time without noise per episode: with a longer one, the noise is cut out. */
    private static final double MAX_GAP_SECONDS = 30;

    private static final double MIN_OVER_SECONDS = 2 * MAX_GAP_SECONDS;

    /** Mean times without noise between two episodes after which it is over. */
    private static final double OVER_GAPS = 8;

    private static final double MIN_PART = 0.03;

    static final double MAX_PART = 0.45;

    private static final double MAX_LENGTH = 10;

    /** Late requests of the peers per request that might be late. With more there is no capacity beside this noise. */
    private static final double MAX_LATE = 2;

    /** Half width of the interval after one episode, relative to the capacity; it falls with the square root of their number. */
    private static final double HALF_WIDTH = 0.9;

    /** Time from which on too few episodes are not waited for any more. */
    private static final double DECIDED_SECONDS = 100;

    /** Shortest time in the run for the late requests. */
    private static final double MIN_RUN_SECONDS = 20;

    /**
     * Adds the time of a window. Noise that is going on counts when it did so before.
     *
     * @param counts false for noise that may be of the SUT's load
     */
    NoiseEpisodes passed(double length, boolean noisy, boolean counts) {
        return noisy && !counts && !(current > 0) ? this : passed(length, noisy);
    }

    /** Adds the time of a window. */
    NoiseEpisodes passed(double length, boolean noisy) {
        double lasting = noisy ? current + length : 0;
        return new NoiseEpisodes(count + (noisy && !(current > 0) ? 1 : 0), seconds + length,
                noisySeconds + (noisy ? length : 0), Math.max(longest, lasting), lasting, noisy ? 0 : quiet + length,
                late, allowed);
    }

    /** Adds requests of the peers. */
    NoiseEpisodes requests(long newLate, double newAllowed) {
        return new NoiseEpisodes(count, seconds, noisySeconds, longest, current, quiet, late + newLate,
                allowed + newAllowed);
    }

    /** Adds the requests of others, which are about the same time. */
    NoiseEpisodes requestsOf(NoiseEpisodes others) {
        return requests(others.late, others.allowed);
    }

    /** Returns the part of the time with noise, 0 to 1. */
    public double part() {
        return seconds > 0 ? noisySeconds / seconds : 0;
    }

    /** Widens an interval to what so few episodes allow: each is as long and as strong as it happens to be. */
    CapacityEstimate widen(CapacityEstimate estimate) {
        double half = estimate.capacity() * Math.min(0.9, HALF_WIDTH / Math.sqrt(Math.max(1, count)));
        return new CapacityEstimate(estimate.capacity(), Math.min(estimate.low(), estimate.capacity() - half),
                Math.max(estimate.high(), estimate.capacity() + half), estimate.lastGood(), estimate.limit());
    }

    /**
     * Returns true when noise is a state of the machine: it comes often, is soon over, and the peers keep the SLA in spite of it, so
     * that there is a capacity beside it.
     */
    boolean isState() {
        return !isOver() && count >= MIN_COUNT && seconds - noisySeconds <= count * MAX_GAP_SECONDS && isBearable()
                && part() >= MIN_PART;
    }

    /**
     * Returns true when so much time has passed without noise that it is no state of the machine any more. The time is twice the
     * longest mean gap of such noise, and some mean gaps of this one. One of 3 000 exponential gaps is as long.
     */
    boolean isOver() {
        return count > 0
                && quiet >= Math.max(MIN_OVER_SECONDS, OVER_GAPS * (seconds - noisySeconds - quiet) / count) - 1e-6;
    }

    /**
     * Returns true when a longer look at the natural load would not change the answer. Noise that has been away for longer than the
     * gaps of frequent noise is not waited for. Histories do not tell whether users were late.
     *
     * @param runSeconds watched in the run itself
     */
    boolean isDecided(double runSeconds) {
        boolean few = count > 0 && count < MIN_COUNT && isBearable() && seconds < DECIDED_SECONDS
                && quiet < MAX_GAP_SECONDS;
        return !few && !(isState() && runSeconds < MIN_RUN_SECONDS);
    }

    private boolean isBearable() {
        return part() <= MAX_PART && longest <= MAX_LENGTH && !breaksSla();
    }

    /** Returns true when the peers break the SLA beside this noise, so that there is no capacity beside it. */
    boolean breaksSla() {
        return late > MAX_LATE * allowed;
    }

    /** Returns true when noise that was a state of the machine is none any more: it is over, or the peers break the SLA beside it. */
    boolean isNoState() {
        return isOver() || breaksSla();
    }
}
