// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.service.persistence.RunHistoryRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The decisions of a run, and their inputs. */
@RestController
@RequestMapping("/api/v1/runs")
class DecisionResource {

    private final RunLookup lookup;

    private final RunHistoryRepository history;

    DecisionResource(RunLookup lookup, RunHistoryRepository history) {
        this.lookup = lookup;
        this.history = history;
    }

    /**
     * Decisions in order, or newest first when the request was for those before one.
     *
     * @param nextAfter the {@code after} of the next page, which may be empty
     * @param nextBefore the {@code before} of the next page, which may be empty
     */
    record DecisionPage(List<DecisionView> items, @Nullable Long nextAfter, @Nullable Long nextBefore) {}

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
    DecisionPage decisions(@PathVariable String id, @RequestParam(required = false) @Nullable Long after,
            @RequestParam(required = false) @Nullable Long before, @RequestParam(defaultValue = "100") int limit,
            @RequestParam(defaultValue = "false") boolean all) {
        int pageSize = RequestParameters.limit(limit);
        if (after != null && before != null) {
            throw RequestParameters.refuse("before", "either after or before is given");
        }
        StoredRun run = lookup.findWithDetails(id);
        return before == null
                ? after(run, after == null ? 0 : after, pageSize, all)
                : before(run, before, pageSize, all);
    }

    private DecisionPage after(StoredRun run, long after, int pageSize, boolean all) {
        long begin = Math.clamp(after, 0, run.journalSequence());
        List<RunHistoryRepository.DecisionRow> found = history.decisions(run.id(), begin, pageSize + 1, all);
        List<DecisionView> page = views(run, found, pageSize);
        long scanEnd = begin + RunHistoryRepository.MAX_SCANNED_ENTRIES;
        Long next = found.size() > pageSize
                ? Long.valueOf(page.getLast().sequence())
                : scanEnd < run.journalSequence() ? Long.valueOf(scanEnd) : null;
        return new DecisionPage(page, next, null);
    }

    private DecisionPage before(StoredRun run, long before, int pageSize, boolean all) {
        long end = Math.clamp(before, 1, run.journalSequence() + 1);
        List<RunHistoryRepository.DecisionRow> found = history.decisionsBefore(run.id(), end, pageSize + 1, all);
        List<DecisionView> page = views(run, found, pageSize);
        long scanEnd = end - RunHistoryRepository.MAX_SCANNED_ENTRIES;
        Long next = found.size() > pageSize
                ? Long.valueOf(page.getLast().sequence())
                : scanEnd > 1 ? Long.valueOf(scanEnd) : null;
        return new DecisionPage(page, null, next);
    }

    private static List<DecisionView> views(StoredRun run, List<RunHistoryRepository.DecisionRow> found, int pageSize) {
        return found.stream().limit(pageSize).map(row -> DecisionView.of(row, run.state().ending())).toList();
    }

    @GetMapping("/{id}/decisions/{sequence}")
    DecisionInputs decision(@PathVariable String id, @PathVariable long sequence) {
        StoredRun run = lookup.findWithDetails(id);
        if (sequence < 1 || sequence > run.journalSequence()) {
            throw unknown(id, sequence);
        }
        RunHistoryRepository.DecisionRow row = history.decision(id, sequence).orElseThrow(() -> unknown(id, sequence));
        return new DecisionInputs(DecisionView.of(row, run.state().ending()), RunEventView.window(row.note()),
                history.event(id, sequence).orElseThrow(() -> unknown(id, sequence)),
                history.stateBefore(id, sequence).orElse(null));
    }

    private static ProblemException unknown(String id, long sequence) {
        return new ProblemException(ProblemType.NOT_FOUND, "run " + id + " has no decision " + sequence);
    }
}
