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
 * @param naturalOnsets at or near the natural load
 * @param loadedOnsets at loads above
 * @param watchedSeconds seconds passed to the search in which at least one peer was known
 * @param slowerSeconds watched seconds in which all peers were somewhat slower than usual
 */
public record NoiseAccount(double seconds, double cutSeconds, double noisyPart, Onsets naturalOnsets,
        Onsets loadedOnsets,
        double watchedSeconds, double slowerSeconds) {

    /**
     * How often noise began at some loads.
     *
     * @param count of onsets
     * @param usualSeconds seconds without noise
     */
    public record Onsets(int count, double usualSeconds) {

        /** No time at these loads. */
        public static final Onsets NONE = new Onsets(0, 0);

        Onsets begun() {
            return new Onsets(count + 1, usualSeconds);
        }

        Onsets usual(double length) {
            return new Onsets(count, usualSeconds + length);
        }
    }

    static final NoiseAccount NOTHING = new NoiseAccount(0, 0, 0, Onsets.NONE, Onsets.NONE, 0, 0);

    private static final double REMEMBERED_SECONDS = 60;

    private static final int MIN_ONSETS = 8;

    private static final double MIN_USUAL_SECONDS = 10;

    private static final double BY_CHANCE = 0.0001;

    /** Adds the time of a window. */
    NoiseAccount passed(double length, boolean noisy, boolean loaded) {
        double weight = length / Math.min(seconds + length, REMEMBERED_SECONDS);
        return new NoiseAccount(seconds + length, cutSeconds, noisyPart + weight * ((noisy ? 1 : 0) - noisyPart),
                noisy || loaded ? naturalOnsets : naturalOnsets.usual(length),
                noisy || !loaded ? loadedOnsets : loadedOnsets.usual(length),
                watchedSeconds, slowerSeconds);
    }

    /** Counts an onset of noise. */
    NoiseAccount begun(boolean loaded) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, loaded ? naturalOnsets : naturalOnsets.begun(),
                loaded ? loadedOnsets.begun() : loadedOnsets, watchedSeconds, slowerSeconds);
    }

    /** Adds time that is kept from the search. */
    NoiseAccount cut(double length) {
        return new NoiseAccount(seconds, cutSeconds + length, noisyPart, naturalOnsets, loadedOnsets, watchedSeconds,
                slowerSeconds);
    }

    /** Adds time that is passed to the search and in which peers are known. */
    NoiseAccount seen(double length, boolean slower) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, naturalOnsets, loadedOnsets, watchedSeconds + length,
                slowerSeconds + (slower ? length : 0));
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
        double usual = naturalOnsets.usualSeconds() + loadedOnsets.usualSeconds();
        return loadedOnsets.count() >= MIN_ONSETS && naturalOnsets.usualSeconds() > MIN_USUAL_SECONDS
                && 1 - new BinomialDistribution(null, naturalOnsets.count() + loadedOnsets.count(),
                        loadedOnsets.usualSeconds() / usual)
                        .cumulativeProbability(loadedOnsets.count() - 1) < BY_CHANCE;
    }
}
