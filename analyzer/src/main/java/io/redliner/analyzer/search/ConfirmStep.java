// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchPhaseState.Confirming;
import java.util.Locale;

/** Begins a step of the confirm phase. */
final class ConfirmStep {

    private ConfirmStep() {}

    static SearchPhaseState begin(SearchContext common, BaselineProfile base, SearchHistory history, double wanted,
            double latency, boolean drained,
            SearchSettings settings, SearchInput window) {
        double target = Math.min(wanted, window.loads().most());
        double unsettled = SearchSettings.seconds(settings.steps().settling());
        double settling = drained ? SearchSettings.seconds(settings.steps().settlingAfterDrain()) : unsettled;
        double seconds = Math.clamp(settings.steps().requests() / target,
                SearchSettings.seconds(settings.steps().min()),
                SearchSettings.seconds(settings.steps().max())) + settling - unsettled;
        return new Confirming(
                common.resetAlarm().go(target, SearchAdvice.Phase.CONFIRMING,
                        String.format(Locale.ROOT, "testing at %.1f requests/s", target)),
                base, history, target, latency, LoadTotals.EMPTY, LoadTotals.EMPTY,
                new SearchPhaseState.StepLength(seconds, settling, drained));
    }
}
