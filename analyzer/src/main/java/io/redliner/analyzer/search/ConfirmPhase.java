// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchPhaseState.Draining;
import io.redliner.analyzer.search.SearchPhaseState.Riding;
import io.redliner.analyzer.search.SearchPhaseState.Then;
import io.redliner.sla.Judgement;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Dwells just below where the knee is believed to be, and learns from each. */
final class ConfirmPhase {

    /** What a change of load takes to arrive. */
    private static final double LAG_SECONDS = 1;

    private static final double PEAK_SECONDS = 4;

    private static final double RESIDUE_SECONDS = 1;

    private final SearchSettings settings;

    private final NextStepDecider dwellEnd;

    ConfirmPhase(SearchSettings settings, RampPhase ramp) {
        this.settings = settings;
        this.dwellEnd = new NextStepDecider(settings, ramp);
    }

    SearchPhaseState next(Riding state, SearchInput window) {
        var common = state.common();
        var whole = state.whole().plus(window, common.senses());
        var counted = whole.seconds() > state.settling() + 1e-6
                ? state.counted().plus(window, common.senses())
                : state.counted();
        var ride = state.ride().broken(breaches(state.ride(), window, common.senses().load()));
        double target = Math.min(state.target(), window.mostRequestsPerSecond());
        var next = new Riding(common.hold(target, SearchAdvice.Phase.CONFIRMING, "riding"),
                state.base().learning(window),
                ride, state.target(), state.latency(), whole, counted, state.seconds(), state.settling(),
                state.drained());
        if (common.senses().stalled()) {
            return alarmed(next, AlarmDetector.RaisedAlarm.level(SearchHistory.STALL,
                    new CapacityEstimate.Breach(common.senses().load(), "", OptionalDouble.empty(),
                            OptionalDouble.empty(), "hardly anything completes")));
        }
        if (common.watch().alarm().isPresent()) {
            return alarmed(next, common.watch().alarm().get());
        }
        return whole.seconds() >= state.seconds() - 1e-6
                ? dwellEnd.uneventful(next, window)
                : next;
    }

    /** The end of a search whose time is over, with what is known. */
    SearchPhaseState outOfTime(SearchPhaseState state) {
        return switch (state) {
            case SearchPhaseState.Baselining now -> dwellEnd.outOfTime(now.common(), Optional.empty());
            case SearchPhaseState.Ramping now -> dwellEnd.outOfTime(now.common(), now.advice().estimate());
            case Riding now -> dwellEnd.finish(now.common(), now.base(), now.ride(), false);
            case Draining now -> dwellEnd.finish(now.common(), now.base(), switch (now.then()) {
                case Then.RampEnds then -> then.ride();
                case Then.DwellEnds then -> then.dwell().ride();
            }, false);
            case SearchPhaseState.Ended now -> now;
        };
    }

    /** After the drain that followed an alarm. */
    SearchPhaseState drained(Draining state, Then.DwellEnds then, SearchInput window) {
        var dwell = then.dwell();
        var common = state.common().resetAlarm();
        if (state.stalled() && common.stalls() < settings.mostStalls()) {
            return Dwell.begin(common.stalledAgain(), dwell.base(), dwell.ride(), dwell.target(), dwell.latency(),
                    dwell.drained(), settings, window);
        }
        double arrived = dwell.whole().seconds() - LAG_SECONDS;
        if (dwell.drained() && arrived < RESIDUE_SECONDS) {
            // What is left of the overload before is no evidence about this load.
            return common.senses().seconds() - dwell.ride().since() > settings.longestRideSeconds(dwell.base())
                    ? dwellEnd.finish(common, dwell.base(), dwell.ride(), false)
                    : Dwell.begin(common, dwell.base(), dwell.ride(), 0.98 * dwell.target(), dwell.latency(), true,
                            settings, window);
        }
        if (!then.raised().levels().isEmpty()) {
            return dwellEnd.alarmed(dwell.with(common), then.raised(), broken(dwell, then.raised(), window), window);
        }
        double peak = dwell.drained() ? Math.clamp(arrived, window.seconds(), PEAK_SECONDS) : PEAK_SECONDS;
        return dwellEnd.alarmed(dwell.with(common), then.raised(),
                dwell.common().senses().recentLoad(peak, window.seconds()), window);
    }

    /** The load at which a level was broken: at first that of the ramp or the dwell before may still have been there. */
    private static double broken(Riding dwell, AlarmDetector.RaisedAlarm raised, SearchInput window) {
        if (dwell.counted().seconds() >= RESIDUE_SECONDS) {
            return dwell.counted().load();
        }
        return dwell.drained()
                ? dwell.target()
                : dwell.common().senses().recentLoad(raised.longest(), window.seconds());
    }

    private SearchPhaseState alarmed(Riding state, AlarmDetector.RaisedAlarm raised) {
        return DrainPhase.begin(state.common(), state.base(), state.target(),
                state.target() * state.base().latency() * 1.5, settings, new Then.DwellEnds(state, raised),
                raised.breach().rule() + ": " + raised.breach().words());
    }

    private static Map<String, CapacityEstimate.Breach> breaches(SearchHistory ride, SearchInput window, double load) {
        var breaches = new TreeMap<>(ride.breaches());
        RuleLimit.all(window.outcomes()).stream().filter(limit -> limit.judgement() == Judgement.BREACHED)
                .forEach(limit -> breaches.put(limit.key(), limit.breach(load, "exceeded while riding")));
        return breaches;
    }
}
