// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchPhaseState.Ramping;
import io.redliner.analyzer.search.SearchPhaseState.Then;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Raises the load by a few per cent each second, more slowly as latency grows, until the first signs of the knee. */
final class RampPhase {

    /** Growth of the mean latency over that of the baseline up to which the ramp does not slow down. */
    private static final double UNCHANGED_LATENCY = 1.03;

    /** Load below which the ramp is slower, in requests/s: so few requests show a sign of the knee late. */
    private static final double ORDINARY_LOAD = 60;

    /** Part of the usual speed that the ramp keeps at a load near 0. */
    private static final double MIN_SPEED = 0.15;

    /** Fewest requests over which the mean latency is smoothed. */
    private static final double MIN_SMOOTHED_REQUESTS = 100;

    /** Time over which exceedances are summed to find a sign of the knee. */
    private static final double SIGN_SECONDS = 4;

    /** Age from which on a window counts towards the floor: the ratio of exceedances far below the knee. */
    private static final double FLOOR_SECONDS = 8;

    /** Time at the highest reachable load after which the ramp ends. */
    private static final double CAPPED_SECONDS = 3;

    /** Part of the way from the floor to the allowed ratio of exceedances that is a sign of the knee. */
    private static final double NEAR_PART = 0.35;

    /** Part of a level rule's limit that is a sign of the knee. */
    private static final double NEAR_LEVEL = 0.9;

    /** Part of a latency limit up to which a growing mean latency is no sign of the knee. */
    private static final double LATENCY_PART = 0.2;

    /** Growth of the target since the last step that begins another step. */
    private static final double STEP = 1.1;

    /** Part of the load of a stall at which the search goes on. */
    private static final double STALLED = 0.93;

    /** Time at the last load of the ramp that the posterior counts as evidence about it. */
    private static final double EXPOSED_SECONDS = 3;

    private final SearchSettings settings;

    RampPhase(SearchSettings settings) {
        this.settings = settings;
    }

    SearchPhaseState begin(SearchContext common, BaselineProfile base, Optional<SearchHistory> before, double load,
            double latency,
            SearchInput window) {
        double target = higher(load, latency / base.latency(), window);
        return new Ramping(
                common.resetAlarm().go(target, SearchAdvice.Phase.RAMPING,
                        String.format(Locale.ROOT, "rising from %.1f requests/s", load)),
                base, before, target, latency, List.of(), 0, load);
    }

    SearchPhaseState next(Ramping state, SearchInput window) {
        var updated = update(state, window);
        var common = updated.common();
        if (common.signals().stalled()) {
            return drain(updated, historyAround(updated, common.signals().load()), "hardly anything completes");
        }
        if (common.watch().alarm().isPresent()) {
            return alarmed(updated, common.watch().alarm().get(), window);
        }
        String reason = signOfKnee(updated, window);
        if (!reason.isEmpty()) {
            return end(updated, 0.98 * common.signals().load(), true, reason, window);
        }
        if (updated.cappedSeconds() > CAPPED_SECONDS) {
            return end(updated, 0.98 * common.signals().load(), false, "more cannot be had", window);
        }
        return higher(updated, window);
    }

    /** Continues after the drain that followed an alarm. */
    SearchPhaseState drained(SearchPhaseState.Draining state, Then.RampEnds then, SearchInput window) {
        var common = state.common().resetAlarm();
        if (state.stalled() && common.stalls() < settings.stop().maxStalls()) {
            // The load may not be the cause of the stall. The ramp goes on when a smaller load shows no sign of the knee.
            return ConfirmStep.begin(common.stalledAgain(), state.base(), then.history(), STALLED * state.load(),
                    then.latency(), true, settings, window);
        }
        var history = state.stalled()
                ? then.history().with(then.history().evidence().exposed(new StepEvidence.Exposure(state.load(),
                        EXPOSED_SECONDS, true, Map.of(SearchHistory.STALL, EXPOSED_SECONDS))))
                : then.history();
        return ConfirmStep.begin(common, state.base(), history, 0.95 * state.load(), then.latency(), true, settings,
                window);
    }

    private Ramping update(Ramping state, SearchInput window) {
        var sample = LoadTotals.EMPTY.plus(window, state.common().signals());
        double latency = state.latency();
        if (sample.completed() > 0) {
            double weight = 1 - Math.exp(-sample.completed() / Math.max(MIN_SMOOTHED_REQUESTS, state.target()));
            latency += weight * (sample.latency() - latency);
        }
        var base = state.base().learning(window);
        int maxWindows = windows(FLOOR_SECONDS, window);
        var history = SearchHistory.append(state.history(), sample);
        if (history.size() > maxWindows) {
            base = base.withFloor(history.getFirst());
            history = history.subList(history.size() - maxWindows, history.size());
        }
        boolean capped = state.target() >= 0.995 * window.loads().most();
        return new Ramping(state.common(), base, state.searchHistory(), state.target(), latency, history,
                capped ? state.cappedSeconds() + window.seconds() : state.cappedSeconds(), state.stepLoad());
    }

    /** Returns the first sign of the knee, for people; an empty text without one. */
    private String signOfKnee(Ramping state, SearchInput window) {
        var recent = new TreeMap<String, ExceedanceCount>();
        int summed = windows(SIGN_SECONDS, window);
        state.history().stream().skip(Math.max(0, state.history().size() - summed))
                .forEach(sample -> sample.exceedances()
                        .forEach((limit, count) -> recent.merge(limit, count, ExceedanceCount::plus)));
        for (var entry : recent.entrySet()) {
            double floor = state.base().floor(entry.getKey());
            double allowed = state.base().allowed(entry.getKey());
            // Two standard deviations (Poisson) below the count.
            double lowerRatio = (entry.getValue().exceeding() - 2 * Math.sqrt(entry.getValue().exceeding()))
                    / Math.max(1, entry.getValue().requests());
            if (lowerRatio > floor + NEAR_PART * Math.max(0.2 * allowed, allowed - floor)) {
                return String.format(Locale.ROOT, "%.2f %% of the requests exceed %s", 100 * entry.getValue().ratio(),
                        entry.getKey());
            }
        }
        if (state.largestLevel() > NEAR_LEVEL) {
            return String.format(Locale.ROOT, "a level is at %.0f %% of its limit", 100 * state.largestLevel());
        }
        double inflation = state.latency() / state.base().latency();
        return inflation > settings.ramp().inflated() && nearLatencyLimit(state.latency(), window)
                ? String.format(Locale.ROOT, "the mean latency is %.1f times that of the baseline", inflation)
                : "";
    }

    private static boolean nearLatencyLimit(double latency, SearchInput window) {
        return window.limits().stream().flatMapToDouble(limit -> limit.latencySeconds().stream())
                .anyMatch(limit -> latency > LATENCY_PART * limit);
    }

    private SearchPhaseState higher(Ramping state, SearchInput window) {
        // The controller raises the share only after a window that holds. Meanwhile the target must not grow, or the next raise
        // would be too large.
        double target = window.sla().holds()
                ? higher(state.target(), state.latency() / state.base().latency(), window)
                : Math.min(state.target(), window.loads().most());
        boolean step = target > STEP * state.stepLoad();
        String reason = String.format(Locale.ROOT, "%.1f requests/s, mean latency %.1f ms", state.common().signals()
                .load(), 1e3 * state.latency());
        var common = step
                ? state.common().go(target, SearchAdvice.Phase.RAMPING, reason)
                : state.common().hold(target, SearchAdvice.Phase.RAMPING, reason);
        return new Ramping(common.knowing(held(state)), state.base(), state.searchHistory(), target, state.latency(),
                state.history(), state.cappedSeconds(), step ? target : state.stepLoad());
    }

    /** Returns the estimate so far: without a posterior, the load of some seconds ago, which has held. */
    private static Optional<CapacityEstimate> held(Ramping state) {
        if (state.searchHistory().flatMap(SearchHistory::posterior).isPresent()) {
            return state.common().advice().estimate();
        }
        double held = Math.max(state.base().load(), state.history().getFirst().load());
        return Optional.of(new CapacityEstimate(held, held, Double.POSITIVE_INFINITY, OptionalDouble.of(held),
                Optional.empty()));
    }

    private double higher(double load, double inflation, SearchInput window) {
        double rate = settings.ramp().rate()
                / (1 + settings.ramp().caution() * Math.max(0, inflation - UNCHANGED_LATENCY))
                * Math.min(1, load / ORDINARY_LOAD + MIN_SPEED);
        return Math.min(load * Math.exp(rate * window.seconds()), window.loads().most());
    }

    private SearchPhaseState alarmed(Ramping state, AlarmDetector.RaisedAlarm raised, SearchInput window) {
        var signals = state.common().signals();
        double load = raised.levels().isEmpty()
                ? signals.load()
                : signals.recentLoad(raised.longest(), window.seconds());
        var history = historyAround(state, signals.load());
        var breaches = new TreeMap<>(history.evidence().breaches());
        raised.levels().keySet().forEach(limit -> breaches.put(limit, raised.breach()));
        var exposure = new StepEvidence.Exposure(load, EXPOSED_SECONDS, true, raised.levels());
        return drain(state, history.with(history.evidence().exposed(exposure).broken(breaches)),
                raised.breach().words());
    }

    private SearchPhaseState drain(Ramping state, SearchHistory next, String reason) {
        double load = state.common().signals().load();
        return DrainPhase.begin(state.common(), state.base(), load, load * state.latency(), settings,
                new Then.RampEnds(next, state.latency()), reason);
    }

    private SearchPhaseState end(Ramping state, double target, boolean exposed, String reason, SearchInput window) {
        double load = state.common().signals().load();
        var next = historyAround(state, load);
        return ConfirmStep.begin(state.common().hold(target, SearchAdvice.Phase.CONFIRMING, reason), state.base(),
                exposed
                        ? next.with(next.evidence().exposed(new StepEvidence.Exposure(load, EXPOSED_SECONDS, false,
                                broken(state, window))))
                        : next,
                target,
                state.latency(), false, settings, window);
    }

    /** Returns the seconds for which limits without a proportion of requests were broken lately, by limit. */
    private static Map<String, Double> broken(Ramping state, SearchInput window) {
        var history = state.history();
        return history.subList(Math.max(0, history.size() - windows(EXPOSED_SECONDS, window)), history.size()).stream()
                .reduce(LoadTotals.EMPTY, LoadTotals::plus).broken();
    }

    private static SearchHistory historyAround(Ramping state, double load) {
        return state.searchHistory()
                .map(it -> it.on(SearchHistory.LoadRange.around(load)).resumed(state.common().signals().seconds()))
                .orElseGet(() -> SearchHistory.from(state.common().signals().seconds(),
                        SearchHistory.LoadRange.around(load)));
    }

    private static int windows(double seconds, SearchInput window) {
        return (int) Math.max(1, Math.round(seconds / window.seconds()));
    }
}
