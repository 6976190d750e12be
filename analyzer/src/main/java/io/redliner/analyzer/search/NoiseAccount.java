// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * Times with and without noise in a run, and the onsets of noise, at the natural load and clearly above it. It begins when the
 * peers' usual speed is known, or is not waited for any longer.
 *
 * @param seconds in all
 * @param cutSeconds seconds that were kept from the search
 * @param noisyPart part of about the last minute with noise, 0 to 1
 * @param onsets of noise at or near the natural load
 * @param onsetsLoaded onsets of noise at loads above
 * @param usualSeconds seconds without noise at or near the natural load
 * @param usualSecondsLoaded seconds without noise at loads above
 * @param watchedSeconds seconds passed to the search in which at least one peer was known
 * @param slowerSeconds watched seconds in which all peers were somewhat slower than usual
 */
public record NoiseAccount(double seconds, double cutSeconds, double noisyPart, int onsets, int onsetsLoaded,
        double usualSeconds, double usualSecondsLoaded, double watchedSeconds, double slowerSeconds) {

    static final NoiseAccount NOTHING = new NoiseAccount(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final double REMEMBERED_SECONDS = 60;

    private static final int MIN_ONSETS = 8;

    private static final double MIN_USUAL_SECONDS = 10;

    private static final double BY_CHANCE = 0.0001;

    /** Adds the time of a window. */
    NoiseAccount passed(double length, boolean noisy, boolean loaded) {
        double weight = length / Math.min(seconds + length, REMEMBERED_SECONDS);
        return new NoiseAccount(seconds + length, cutSeconds, noisyPart + weight * ((noisy ? 1 : 0) - noisyPart),
                onsets, onsetsLoaded, usualSeconds + (noisy || loaded ? 0 : length),
                usualSecondsLoaded + (noisy || !loaded ? 0 : length), watchedSeconds, slowerSeconds);
    }

    /** Counts an onset of noise. */
    NoiseAccount begun(boolean loaded) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, onsets + (loaded ? 0 : 1),
                onsetsLoaded + (loaded ? 1 : 0), usualSeconds, usualSecondsLoaded, watchedSeconds, slowerSeconds);
    }

    /** Adds time that is kept from the search. */
    NoiseAccount cut(double length) {
        return new NoiseAccount(seconds, cutSeconds + length, noisyPart, onsets, onsetsLoaded, usualSeconds,
                usualSecondsLoaded, watchedSeconds, slowerSeconds);
    }

    /** Adds time that is passed to the search and in which peers are known. */
    NoiseAccount seen(double length, boolean slower) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, onsets, onsetsLoaded, usualSeconds,
                usualSecondsLoaded, watchedSeconds + length, slowerSeconds + (slower ? length : 0));
    }

    /** Returns the part of the time that was kept from the search, 0 to 1. */
    public double cutPart() {
        return seconds > 0 ? Math.min(1, cutSeconds / seconds) : 0;
    }

    /** Returns the part of the watched time in which all peers were somewhat slower than usual, 0 to 1; NaN without such time. */
    public double slowerPart() {
        return slowerSeconds / watchedSeconds;
    }

    /** Returns true when noise begins far more often while the SUT is loaded: its load then slows a resource that all share. */
    boolean isSharedBottleneck() {
        double usual = usualSeconds + usualSecondsLoaded;
        return onsetsLoaded >= MIN_ONSETS && usualSeconds > MIN_USUAL_SECONDS
                && 1 - new BinomialDistribution(null, onsets + onsetsLoaded, usualSecondsLoaded / usual)
                        .cumulativeProbability(onsetsLoaded - 1) < BY_CHANCE;
    }
}
