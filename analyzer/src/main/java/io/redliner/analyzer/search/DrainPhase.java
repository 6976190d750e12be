// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import io.redliner.analyzer.search.SearchPhaseState.Draining;
import io.redliner.analyzer.search.SearchPhaseState.Ended;
import io.redliner.analyzer.search.SearchPhaseState.Then;
import java.util.Map;

/** Holds a load far below the alarm until the queue is worked off, and lowers it further while the queue does not shrink. */
final class DrainPhase {

    /** Seconds after which a SUT that is not quiet gets its natural load. */
    private static final double MAX_ABOVE_NATURAL_SECONDS = 20;

    /** Seconds after which the search gives up. */
    private static final double MAX_SECONDS = 60;

    private static final double QUIET_SECONDS = 1;

    /** Delay until the shed load takes effect and shows in the requests in flight. */
    private static final double FIRST_LOOK = 1.8;

    private static final double LESS = 0.2;

    private static final double MIN_PART = 0.3;

    private static final double LATE_STALL = 1.2;

    private final RampPhase ramp;

    private final ConfirmPhase confirm;

    DrainPhase(RampPhase ramp, ConfirmPhase confirm) {
        this.ramp = ramp;
        this.confirm = confirm;
    }

    /** @param normal requests in flight of a healthy SUT at this load */
    static SearchPhaseState begin(SearchContext common, BaselineProfile base, double load, double normal,
            SearchSettings settings, Then then,
            String reason) {
        boolean stalled = common.signals().stalled();
        return new Draining(common.resetAlarm().shed(load * settings.target().drop(), reason), base, load,
                settings.target().drop(), 0,
                new SearchPhaseState.DrainedQueue(1.5 * normal + 3, 0, FIRST_LOOK, common.signals().inFlight()),
                stalled,
                then);
    }

    SearchPhaseState next(Draining state, SearchInput window) {
        double elapsed = state.elapsed() + window.seconds();
        boolean stalled = state.stalled() || (state.common().signals().stalled() && elapsed <= LATE_STALL);
        double quiet = quiet(state, window) ? state.queue().quietSeconds() + window.seconds() : 0;
        double part = state.queue().stays(elapsed, window.inFlight())
                ? Math.max(MIN_PART, state.part() - LESS)
                : state.part();
        double target = elapsed < MAX_ABOVE_NATURAL_SECONDS
                ? part * state.load()
                : Math.min(part * state.load(), window.loads().natural());
        var common = part < state.part()
                ? state.common().shed(target, "the requests in flight do not become fewer")
                : state.common().hold(target, state.advice().phase(), "draining");
        var next = new Draining(common, state.base(), state.load(), part, elapsed,
                state.queue().next(quiet, elapsed, window.inFlight()), stalled, state.then());
        if (quiet >= QUIET_SECONDS - 1e-6) {
            return after(next, window);
        }
        return elapsed < MAX_SECONDS
                ? next
                : new Ended(common.end(Action.GIVE_UP, "the SUT does not recover after the load was shed",
                        common.advice().estimate()), next.results());
    }

    private SearchPhaseState after(Draining state, SearchInput window) {
        return switch (state.then()) {
            case Then.RampEnds then -> ramp.drained(state, then, window);
            case Then.StepEnds then -> confirm.drained(state, then, window);
        };
    }

    private boolean quiet(Draining state, SearchInput window) {
        Map<String, ExceedanceCount> exceedances = LoadTotals.EMPTY.plus(window, state.common().signals())
                .exceedances();
        return window.inFlight() <= state.queue().normal() && exceedances.entrySet().stream()
                .allMatch(entry -> entry.getValue().exceeding() <= Math.max(1,
                        3 * state.base().allowed(entry.getKey()) * entry.getValue().requests()));
    }
}
