// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Locale;
import java.util.Optional;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * Counts the time with and without noise in a run, and the onsets of noise: at the natural load, and at loads clearly above it.
 * The account begins when the peers' usual speed is known, or when the time for learning it is over, with the baseline.
 *
 * @param seconds length of the account
 * @param cutSeconds seconds whose windows were kept from the search
 * @param noisyPart part of about the last minute with noise, 0 to 1
 * @param naturalOnsets onsets at or near the natural load
 * @param loadedOnsets onsets at loads clearly above the natural one
 * @param watchedSeconds seconds passed to the search in which at least one peer was known
 * @param slowerSeconds watched seconds in which all peers were somewhat slower than usual
 * @param episodes of noise at the natural load since the peers were first watched; beside noise that is a state, at any load
 */
public record NoiseAccount(double seconds, double cutSeconds, double noisyPart, Onsets naturalOnsets,
        Onsets loadedOnsets,
        double watchedSeconds, double slowerSeconds, NoiseEpisodes episodes) {

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

    static final NoiseAccount NOTHING = new NoiseAccount(0, 0, 0, Onsets.NONE, Onsets.NONE, 0, 0,
            NoiseEpisodes.NONE);

    /** Part of the run that may be kept from the search. With more, undetected noise in the rest is likely. */
    private static final double MAX_CUT = 0.7;

    private static final double SOME_CUT = 0.1;

    private static final double WIDE = 0.2;

    /** Maximum part of the comparisons in which peers may be slow by themselves. With more they are no control. */
    static final double ILL = 0.1;

    private static final double MIN_ACCOUNT_SECONDS = 30;

    /** Time over which the noisy part is averaged. */
    private static final double AVERAGED_SECONDS = 60;

    /** Minimum number of onsets under load that show a shared bottleneck. */
    private static final int MIN_ONSETS = 8;

    /** Minimum time without noise at the natural load for a comparison with the time under load. */
    private static final double MIN_USUAL_SECONDS = 10;

    /** Probability below which so many onsets under load are not chance. */
    private static final double SIGNIFICANCE = 0.0001;

    /** Adds the time of a window. */
    NoiseAccount passed(double length, boolean noisy, boolean loaded) {
        double weight = length / Math.min(seconds + length, AVERAGED_SECONDS);
        return new NoiseAccount(seconds + length, cutSeconds, noisyPart + weight * ((noisy ? 1 : 0) - noisyPart),
                noisy || loaded ? naturalOnsets : naturalOnsets.usual(length),
                noisy || !loaded ? loadedOnsets : loadedOnsets.usual(length),
                watchedSeconds, slowerSeconds, episodes);
    }

    /** Counts an onset of noise. */
    NoiseAccount onset(boolean loaded) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, loaded ? naturalOnsets : naturalOnsets.begun(),
                loaded ? loadedOnsets.begun() : loadedOnsets, watchedSeconds, slowerSeconds, episodes);
    }

    /** Adds time that is kept from the search. */
    NoiseAccount cut(double length) {
        return new NoiseAccount(seconds, cutSeconds + length, noisyPart, naturalOnsets, loadedOnsets, watchedSeconds,
                slowerSeconds, episodes);
    }

    /** Adds time that is passed to the search and in which at least one peer is known. */
    NoiseAccount watched(double length, boolean slower) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, naturalOnsets, loadedOnsets, watchedSeconds + length,
                slowerSeconds + (slower ? length : 0), episodes);
    }

    NoiseAccount with(NoiseEpisodes newEpisodes) {
        return new NoiseAccount(seconds, cutSeconds, noisyPart, naturalOnsets, loadedOnsets, watchedSeconds,
                slowerSeconds, newEpisodes);
    }

    /**
     * Returns the account of a search that begins anew. The onsets tell of the machine, whichever search saw them. So do episodes beside
     * which the peers break the SLA: they are not taken for a state once more.
     */
    NoiseAccount anew() {
        return new NoiseAccount(0, 0, 0, naturalOnsets, loadedOnsets, 0, 0,
                episodes.breaksSla() ? episodes : NoiseEpisodes.NONE);
    }

    /** Returns the part of the time that was kept from the search, 0 to 1. */
    public double cutPart() {
        return seconds > 0 ? Math.min(1, cutSeconds / seconds) : 0;
    }

    /** Returns the part of the watched time in which all peers were somewhat slower than usual, 0 to 1; NaN without such time. */
    public double slowerPart() {
        return slowerSeconds / watchedSeconds;
    }

    /** Returns why time was left out. It includes the time after the noise, until the load is back. */
    public static String whyLeftOut(String noisyPeers) {
        return "as " + noisyPeers + " were slow then or shortly before";
    }

    /**
     * Returns why noise prevents an answer; empty when it does not.
     *
     * @param noisyPeers see {@link SearchState#noisyPeers}
     */
    Optional<String> objection(SearchAdvice advice, String noisyPeers) {
        String leftOut = String.format(Locale.ROOT, "%.0f %% of the time was left out, %s", 100 * cutPart(),
                whyLeftOut(noisyPeers));
        if (cutPart() > MAX_CUT) {
            return Optional.of("noise: " + leftOut + ", and what is left is too little");
        }
        boolean wide = advice.estimate().filter(it -> it.high() < Double.POSITIVE_INFINITY
                && (it.high() - it.low()) / 2 > WIDE * it.capacity()).isPresent();
        return cutPart() > SOME_CUT && wide
                ? Optional.of("noise: " + leftOut + ", and the answer is too wide")
                : Optional.empty();
    }

    /** Returns true when noise is a state of the machine in this run, too, and not too frequent lately. */
    boolean isNoiseState() {
        return episodes.isState() && seconds >= MIN_ACCOUNT_SECONDS && noisyPart <= NoiseEpisodes.MAX_PART;
    }

    /** Returns true when noise begins far more often while the SUT is loaded. Its load then slows a resource that all share. */
    boolean isSharedBottleneck() {
        double usual = naturalOnsets.usualSeconds() + loadedOnsets.usualSeconds();
        return loadedOnsets.count() >= MIN_ONSETS && naturalOnsets.usualSeconds() > MIN_USUAL_SECONDS
                && 1 - new BinomialDistribution(null, naturalOnsets.count() + loadedOnsets.count(),
                        loadedOnsets.usualSeconds() / usual)
                        .cumulativeProbability(loadedOnsets.count() - 1) < SIGNIFICANCE;
    }
}
