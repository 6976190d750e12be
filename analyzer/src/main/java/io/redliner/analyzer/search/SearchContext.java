// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchAdvice.Action;
import java.util.Optional;

/**
 * The state that all phases share.
 *
 * @param inconclusive number of inconclusive windows in a row
 * @param stalls number of stalls so far
 * @param pieces requests of the confirm phase by load
 */
public record SearchContext(SutSignals signals, AlarmDetector watch, int inconclusive, int stalls,
        SearchAdvice advice, LoadPieces pieces) {

    /** @param counted true when the window belongs to a settled step of the confirm phase */
    SearchContext withWindow(SearchInput window, double baselineLatency, SearchSettings settings, boolean nearKnee,
            boolean counted) {
        var updated = signals.next(window, advice, baselineLatency);
        var longer = pieces.next(window, updated.arrivals(), counted);
        return new SearchContext(updated, watch.next(window, updated, settings.alarm(), nearKnee), 0, stalls, advice,
                updated.stalled() ? longer.stalled(window.seconds()) : longer);
    }

    /** @param naturalRequestsPerSecond natural load of the SUT, at which the baseline begins; 0 while unknown */
    SearchContext inconclusive(String reason, double naturalRequestsPerSecond) {
        boolean natural = advice.phase() == SearchAdvice.Phase.BASELINE && advice.requestsPerSecond() == 0;
        return new SearchContext(signals, watch, inconclusive + 1, stalls,
                new SearchAdvice(Action.HOLD, natural ? naturalRequestsPerSecond : advice.requestsPerSecond(),
                        advice.phase(), reason, advice.step(), advice.estimate()),
                pieces.interrupted());
    }

    SearchContext conclusive() {
        return new SearchContext(signals, watch, 0, stalls, advice, pieces);
    }

    SearchContext resetAlarm() {
        return new SearchContext(signals.recovered(), AlarmDetector.START, inconclusive, stalls, advice, pieces);
    }

    SearchContext stalledAgain() {
        return new SearchContext(signals, watch, inconclusive, stalls + 1, advice, pieces);
    }

    /** Goes on after windows that the search has not seen. */
    SearchContext interrupted() {
        return new SearchContext(signals, watch, inconclusive, stalls, advice, pieces.interrupted());
    }

    /** Continues the same step. */
    SearchContext hold(double target, SearchAdvice.Phase phase, String reason) {
        return with(new SearchAdvice(Action.HOLD, target, phase, reason, advice.step(), advice.estimate()));
    }

    /** Begins the next step. */
    SearchContext go(double target, SearchAdvice.Phase phase, String reason) {
        return with(new SearchAdvice(Action.GO, target, phase, reason, advice.step() + 1, advice.estimate()));
    }

    SearchContext shed(double target, String reason) {
        return with(new SearchAdvice(Action.SHED, target, SearchAdvice.Phase.CONFIRMING, reason, advice.step() + 1,
                advice.estimate()));
    }

    SearchContext end(Action action, String reason, Optional<CapacityEstimate> estimate) {
        return with(new SearchAdvice(action, 0, SearchAdvice.Phase.ENDED, reason, advice.step(), estimate));
    }

    SearchContext knowing(Optional<CapacityEstimate> estimate) {
        return with(new SearchAdvice(advice.action(), advice.requestsPerSecond(), advice.phase(), advice.reason(),
                advice.step(), estimate));
    }

    private SearchContext with(SearchAdvice newAdvice) {
        return new SearchContext(signals, watch, inconclusive, stalls, newAdvice, pieces);
    }
}
