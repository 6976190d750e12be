// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Where a search behind a {@link NoiseGate} is.
 *
 * @param search where the search is, for which time stands still while there is noise
 * @param mode what the gate does
 * @param account of the run so far
 * @param peers what is known of them
 * @param advice of the search, or of the gate while that is shut
 * @param wander how much the SUT's speed wanders by itself at the natural load, see {@link SpeedWander}; NaN while it is not known
 */
public record GatedState(SearchPhaseState search, Mode mode, NoiseAccount account, PeerProfiles peers,
        SearchAdvice advice, double wander) implements SearchState {

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
         * @param clearSeconds for which peers have their usual speed and no requests queue at the SUT
         * @param usualSeconds for which peers have their usual speed
         * @param noisySeconds for which they are not
         */
        record Shut(double level, double low, double clearSeconds, double usualSeconds,
                double noisySeconds) implements Mode {}

        /**
         * The noise is over; the load goes back to the level.
         *
         * @param level load of the search, requests/s
         * @param seconds until what is seen counts
         */
        record Opening(double level, double seconds) implements Mode {}
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

    @Override
    public Optional<NoiseAccount> noise() {
        return account.watchedSeconds() > 0 || account.cutSeconds() > 0 ? Optional.of(account) : Optional.empty();
    }

    @Override
    public OptionalDouble speedWander() {
        return Double.isNaN(wander) ? OptionalDouble.empty() : OptionalDouble.of(wander);
    }

    @Override
    public int stalls() {
        return search.stalls();
    }

    /** @param deviation NaN leaves the one that is known */
    GatedState wandering(double deviation) {
        return Double.isNaN(deviation) ? this : new GatedState(search, mode, account, peers, advice, deviation);
    }

    GatedState with(NoiseAccount newer) {
        return new GatedState(search, mode, newer, peers, advice, wander);
    }

    GatedState with(SearchPhaseState newSearch, Mode newMode, SearchAdvice newAdvice) {
        return new GatedState(newSearch, newMode, account, peers, newAdvice, wander);
    }

    GatedState with(Mode newMode, SearchAdvice newAdvice) {
        return with(search, newMode, newAdvice);
    }
}
