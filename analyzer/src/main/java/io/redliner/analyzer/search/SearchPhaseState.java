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
    default boolean settledInBaseline() {
        return this instanceof Baselining now && !Double.isNaN(now.latency());
    }

    @Override
    default int stalls() {
        return common().stalls();
    }

    /** Returns the same phase with another shared state. */
    SearchPhaseState with(SearchContext common);

    /** Ends the count of inconclusive windows in a row, also for a window that is kept from the search. */
    default SearchPhaseState conclusive() {
        return common().inconclusive() == 0 ? this : with(common().conclusive());
    }

    /** Returns the results of the steps so far; empty before the first ramp has ended. */
    Optional<Results> results();

    /** Returns the baseline; empty before it is known and after the search. */
    default Optional<BaselineProfile> baseline() {
        return switch (this) {
            case Ramping now -> Optional.of(now.base());
            case Confirming now -> Optional.of(now.base());
            case Draining now -> Optional.of(now.base());
            case Baselining now -> Optional.empty();
            case Ended now -> Optional.empty();
        };
    }

    /**
     * The results of a search.
     *
     * @param base far below the knee
     * @param history of the steps
     */
    record Results(BaselineProfile base, SearchHistory history) {}

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
        public Optional<Results> results() {
            return Optional.empty();
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
     * @param cappedSeconds seconds at the highest reachable load
     * @param stepLoad target at which the step began
     */
    record Ramping(SearchContext common, BaselineProfile base, Optional<SearchHistory> searchHistory, double target,
            double latency, List<LoadTotals> history, double cappedSeconds, double stepLoad)
            implements
                SearchPhaseState {

        public Ramping {
            history = List.copyOf(history);
        }

        /** Returns the largest utilisation of a limit on a level in the last window; 0 before the first. */
        double largestLevel() {
            return history.isEmpty() ? 0 : history.getLast().largestLevel();
        }

        @Override
        public Optional<Results> results() {
            return searchHistory.map(steps -> new Results(base, steps));
        }

        @Override
        public Ramping with(SearchContext newContext) {
            return new Ramping(newContext, base, searchHistory, target, latency, history, cappedSeconds, stepLoad);
        }
    }

    /**
     * Holds a load just below the knee for one step.
     *
     * @param latency smoothed mean, seconds
     * @param whole all windows since the step began
     * @param counted the windows after settling
     * @param length of the step
     */
    record Confirming(SearchContext common, BaselineProfile base, SearchHistory history, double target, double latency,
            LoadTotals whole, LoadTotals counted, StepLength length) implements SearchPhaseState {

        @Override
        public Optional<Results> results() {
            return Optional.of(new Results(base, history));
        }

        @Override
        public Confirming with(SearchContext newContext) {
            return new Confirming(newContext, base, history, target, latency, whole, counted, length);
        }
    }

    /**
     * The time that a step takes.
     *
     * @param seconds of the whole step
     * @param settling seconds at the step's beginning that do not count
     * @param drained true when the step follows a drain
     */
    record StepLength(double seconds, double settling, boolean drained) {

        /** Returns true when a window counts with which the step has lasted so long. */
        boolean isSettled(double elapsed) {
            return elapsed > settling + 1e-6;
        }

        /** Returns true when the step is over. */
        boolean isOver(double elapsed) {
            return elapsed >= seconds - 1e-6;
        }
    }

    /**
     * Sheds load until the queue is worked off.
     *
     * @param load at which the alarm was raised, requests/s
     * @param part of that load which is requested
     * @param elapsed seconds
     * @param queue that is worked off
     * @param stalled true when the alarm was a stall
     * @param then the interrupted phase
     */
    record Draining(SearchContext common, BaselineProfile base, double load, double part, double elapsed,
            DrainedQueue queue,
            boolean stalled, Then then) implements SearchPhaseState {

        @Override
        public Optional<Results> results() {
            return Optional.of(new Results(base, switch (then) {
                case Then.RampEnds ramp -> ramp.history();
                case Then.StepEnds step -> step.step().history();
            }));
        }

        @Override
        public Draining with(SearchContext newContext) {
            return new Draining(newContext, base, load, part, elapsed, queue, stalled, then);
        }
    }

    /**
     * The requests in flight while a queue is worked off.
     *
     * @param normal requests in flight at most when the queue is worked off
     * @param quietSeconds for which the queue has been worked off
     * @param nextLook elapsed seconds at which the requests in flight are next compared with {@code inFlight}
     * @param inFlight requests in flight at the last look
     */
    record DrainedQueue(double normal, double quietSeconds, double nextLook, double inFlight) {

        private static final double LOOK_SECONDS = 1;

        private static final double FELL = 0.85;

        /** Returns true when a look is due, and the requests in flight have not become fewer since the last one. */
        boolean stays(double elapsed, long nowInFlight) {
            return elapsed >= nextLook && nowInFlight > FELL * inFlight;
        }

        /** Returns the queue after a window. */
        DrainedQueue next(double nowQuietSeconds, double elapsed, long nowInFlight) {
            return elapsed >= nextLook
                    ? new DrainedQueue(normal, nowQuietSeconds, elapsed + LOOK_SECONDS, nowInFlight)
                    : new DrainedQueue(normal, nowQuietSeconds, nextLook, inFlight);
        }
    }

    /** The search has ended, and its last advice is the answer. */
    record Ended(SearchContext common, Optional<Results> results) implements SearchPhaseState {

        @Override
        public Ended with(SearchContext newContext) {
            return new Ended(newContext, results);
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
