// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Optional;

/** The state of a {@link BayesianCapacitySearch}, by phase. */
public sealed interface SearchPhaseState extends SearchState {

    /** Returns the state that all phases share. */
    SearchContext common();

    @Override
    default SearchAdvice advice() {
        return common().advice();
    }

    @Override
    default int stalls() {
        return common().stalls();
    }

    /** Returns the same phase with another shared state. */
    SearchPhaseState with(SearchContext common);

    /**
     * Measures at the natural load.
     *
     * @param sample totals of this block
     * @param latency mean of the block before, seconds; NaN for none
     */
    record Baselining(SearchContext common, LoadTotals sample, double latency) implements SearchPhaseState {

        @Override
        public boolean cold() {
            return !(sample.seconds() > 0) && !Double.isNaN(latency);
        }

        @Override
        public Baselining with(SearchContext newContext) {
            return new Baselining(newContext, sample, latency);
        }
    }

    /**
     * Raises the load until the first signs of the knee.
     *
     * @param searchHistory results of earlier steps; empty in the first ramp
     * @param target requests/s
     * @param latency smoothed mean, seconds
     * @param history windows of the last seconds, oldest first
     * @param levels largest utilisation of a limit on a level in the last window
     * @param cappedSeconds seconds at the highest reachable load
     * @param stepLoad target at which the step began
     */
    record Ramping(SearchContext common, BaselineProfile base, Optional<SearchHistory> searchHistory, double target,
            double latency,
            List<LoadTotals> history, double levels, double cappedSeconds, double stepLoad)
            implements
                SearchPhaseState {

        public Ramping {
            history = List.copyOf(history);
        }

        @Override
        public Ramping with(SearchContext newContext) {
            return new Ramping(newContext, base, searchHistory, target, latency, history, levels, cappedSeconds,
                    stepLoad);
        }
    }

    /**
     * Holds a load just below the knee for one step.
     *
     * @param latency smoothed mean, seconds
     * @param whole all windows since the step began
     * @param counted the windows after settling
     * @param seconds length of the step
     * @param settling seconds at the step's beginning that do not count
     * @param drained true when the step follows a drain
     */
    record Confirming(SearchContext common, BaselineProfile base, SearchHistory history, double target, double latency,
            LoadTotals whole, LoadTotals counted,
            double seconds, double settling, boolean drained) implements SearchPhaseState {

        @Override
        public Confirming with(SearchContext newContext) {
            return new Confirming(newContext, base, history, target, latency, whole, counted, seconds, settling,
                    drained);
        }
    }

    /**
     * Sheds load until the queue is worked off.
     *
     * @param load at which the alarm was raised, requests/s
     * @param part of that load which is requested
     * @param normal requests in flight at most when the queue is worked off
     * @param elapsed seconds
     * @param quietSeconds for which the queue has been worked off
     * @param nextLook elapsed seconds at which the requests in flight are next compared with {@code inFlight}
     * @param inFlight requests in flight at the last look
     * @param stalled true when the alarm was a stall
     * @param then the interrupted phase
     */
    record Draining(SearchContext common, BaselineProfile base, double load, double part, double normal, double elapsed,
            double quietSeconds, double nextLook, double inFlight, boolean stalled,
            Then then) implements SearchPhaseState {

        @Override
        public Draining with(SearchContext newContext) {
            return new Draining(newContext, base, load, part, normal, elapsed, quietSeconds, nextLook, inFlight,
                    stalled,
                    then);
        }
    }

    /** The search has ended, and its last advice is the answer. */
    record Ended(SearchContext common) implements SearchPhaseState {

        @Override
        public Ended with(SearchContext newContext) {
            return new Ended(newContext);
        }
    }

    /** The phase that an alarm interrupted. */
    sealed interface Then {

        /**
         * The ramp.
         *
         * @param history with a grid around the load of the alarm
         */
        record RampEnds(SearchHistory history, double latency) implements Then {}

        /**
         * A step.
         *
         * @param raised the alarm that cut it off
         */
        record StepEnds(Confirming step, AlarmDetector.RaisedAlarm raised) implements Then {}
    }
}
