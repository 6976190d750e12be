// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.series.StoredSeries;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.SeriesRepository;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.SeriesService;
import io.redliner.controller.service.security.AuditContext;
import io.redliner.controller.service.security.Permissions;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists and aborts series of runs; {@code POST /runs} starts them. */
@RestController
@RequestMapping("/api/v1/series")
class SeriesResource {

    private static final int MAX_ITEMS = 200;

    private static final String RUNNING = "Running";

    private static final String FINISHED = "Finished";

    private final SeriesService series;

    private final Permissions permissions;

    private final RunViewAssembler views;

    SeriesResource(SeriesService series, Permissions permissions, RunViewAssembler views) {
        this.views = views;
        this.permissions = permissions;
        this.series = series;
    }

    @GetMapping
    Page<SeriesView> list(@RequestParam(required = false) @Nullable String phase,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        int pageSize = RequestParameters.between("limit", 1, limit, MAX_ITEMS);
        if (phase != null && !phase.equals(RUNNING) && !phase.equals(FINISHED)) {
            throw RequestParameters.refuse("phase", "a series is " + RUNNING + " or " + FINISHED);
        }
        RunReadRepository.Position after = pageToken == null ? null : PageToken.read(pageToken);
        return Page.of(series.list(
                after == null ? null : new SeriesRepository.Position(after.submittedAt(), after.id()), pageSize + 1,
                phase == null ? null : (Boolean) phase.equals(FINISHED)),
                pageSize,
                SeriesView::of, one -> PageToken.after(one.createdAt(), one.id()));
    }

    @GetMapping("/{id:[^:]+}")
    SeriesView get(@PathVariable String id) {
        StoredSeries found = find(id);
        return SeriesView.of(found, views.notes(found.plan().json()));
    }

    @PostMapping("/{id}:abort")
    ResponseEntity<SeriesView> abort(@PathVariable String id, HttpServletRequest request)
            throws InvalidDocumentException {
        String reason = ReasonRequestReader.readOfStop(request,
                "stopped by " + permissions.caller().name() + ", no reason given");
        AuditContext.reason(reason);
        StoredSeries before = find(id);
        permissions.requireMayAbort(before.service());
        if (before.finishedAt() != null) {
            throw alreadyEnded(id);
        }
        return ResponseEntity.accepted()
                .body(SeriesView.of(series.abort(id, reason).orElseThrow(() -> alreadyEnded(id))));
    }

    private StoredSeries find(String id) {
        return series.find(id)
                .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no series " + id));
    }

    private static ProblemException alreadyEnded(String id) {
        return new ProblemException(ProblemType.RUN_FINISHED, "series " + id + " is over").with("seriesId", id);
    }
}
