// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * How much of a run noise touched, and how often it began, at the natural load and clearly above it. Begins when the peers are
 * known, or are not waited for any longer.
 *
 * @param seconds in all
 * @param cutSeconds of those, what the search has not seen
 * @param noisyPart of about the last minute, 0 to 1
 * @param onsets of noise at or near the natural load
 * @param onsetsLoaded of noise above
 * @param usualSeconds without noise, at or near the natural load
 * @param usualSecondsLoaded without noise, above
 * @param watchedSeconds of what the search has seen, with peers that are known
 * @param slowerSeconds of those, with all of them somewhat slower than usual
 */
public record NoiseAccount(double seconds, double cutSeconds, double noisyPart, int onsets, int onsetsLoaded,
        double usualSeconds, double usualSecondsLoaded, double watchedSeconds, double slowerSeconds) {

    static final NoiseAccount NOTHING = new NoiseAccount(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final double REMEMBERED_SECONDS = 60;

    private static final int MIN_ONSETS = 8;

    private static final double MIN_USUAL_SECONDS = 10;

    private static final double BY_CHANCE = 0.0001;

    /** One more window. */
    NoiseAccount passed(double length, boolean noisy, boolean loaded) {
        double weight = length / Math.min(seconds + length, REMEMBERED_SECONDS);
        return new NoiseAccount(seconds + length, cutSeconds, noisyPart + weight * ((noisy ? 1 : 0) - noisyPart),
                onsets, onsetsLoaded, usualSeconds + (noisy || loaded ? 0 : length),
                usualSecondsLoaded + (noisy || !loaded ? 0 : length), watchedSeconds, slowerSeconds);
    }

    /** Noise began with that window. */
    NoiseAccount begun(boolean loaded) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, onsets + (loaded ? 0 : 1),
                onsetsLoaded + (loaded ? 1 : 0), usualSeconds, usualSecondsLoaded, watchedSeconds, slowerSeconds);
    }

    /** The search does not see so much. */
    NoiseAccount cut(double length) {
        return new NoiseAccount(seconds, cutSeconds + length, noisyPart, onsets, onsetsLoaded, usualSeconds,
                usualSecondsLoaded, watchedSeconds, slowerSeconds);
    }

    /** The search sees so much, with peers that are known. */
    NoiseAccount seen(double length, boolean slower) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, onsets, onsetsLoaded, usualSeconds,
                usualSecondsLoaded, watchedSeconds + length, slowerSeconds + (slower ? length : 0));
    }

    /** Of all time what the search has not seen, 0 to 1. */
    public double cutPart() {
        return seconds > 0 ? Math.min(1, cutSeconds / seconds) : 0;
    }

    /** Of what it has seen, the part in which all peers were somewhat slower than usual, 0 to 1; NaN when no two were known. */
    public double slowerPart() {
        return slowerSeconds / watchedSeconds;
    }

    /** Something that all share gives way under the SUT's load: slowness then begins far more often while it is loaded. */
    boolean isSharedBottleneck() {
        double usual = usualSeconds + usualSecondsLoaded;
        return onsetsLoaded >= MIN_ONSETS && usualSeconds > MIN_USUAL_SECONDS
                && 1 - new BinomialDistribution(null, onsets + onsetsLoaded, usualSecondsLoaded / usual)
                        .cumulativeProbability(onsetsLoaded - 1) < BY_CHANCE;
    }
}
