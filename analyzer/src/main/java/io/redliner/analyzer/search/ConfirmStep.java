// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

import io.redliner.analyzer.search.SearchPhaseState.Riding;
import java.util.Locale;

/** The beginning of a dwell. */
final class Dwell {

    private Dwell() {}

    static SearchPhaseState begin(SearchContext common, BaselineProfile base, SearchHistory ride, double wanted,
            double latency, boolean drained,
            SearchSettings settings, SearchInput window) {
        double target = Math.min(wanted, window.mostRequestsPerSecond());
        double unsettled = SearchSettings.seconds(settings.settling());
        double settling = drained ? SearchSettings.seconds(settings.settlingAfterDrain()) : unsettled;
        double seconds = Math.clamp(settings.dwellRequests() / target, SearchSettings.seconds(settings.dwell()),
                SearchSettings.seconds(settings.longestDwell())) + settling - unsettled;
        return new Riding(
                common.resetAlarm().go(target, SearchAdvice.Phase.CONFIRMING,
                        String.format(Locale.ROOT, "riding at %.1f requests/s", target)),
                base, ride, target, latency, LoadTotals.EMPTY, LoadTotals.EMPTY, seconds, settling, drained);
    }
}
