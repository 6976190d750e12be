// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.sla.LatencyHistory;
import io.redliner.sla.SlaEvaluation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the load at which the SLA breaks. A step function from a state and a window to the next state, which contains the advice.
 * Time is the length of the windows.
 */
public interface CapacitySearch {

    /** Returns the state before the first window. */
    SearchState begin();

    /**
     * Returns the state after a window, with the advice for the time after it.
     *
     * @param state from {@link #begin} or from this method of the same kind of search
     */
    SearchState advise(SearchState state, SearchInput window);

    /**
     * Returns what a search has counted and fitted; empty when it has tried no load, or no limit is on a part of the requests.
     *
     * @param state as for {@link #advise}
     * @param sla of the newest window, for the names and the values of the limits
     */
    default Optional<ExceedanceCurve> curve(SearchState state, SlaEvaluation sla) {
        return Optional.empty();
    }

    /**
     * Adds latencies from before the run. The same history may be added more than once.
     *
     * @param state as for {@link #advise}
     * @param histories of each instance, one of each collector
     * @param sut address of the SUT
     * @param windowLength of the windows that follow
     */
    default SearchState recall(SearchState state, Map<String, List<LatencyHistory>> histories, String sut,
            Duration windowLength) {
        return state;
    }
}
