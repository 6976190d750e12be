// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

/**
 * Finds the load at which the SLA breaks. A pure step function: all memory is in the state, time is the length of the
 * windows, and what is advised comes out with the next state.
 */
public interface CapacitySearch {

    /** Before the first window. */
    SearchState begin();

    /**
     * The state after a window; its advice is for the time after it.
     *
     * @param state from {@link #begin} or from this method of the same kind of search
     */
    SearchState advise(SearchState state, SearchInput window);
}
