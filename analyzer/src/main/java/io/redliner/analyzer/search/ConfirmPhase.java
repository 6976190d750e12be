// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchPhaseState.Draining;
import io.redliner.analyzer.search.SearchPhaseState.Confirming;
import io.redliner.analyzer.search.SearchPhaseState.Then;
import io.redliner.sla.Judgement;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Holds the load just below the estimated knee for a step, and refines the posterior after each step. */
final class ConfirmPhase {

    /** Delay until a change of load takes effect. */
    static final double LAG_SECONDS = 1;

    private static final double PEAK_SECONDS = 4;

    private static final double RESIDUE_SECONDS = 1;

    private final SearchSettings settings;

    private final NextStepDecider nextStep;

    ConfirmPhase(SearchSettings settings, RampPhase ramp, PosteriorEstimator estimator) {
        this.settings = settings;
        this.nextStep = new NextStepDecider(settings, ramp, estimator);
    }

    SearchPhaseState next(Confirming state, SearchInput window) {
        var common = state.common();
        var whole = state.whole().plus(window, common.signals());
        var counted = state.length().isSettled(whole.seconds())
                ? state.counted().plus(window, common.signals())
                : state.counted();
        var history = state.history().with(state.history().evidence()
                .broken(breaches(state.history(), window, common.signals().load())));
        double target = Math.min(state.target(), window.loads().most());
        var next = new Confirming(common.hold(target, SearchAdvice.Phase.CONFIRMING, "testing"),
                state.base().learning(window),
                history, state.target(), state.latency(), whole, counted, state.length());
        if (common.signals().stalled()) {
            return alarmed(next, AlarmDetector.RaisedAlarm.level(SearchHistory.STALL,
                    new CapacityEstimate.Breach(common.signals().load(), "", OptionalDouble.empty(),
                            OptionalDouble.empty(), "hardly anything completes")));
        }
        if (common.watch().alarm().isPresent()) {
            return alarmed(next, common.watch().alarm().get());
        }
        return state.length().isOver(whole.seconds())
                ? nextStep.uneventful(next, window)
                : next;
    }

    /** Ends a search whose time is over, with the estimate that it has. */
    SearchPhaseState outOfTime(SearchPhaseState state) {
        return switch (state) {
            case SearchPhaseState.Baselining now ->
                nextStep.outOfTime(now.common(), Optional.empty(), Optional.empty());
            case SearchPhaseState.Ramping now -> nextStep.outOfTime(now.common(), now.advice().estimate(),
                    now.results());
            case Confirming now -> nextStep.finish(now.common(), now.base(), now.history(), false);
            case Draining now ->
                nextStep.finish(now.common(), now.base(), now.results().orElseThrow().history(), false);
            case SearchPhaseState.Ended now -> now;
        };
    }

    /** Continues after the drain that followed an alarm. */
    SearchPhaseState drained(Draining state, Then.StepEnds then, SearchInput window) {
        var step = then.step();
        var common = state.common().resetAlarm();
        if (state.stalled() && common.stalls() < settings.stop().maxStalls()) {
            return ConfirmStep.begin(common.stalledAgain(), step.base(), step.history(), step.target(), step.latency(),
                    step.length().drained(), settings, window);
        }
        double arrived = step.whole().seconds() - LAG_SECONDS;
        if (step.length().drained() && arrived < RESIDUE_SECONDS) {
            // The remaining overload from before is no evidence about this load.
            return common.signals().seconds() - step.history().since() > settings.maxConfirmSeconds(step.base())
                    ? nextStep.finish(common, step.base(), step.history(), false)
                    : ConfirmStep.begin(common, step.base(), step.history(), 0.98 * step.target(), step.latency(), true,
                            settings, window);
        }
        if (!then.raised().levels().isEmpty()) {
            return nextStep.alarmed(step.with(common), then.raised(), broken(step, then.raised(), window), window);
        }
        double peak = step.length().drained() ? Math.clamp(arrived, window.seconds(), PEAK_SECONDS) : PEAK_SECONDS;
        return nextStep.alarmed(step.with(common), then.raised(),
                step.common().signals().recentLoad(peak, window.seconds()), window);
    }

    /** Returns the load at which a level was broken. In a step's first second, the load before it may still be in effect. */
    private static double broken(Confirming step, AlarmDetector.RaisedAlarm raised, SearchInput window) {
        if (step.counted().seconds() >= RESIDUE_SECONDS) {
            return step.counted().load();
        }
        return step.length().drained()
                ? step.target()
                : step.common().signals().recentLoad(raised.longest(), window.seconds());
    }

    private SearchPhaseState alarmed(Confirming state, AlarmDetector.RaisedAlarm raised) {
        return DrainPhase.begin(state.common(), state.base(), state.target(),
                state.target() * state.base().latency() * 1.5, settings, new Then.StepEnds(state, raised),
                raised.breach().rule() + ": " + raised.breach().words());
    }

    private static Map<String, CapacityEstimate.Breach> breaches(SearchHistory history, SearchInput window,
            double load) {
        var breaches = new TreeMap<>(history.evidence().breaches());
        window.limits().stream().filter(limit -> limit.judgement() == Judgement.BREACHED)
                .forEach(limit -> breaches.put(limit.key(), limit.breach(load, "exceeded while testing")));
        return breaches;
    }
}
