// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * Where a search behind a {@link NoiseGate} is.
 *
 * @param search where the search is, for which time stands still while there is noise
 * @param mode what the gate does
 * @param account of the run so far
 * @param peers what is known of them
 * @param advice of the search, or of the gate while that is shut
 */
public record GatedState(SearchPhaseState search, Mode mode, Account account, PeerProfiles peers,
        SearchAdvice advice) implements SearchState {

    /** What the gate does. */
    public sealed interface Mode {

        /**
         * It is not known yet how fast the peers usually are.
         *
         * @param seconds so far
         */
        record Watching(double seconds) implements Mode {}

        /** There is no noise; the search goes on. */
        record Open() implements Mode {}

        /**
         * There is noise, or what it left at the SUT.
         *
         * @param level load of the search, requests/s
         * @param low load until it is over, requests/s
         * @param calmSeconds for which peers are usual and nothing waits at the SUT
         * @param usualSeconds for which peers are usual
         * @param noisySeconds for which they are not
         */
        record Shut(double level, double low, double calmSeconds, double usualSeconds,
                double noisySeconds) implements Mode {}

        /**
         * The noise is over; the load goes back to the level.
         *
         * @param level load of the search, requests/s
         * @param seconds until what is seen counts
         */
        record Opening(double level, double seconds) implements Mode {}
    }

    /**
     * Of time and of how often noise began, at the natural load and clearly above it, since the peers are known.
     *
     * @param seconds in all
     * @param cutSeconds of those, what the search has not seen
     * @param noisyPart of about the last minute, 0 to 1
     * @param onsets of noise at or near the natural load
     * @param onsetsLoaded of noise above
     * @param usualSeconds without noise, at or near the natural load
     * @param usualSecondsLoaded without noise, above
     */
    public record Account(double seconds, double cutSeconds, double noisyPart, int onsets, int onsetsLoaded,
            double usualSeconds, double usualSecondsLoaded) {

        private static final double REMEMBERED_SECONDS = 60;

        static final Account NOTHING = new Account(0, 0, 0, 0, 0, 0, 0);

        Account passed(double length, boolean noisy, boolean loaded) {
            double weight = length / Math.min(seconds + length, REMEMBERED_SECONDS);
            return new Account(seconds + length, cutSeconds, noisyPart + weight * ((noisy ? 1 : 0) - noisyPart), onsets,
                    onsetsLoaded, usualSeconds + (noisy || loaded ? 0 : length),
                    usualSecondsLoaded + (noisy || !loaded ? 0 : length));
        }

        Account cut(double length) {
            return new Account(seconds, cutSeconds + length, noisyPart, onsets, onsetsLoaded, usualSeconds,
                    usualSecondsLoaded);
        }

        Account begun(boolean loaded) {
            return new Account(seconds, cutSeconds, noisyPart, onsets + (loaded ? 0 : 1),
                    onsetsLoaded + (loaded ? 1 : 0), usualSeconds, usualSecondsLoaded);
        }

        double cutPart() {
            return seconds > 0 ? cutSeconds / seconds : 0;
        }
    }

    /** What was seen before the peers were known, or while they were slow, is no baseline. */
    @Override
    public boolean cold() {
        return search.cold() || !(mode instanceof Mode.Open);
    }

    @Override
    public boolean takesNotice() {
        return mode instanceof Mode.Open;
    }

    GatedState with(Account newer) {
        return new GatedState(search, mode, newer, peers, advice);
    }

    GatedState with(SearchPhaseState newSearch, Mode newMode, SearchAdvice newAdvice) {
        return new GatedState(newSearch, newMode, account, peers, newAdvice);
    }

    GatedState with(Mode newMode, SearchAdvice newAdvice) {
        return with(search, newMode, newAdvice);
    }
}
