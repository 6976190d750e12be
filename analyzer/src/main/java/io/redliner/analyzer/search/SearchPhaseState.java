// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import java.util.List;
import java.util.Optional;

/** Where a {@link BayesianCapacitySearch} is. */
public sealed interface SearchPhaseState extends SearchState {

    /** What every phase knows. */
    SearchContext common();

    @Override
    default SearchAdvice advice() {
        return common().advice();
    }

    @Override
    default int stalls() {
        return common().stalls();
    }

    /** The same phase with something else in common. */
    SearchPhaseState with(SearchContext common);

    /**
     * At the natural load.
     *
     * @param sample of this block
     * @param latency of the block before, seconds; NaN for none
     */
    record Baselining(SearchContext common, LoadTotals sample, double latency) implements SearchPhaseState {

        @Override
        public boolean cold() {
            return !(sample.seconds() > 0) && !Double.isNaN(latency);
        }

        @Override
        public Baselining with(SearchContext newer) {
            return new Baselining(newer, sample, latency);
        }
    }

    /**
     * The load grows until the first signs of the knee.
     *
     * @param searchHistory what was learnt before; empty in the first ramp
     * @param target requests/s
     * @param latency smoothed mean, seconds
     * @param history windows of the last seconds, oldest first
     * @param levels of the last window: the largest utilisation of any level limit
     * @param cappedSeconds at the most that can be had
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
        public Ramping with(SearchContext newer) {
            return new Ramping(newer, base, searchHistory, target, latency, history, levels, cappedSeconds, stepLoad);
        }
    }

    /**
     * One step just below the knee.
     *
     * @param latency smoothed mean, seconds
     * @param whole all windows since the step began
     * @param counted the windows after settling
     * @param seconds that the step lasts
     * @param settling seconds at its beginning that do not count
     * @param drained whether it follows a drain
     */
    record Confirming(SearchContext common, BaselineProfile base, SearchHistory history, double target, double latency,
            LoadTotals whole, LoadTotals counted,
            double seconds, double settling, boolean drained) implements SearchPhaseState {

        @Override
        public Confirming with(SearchContext newer) {
            return new Confirming(newer, base, history, target, latency, whole, counted, seconds, settling, drained);
        }
    }

    /**
     * The load was shed; what waits is worked off.
     *
     * @param load at which the alarm was raised, requests/s
     * @param part of that load which is asked for
     * @param normal requests in flight when it is over
     * @param elapsed seconds
     * @param quietSeconds for which it has been over
     * @param nextLook elapsed seconds at which it is looked whether the requests in flight have become fewer
     * @param inFlight at the last look
     * @param stalled whether the alarm was a stall
     * @param then what comes afterwards
     */
    record Draining(SearchContext common, BaselineProfile base, double load, double part, double normal, double elapsed,
            double quietSeconds, double nextLook, double inFlight, boolean stalled,
            Then then) implements SearchPhaseState {

        @Override
        public Draining with(SearchContext newer) {
            return new Draining(newer, base, load, part, normal, elapsed, quietSeconds, nextLook, inFlight, stalled,
                    then);
        }
    }

    /** The last advice is the answer. */
    record Ended(SearchContext common) implements SearchPhaseState {

        @Override
        public Ended with(SearchContext newer) {
            return new Ended(newer);
        }
    }

    /** What was interrupted by an alarm. */
    sealed interface Then {

        /**
         * The ramp.
         *
         * @param history whose grid is around the load of the alarm
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
