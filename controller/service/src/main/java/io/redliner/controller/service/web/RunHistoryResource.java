// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunPhase;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.service.persistence.JournalExport;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.report.StepView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Reads runs: lists, steps, windows, the journal and events. */
@RestController
@RequestMapping("/api/v1")
class RunHistoryResource {

    private static final int MAX_RUNS = 200;

    private static final int MAX_WINDOWS = 10_000;

    private static final int JOURNAL_PAGE = 500;

    private final RunReadRepository runs;

    private final RunLookup lookup;

    private final RunViewAssembler views;

    private final RunEventStream stream;

    private final LiveRunStream live;

    private final RunJsonMapper json;

    RunHistoryResource(RunReadRepository runs, RunLookup lookup, RunViewAssembler views, RunEventStream stream,
            LiveRunStream live, RunJsonMapper json) {
        this.json = json;
        this.live = live;
        this.runs = runs;
        this.lookup = lookup;
        this.views = views;
        this.stream = stream;
    }

    /** Windows in order; {@code nextAfter} is the {@code after} of the next page. */
    record WindowPage(List<WindowView> items, @Nullable Long nextAfter) {}

    @GetMapping("/runs")
    Page<RunView> list(@RequestParam(required = false) @Nullable String service,
            @RequestParam(required = false) @Nullable String phase,
            @RequestParam(required = false) @Nullable String since,
            @RequestParam(defaultValue = "50") int limit, @RequestParam(required = false) @Nullable String pageToken) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_RUNS);
        return Page.of(runs
                .list(new RunReadRepository.Filter(service, phase(phase), RequestParameters.instant("since", since),
                        pageToken == null ? null : PageToken.read(pageToken), pageSize + 1)),
                pageSize, RunView::brief,
                run -> PageToken.after(run.submittedAt(), run.id()));
    }

    @GetMapping("/runs/{id:[^:]+}")
    RunView get(@PathVariable String id) {
        return views.full(lookup.find(id));
    }

    @GetMapping("/runs/{id}/steps")
    Page<StepView> steps(@PathVariable String id) {
        lookup.find(id);
        return Page.whole(runs.steps(id).stream().map(StepView::of).toList());
    }

    @GetMapping("/runs/{id}/windows")
    WindowPage windows(@PathVariable String id, @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "100") int limit) {
        lookup.find(id);
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_WINDOWS);
        List<WindowView> found = runs.windows(id, after, pageSize + 1).stream().map(WindowView::of).toList();
        List<WindowView> page = found.subList(0, Math.min(pageSize, found.size()));
        return new WindowPage(page, found.size() > pageSize ? page.getLast().sequence() : null);
    }

    /** Returns the input of {@code redliner replay}: the run's first state, then each decision, one JSON text per line. */
    @GetMapping(path = "/runs/{id}/journal", produces = MediaType.APPLICATION_NDJSON_VALUE)
    ResponseEntity<StreamingResponseBody> journal(@PathVariable String id) {
        long length = lookup.findWithDetails(id).journalSequence();
        RunState first = runs.firstState(id).orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND,
                "run " + id + " is of an older version, which did not keep what it began with"));
        StreamingResponseBody lines = out -> {
            write(out, json.write(first));
            JournalExport export = runs.export(id);
            for (List<String> page = export.next(JOURNAL_PAGE); !page.isEmpty(); page = export.next(JOURNAL_PAGE)) {
                for (String line : page) {
                    write(out, line);
                }
            }
            if (export.sequence() < length) {
                throw new IOException("the journal of run " + id + " was removed while it was read");
            }
        };
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_NDJSON).body(lines);
    }

    private static void write(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping(path = "/runs/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(@PathVariable String id,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            @RequestParam(name = "after", defaultValue = "0") long from) {
        lookup.find(id);
        long after = Math.max(0, from);
        if (lastEventId != null && !lastEventId.isBlank()) {
            try {
                after = Math.max(0, Long.parseLong(lastEventId.strip()));
            } catch (NumberFormatException malformed) {
                throw new ProblemException(ProblemType.INVALID_PARAMETER, "Last-Event-ID is a journal sequence")
                        .with("field", "Last-Event-ID");
            }
        }
        return stream.follow(id, after);
    }

    /** Returns all live runs at a glance, as they go. */
    @GetMapping(path = "/runs:live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter live() {
        return live.follow();
    }

    private static @Nullable String phase(@Nullable String phase) {
        if (phase != null && Stream.of(RunPhase.values()).noneMatch(known -> known.wireName().equals(phase))) {
            throw new ProblemException(ProblemType.INVALID_PARAMETER, "there is no phase " + phase)
                    .with("field", "phase")
                    .with("known", Stream.of(RunPhase.values()).map(RunPhase::wireName).toList());
        }
        return phase;
    }
}
