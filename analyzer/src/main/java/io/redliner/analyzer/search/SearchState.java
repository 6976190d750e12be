// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Optional;
import java.util.OptionalDouble;

/** The state of a search. Immutable; each kind of search has its own states. */
public interface SearchState {

    /** Returns the last advice. */
    SearchAdvice advice();

    /** Returns true when the windows at the natural load up to the last one were discarded, because the server was cold. */
    default boolean cold() {
        return false;
    }

    /**
     * Returns true while a baseline is measured whose first seconds are over. They may be at the load of before. A search that
     * begins anew measures another baseline, whatever phase it reports.
     */
    default boolean settledInBaseline() {
        return false;
    }

    /** Returns true when the last window was passed to the search, and not left out because of noise. */
    default boolean countsLastWindow() {
        return true;
    }

    /** Returns the noise of the run; empty when no noise could have been detected. */
    default Optional<NoiseAccount> noise() {
        return Optional.empty();
    }

    /** Returns the peers that are slow in noise, for messages. */
    default String noisyPeers() {
        return PeerProfiles.NONE.noisyPeers();
    }

    /** Returns true when half of the peers or more were often slow while others were not: they are a poor control. */
    default boolean peersAreIll() {
        return false;
    }

    /** Returns true when noise was so frequent that it counts: the answer is the capacity beside such neighbours. */
    default boolean besideNeighbours() {
        return false;
    }

    /**
     * Returns the relative standard deviation of the SUT's speed from second to second at the natural load, beyond that of its
     * peers; empty when unknown.
     */
    default OptionalDouble speedWander() {
        return OptionalDouble.empty();
    }

    /** Returns how often the SUT stood still although requests came; 0 from a search that does not detect it. */
    default int stalls() {
        return 0;
    }

    /** Returns true when the search has ended. It then repeats its last advice. */
    default boolean ended() {
        return advice().phase() == SearchAdvice.Phase.ENDED;
    }
}
