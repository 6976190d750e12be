// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchPhaseState.Baselining;
import io.redliner.analyzer.search.SearchPhaseState.Draining;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import io.redliner.analyzer.search.SearchPhaseState.Ramping;
import io.redliner.analyzer.search.SearchPhaseState.Confirming;
import io.redliner.analyzer.search.SearchPhaseState.Then;
import io.redliner.sla.SlaEvaluation;
import java.util.Optional;

/**
 * Ramps up cautiously until the first signs of the knee. Then it tracks the knee from just below, and refines a Bayesian
 * estimate of the capacity until its interval is narrow. An alarm is tested in every window, and sheds load at once. The
 * method is threshold estimation in psychophysics: QUEST (Watson and Pelli 1983), Psi (Kontsevich and Tyler 1999).
 *
 * <p>A pure step function over its states; for one thread, as likelihoods are kept between calls to save time.
 */
public final class BayesianCapacitySearch implements CapacitySearch {

    /** Time that the final advice needs to reach the controller before traffic is restored. */
    private static final double LAST_SECONDS = 2;

    private static final double LAST_WINDOWS = 2;

    private final SearchSettings settings;

    private final BaselinePhase baseline;

    private final RampPhase ramp;

    private final ConfirmPhase confirm;

    private final DrainPhase drain;

    private final CurveFitter curveFitter;

    /** Creates the search of one run. */
    public BayesianCapacitySearch(SearchSettings settings) {
        this.settings = settings;
        this.ramp = new RampPhase(settings);
        var estimator = new PosteriorEstimator(settings);
        this.curveFitter = new CurveFitter(settings, estimator);
        this.confirm = new ConfirmPhase(settings, ramp, estimator);
        this.baseline = new BaselinePhase(settings, ramp);
        this.drain = new DrainPhase(ramp, confirm);
    }

    @Override
    public SearchState begin() {
        var advice = new SearchAdvice(Action.HOLD, 0, SearchAdvice.Phase.BASELINE, "waiting for the first window", 0,
                Optional.empty());
        return new Baselining(new SearchContext(SutSignals.NOTHING, AlarmDetector.START, 0, 0, advice, LoadPieces.NONE),
                LoadTotals.EMPTY, Double.NaN);
    }

    @Override
    public SearchState advise(SearchState state, SearchInput window) {
        if (!(state instanceof SearchPhaseState phase)) {
            throw new IllegalArgumentException("not a state of this search: " + state);
        }
        if (phase.ended()) {
            return phase;
        }
        if (isOutOfTime(window)) {
            return outOfTime(phase);
        }
        if (!window.sla().conclusive()) {
            return inconclusive(phase, window);
        }
        return switch (phase) {
            case Baselining now -> baseline.next(withWindow(now, window, 0, false), window);
            case Ramping now -> ramp.next(withWindow(now, window, now.base().latency(), false), window);
            case Confirming now -> confirm.next(withWindow(now, window, now.base().latency(), true), window);
            case Draining now -> drain.next(withWindow(now, window, now.base().latency(), true), window);
            case Ended now -> now;
        };
    }

    @Override
    public Optional<ExceedanceCurve> curve(SearchState state, SlaEvaluation sla) {
        return state instanceof SearchPhaseState phase
                ? phase.results().flatMap(results -> curveFitter.fit(results, phase.common(), sla))
                : Optional.empty();
    }

    /** Returns true when traffic is restored so soon that the search must end now. */
    boolean isOutOfTime(SearchInput window) {
        return window.secondsLeft() < LAST_SECONDS + LAST_WINDOWS * window.seconds();
    }

    /** Ends a search whose time is over, with the estimate that it has. */
    SearchPhaseState outOfTime(SearchPhaseState state) {
        return confirm.outOfTime(state);
    }

    /** Returns the seconds that a baseline takes at the natural load when the server is warm. */
    double baselineSeconds(SearchInput window) {
        return 2 * baseline.block(window.loads().natural()) + window.seconds();
    }

    private <S extends SearchPhaseState> S withWindow(S state, SearchInput window, double baselineLatency,
            boolean nearKnee) {
        @SuppressWarnings("unchecked")
        var same = (S) state.with(state.common().withWindow(window, baselineLatency, settings, nearKnee,
                isLoadInForceOfStep(state, window)));
        return same;
    }

    /** Returns true when the load in force is that of a settled step: also in the first second after an alarm has shed it. */
    private static boolean isLoadInForceOfStep(SearchPhaseState state, SearchInput window) {
        return switch (state) {
            case Confirming now -> now.length().isSettled(now.whole().seconds() + window.seconds());
            case Draining now ->
                now.elapsed() < ConfirmPhase.LAG_SECONDS - 1e-6 && now.then() instanceof Then.StepEnds then
                        && then.step().length().isSettled(then.step().whole().seconds());
            case Baselining now -> false;
            case Ramping now -> false;
            case Ended now -> false;
        };
    }

    private SearchPhaseState inconclusive(SearchPhaseState state, SearchInput window) {
        var common = state.common().inconclusive("not counted: " + window.sla().reason(),
                window.loads().natural());
        return common.inconclusive() < settings.stop().maxInconclusive()
                ? state.with(common)
                : new Ended(common.end(Action.GIVE_UP,
                        common.inconclusive() + " windows in a row say nothing: " + window.sla().reason(),
                        common.advice().estimate()), state.results());
    }
}
