// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunEvent;
import io.redliner.controller.service.persistence.JournalNote;
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
record RunEventView(long sequence, Instant at, String event, String phase, double askedShare, String reason,
        @Nullable String outcome, @Nullable WindowView window) {

    /** @param runs the run's ending, as it is known now */
    static RunEventView of(JournalNote note, @Nullable RunEnd runs) {
        double share = note.asked().ratio();
        WindowView window = window(note);
        RunEnd ending = DecisionView.ending(note, runs);
        String advice = window == null ? "" : window.advice().reason();
        return new RunEventView(note.sequence(), note.decidedAt(), note.event().kind(), note.phase(),
                share, ending == null ? advice : ending.reason().detail(),
                ending == null ? null : ending.outcome().name(), window);
    }

    /** Returns the window that a decision is about; absent when it is about something else. */
    static @Nullable WindowView window(JournalNote note) {
        Share inForce = note.inForce();
        return note.event() instanceof RunEvent.VerdictArrived arrived && inForce != null
                ? WindowView.of(new JudgedWindow(note.phase(), inForce, note.moved(), arrived.verdict()),
                        note.asked().ratio())
                : null;
    }
}
