// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import io.redliner.controller.jdbc.JournalEntry;
import io.redliner.controller.run.Ending;
import io.redliner.controller.run.RunEvent;
import io.redliner.controller.run.RunState;
import io.redliner.controller.run.WindowVerdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decision as followers see it.
 *
 * @param event what it was made about: {@code VerdictArrived}, {@code AbortRequested} and so on
 * @param askedShare after it
 * @param reason the search's advice, or why the run ends
 * @param window the window, when it was made about one
 */
record EventView(long sequence, Instant at, String event, String phase, double askedShare, String reason,
        @Nullable String outcome, @Nullable WindowView window) {

    static EventView of(JournalEntry entry) {
        RunState state = entry.decision().state();
        Ending ending = state.ending();
        double asked = state.askedShare().ratio();
        WindowView window = entry.event() instanceof RunEvent.VerdictArrived arrived
                ? WindowView.of(arrived.verdict(), state.phase().word(), asked, inForce(state, arrived.verdict()))
                : null;
        String advice = window == null ? "" : window.advice().reason();
        return new EventView(entry.sequence(), entry.decidedAt(), entry.event().getClass().getSimpleName(),
                state.phase().word(), asked, ending == null ? advice : ending.reason().detail(),
                ending == null ? null : ending.outcome().name(), window);
    }

    private static double inForce(RunState state, WindowVerdict verdict) {
        return state instanceof RunState.Leased leased
                ? leased.course().lease().shareBefore(verdict.windowEnd()).ratio()
                : state.facts().naturalShare().ratio();
    }
}
