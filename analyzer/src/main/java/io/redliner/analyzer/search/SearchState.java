// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.Optional;
import java.util.OptionalDouble;

/** Where a search is. Immutable; each search has its own kinds. */
public interface SearchState {

    /** What was advised last. */
    SearchAdvice advice();

    /** Whether what was seen at the natural load up to the last window was thrown away, because the server was cold. */
    default boolean cold() {
        return false;
    }

    /** Whether the search has learnt from the last window, or at least could have. */
    default boolean takesNotice() {
        return true;
    }

    /** How much noise touched the run; empty when nobody could have seen any. */
    default Optional<NoiseAccount> noise() {
        return Optional.empty();
    }

    /** Standard deviation of the SUT's speed at the natural load, relative, by itself and from second to second; empty when it is not known. */
    default OptionalDouble speedWander() {
        return OptionalDouble.empty();
    }

    /** How often the SUT stood still although requests came; a search that does not look for it knows of none. */
    default int stalls() {
        return 0;
    }

    /** Whether the last advice is the answer. An ended search repeats it. */
    default boolean ended() {
        return advice().phase() == SearchAdvice.Phase.ENDED;
    }
}
