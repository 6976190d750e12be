// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.redliner.controller.jdbc.RunHistory;
import io.redliner.controller.jdbc.StoredRun;
import io.redliner.controller.run.RunEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What was decided in a run, and from what. */
@RestController
@RequestMapping("/api/v1/runs")
class DecisionResource {

    private final KeptRuns kept;

    private final RunHistory history;

    DecisionResource(KeptRuns kept, RunHistory history) {
        this.kept = kept;
        this.history = history;
    }

    /** Decisions in order; {@code nextAfter} is the {@code after} of the next page, which may be empty. */
    record DecisionPage(List<DecisionView> items, @Nullable Long nextAfter) {}

    /**
     * A decision with all that it was made from: the run's decider is a function of these and of the instant.
     *
     * @param window what the verdict said, when it was made about one
     * @param input the event, as the journal has it
     * @param stateBefore the state that the run was in; absent of the first decision of a run of an older version
     */
    record DecisionInputs(DecisionView decision, @Nullable WindowView window, @JsonRawValue String input,
            @JsonRawValue @Nullable String stateBefore) {}

    @GetMapping("/{id}/decisions")
    DecisionPage decisions(@PathVariable String id, @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "100") int limit, @RequestParam(defaultValue = "false") boolean all) {
        int most = Limits.require(limit);
        StoredRun run = kept.require(id);
        long begin = Math.clamp(after, 0, run.journalSequence());
        List<RunHistory.Told> found = history.decisions(id, begin, most + 1, all);
        List<DecisionView> page = found.stream().limit(most).map(DecisionView::of).toList();
        long looked = begin + RunHistory.LOOKED_THROUGH;
        Long next = found.size() > most
                ? Long.valueOf(page.getLast().sequence())
                : looked < run.journalSequence() ? Long.valueOf(looked) : null;
        return new DecisionPage(page, next);
    }

    @GetMapping("/{id}/decisions/{sequence}")
    DecisionInputs decision(@PathVariable String id, @PathVariable long sequence) {
        StoredRun run = kept.require(id);
        if (sequence < 1 || sequence > run.journalSequence()) {
            throw unknown(id, sequence);
        }
        RunHistory.Told told = history.decision(id, sequence).orElseThrow(() -> unknown(id, sequence));
        EventView event = EventView.of(told.entry());
        return new DecisionInputs(DecisionView.of(told),
                told.entry().event() instanceof RunEvent.VerdictArrived ? event.window() : null,
                history.event(id, sequence).orElseThrow(() -> unknown(id, sequence)),
                history.stateBefore(id, sequence).orElse(null));
    }

    private static ProblemException unknown(String id, long sequence) {
        return new ProblemException(ProblemType.NOT_FOUND, "run " + id + " has no decision " + sequence);
    }
}
