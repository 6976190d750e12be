// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/** Where a search is. Immutable; each search has its own kinds. */
public interface SearchState {

    /** What was advised last. */
    Advice advice();

    /** Whether the last advice is the answer. An ended search repeats it. */
    default boolean ended() {
        return advice().phase() == Advice.Phase.ENDED;
    }
}
