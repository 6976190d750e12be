// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchPhaseState.Baselining;
import io.redliner.analyzer.search.SearchPhaseState.Draining;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import io.redliner.analyzer.search.SearchPhaseState.Ramping;
import io.redliner.analyzer.search.SearchPhaseState.Riding;
import java.util.Optional;

/**
 * Ramps up cautiously until the knee can be felt, then rides just below it and refines a Bayesian estimate of the
 * capacity until its interval is narrow; an alarm that looks at every window sheds the load at once. The idea is that
 * of threshold estimation in psychophysics: QUEST (Watson and Pelli 1983), Psi (Kontsevich and Tyler 1999).
 *
 * <p>A pure step function over its states; for one thread, as likelihoods are kept between calls to save time.
 */
public final class BayesianCapacitySearch implements CapacitySearch {

    /** What an answer takes to be heard before traffic goes back. */
    private static final double LAST_SECONDS = 2;

    private static final double LAST_WINDOWS = 2;

    private final SearchSettings settings;

    private final BaselinePhase baseline;

    private final RampPhase ramp;

    private final ConfirmPhase ride;

    private final DrainPhase drain;

    /** For one run. */
    public BayesianCapacitySearch(SearchSettings settings) {
        this.settings = settings;
        this.ramp = new RampPhase(settings);
        this.ride = new ConfirmPhase(settings, ramp);
        this.baseline = new BaselinePhase(settings, ramp);
        this.drain = new DrainPhase(ramp, ride);
    }

    @Override
    public SearchState begin() {
        var advice = new SearchAdvice(Action.HOLD, 0, SearchAdvice.Phase.BASELINE, "waiting for the first window", 0,
                Optional.empty());
        return new Baselining(new SearchContext(SutSignals.NOTHING, AlarmDetector.START, 0, 0, advice),
                LoadTotals.EMPTY, Double.NaN);
    }

    @Override
    public SearchState advise(SearchState state, SearchInput window) {
        if (!(state instanceof SearchPhaseState riding)) {
            throw new IllegalArgumentException("not a state of this search: " + state);
        }
        if (riding.ended()) {
            return riding;
        }
        if (isOutOfTime(window)) {
            return outOfTime(riding);
        }
        if (!window.conclusive()) {
            return inconclusive(riding, window);
        }
        return switch (riding) {
            case Baselining now -> baseline.next(heard(now, window, 0, false), window);
            case Ramping now -> ramp.next(heard(now, window, now.base().latency(), false), window);
            case Riding now -> ride.next(heard(now, window, now.base().latency(), true), window);
            case Draining now -> drain.next(heard(now, window, now.base().latency(), true), window);
            case Ended now -> now;
        };
    }

    /** Whether traffic goes back so soon that the answer has to be given now. */
    boolean isOutOfTime(SearchInput window) {
        return window.secondsLeft() < LAST_SECONDS + LAST_WINDOWS * window.seconds();
    }

    /** The end, with what is known. */
    SearchPhaseState outOfTime(SearchPhaseState state) {
        return ride.outOfTime(state);
    }

    private <S extends SearchPhaseState> S heard(S state, SearchInput window, double baselineLatency, boolean riding) {
        @SuppressWarnings("unchecked")
        var same = (S) state.with(state.common().heard(window, baselineLatency, settings, riding));
        return same;
    }

    private SearchPhaseState inconclusive(SearchPhaseState state, SearchInput window) {
        var common = state.common().inconclusive("not counted: " + window.reason());
        return common.inconclusive() < settings.mostInconclusive()
                ? state.with(common)
                : new Ended(common.end(Action.GIVE_UP,
                        common.inconclusive() + " windows in a row say nothing: " + window.reason(),
                        common.advice().estimate()));
    }
}
