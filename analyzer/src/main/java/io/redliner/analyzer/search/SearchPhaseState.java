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
     * The load grows until something is felt.
     *
     * @param ride what was learnt before, when the ramp was resumed
     * @param target requests/s
     * @param latency smoothed mean, seconds
     * @param history windows of the last seconds, oldest first
     * @param levels of the last window: the largest utilisation of any level limit
     * @param cappedSeconds at the most that can be had
     * @param stepLoad target at which the step began
     */
    record Ramping(SearchContext common, BaselineProfile base, Optional<SearchHistory> ride, double target,
            double latency,
            List<LoadTotals> history, double levels, double cappedSeconds, double stepLoad)
            implements
                SearchPhaseState {

        public Ramping {
            history = List.copyOf(history);
        }

        @Override
        public Ramping with(SearchContext newer) {
            return new Ramping(newer, base, ride, target, latency, history, levels, cappedSeconds, stepLoad);
        }
    }

    /**
     * One dwell just below the knee.
     *
     * @param latency smoothed mean, seconds
     * @param whole everything since the dwell began
     * @param counted what came after settling
     * @param seconds that the dwell lasts
     * @param settling of those, before anything counts
     * @param drained whether it follows a drain
     */
    record Riding(SearchContext common, BaselineProfile base, SearchHistory ride, double target, double latency,
            LoadTotals whole, LoadTotals counted,
            double seconds, double settling, boolean drained) implements SearchPhaseState {

        @Override
        public Riding with(SearchContext newer) {
            return new Riding(newer, base, ride, target, latency, whole, counted, seconds, settling, drained);
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
         * @param ride the grid of which is around the load of the alarm
         */
        record RampEnds(SearchHistory ride, double latency) implements Then {}

        /**
         * A dwell.
         *
         * @param raised the alarm that cut it off
         */
        record DwellEnds(Riding dwell, AlarmDetector.RaisedAlarm raised) implements Then {}
    }
}
