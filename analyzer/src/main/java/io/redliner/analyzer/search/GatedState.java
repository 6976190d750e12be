// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchPhaseState.Baselining;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The state of a search behind a {@link NoiseGate}.
 *
 * @param search state of the search, for which time stands still while there is noise
 * @param mode of the gate
 * @param account of the noise so far
 * @param peers profiles of the peers
 * @param advice of the search, or of the gate while it is shut
 * @param wander variation of the SUT's speed by itself at the natural load, see {@link SpeedWander}; NaN while unknown
 */
public record GatedState(SearchPhaseState search, Mode mode, NoiseAccount account, PeerProfiles peers,
        SearchAdvice advice, double wander) implements SearchState {

    /** The mode of the gate. */
    public sealed interface Mode {

        /**
         * The gate learns the usual speed of the peers.
         *
         * @param seconds so far
         */
        record Watching(double seconds) implements Mode {}

        /** There is no noise; the search goes on. */
        record Open() implements Mode {}

        /**
         * There is noise, or a queue that it left at the SUT.
         *
         * @param level load of the search, requests/s
         * @param low load until the noise is over, requests/s
         * @param clearSeconds for which peers have had their usual speed and no requests have queued at the SUT
         * @param usualSeconds for which peers have had their usual speed
         * @param noisySeconds for which peers have been slow
         */
        record Shut(double level, double low, double clearSeconds, double usualSeconds,
                double noisySeconds) implements Mode {}

        /**
         * The noise is over; the load goes back to the level.
         *
         * @param level load of the search, requests/s
         * @param seconds until windows count again
         */
        record Opening(double level, double seconds) implements Mode {}
    }

    /** Is also true while nothing is measured: at the beginning of the watch, and in noise. */
    @Override
    public boolean cold() {
        return search.cold() || !countsLastWindow() || !isMeasured();
    }

    @Override
    public boolean countsLastWindow() {
        return mode instanceof Mode.Open || (mode instanceof Mode.Watching && isMeasured());
    }

    /** Returns true when the search has taken a window. */
    boolean isMeasured() {
        return !(search instanceof Baselining now) || now.sample().seconds() > 0 || !Double.isNaN(now.latency());
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

    /** @param deviation the new variation; NaN keeps the present one */
    GatedState wandering(double deviation) {
        return Double.isNaN(deviation) ? this : new GatedState(search, mode, account, peers, advice, deviation);
    }

    GatedState with(NoiseAccount newAccount) {
        return new GatedState(search, mode, newAccount, peers, advice, wander);
    }

    GatedState with(SearchPhaseState newSearch, Mode newMode, SearchAdvice newAdvice) {
        return new GatedState(newSearch, newMode, account, peers, newAdvice, wander);
    }

    GatedState with(Mode newMode, SearchAdvice newAdvice) {
        return with(search, newMode, newAdvice);
    }
}
