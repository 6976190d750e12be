// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.scheduling.ScheduleService;
import io.redliner.controller.service.security.AuditContext;
import io.redliner.controller.service.security.Permissions;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The schedules of plans. */
@RestController
@RequestMapping("/api/v1/schedules")
class ScheduleResource {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleResource.class);

    private final ScheduleQueries schedules;

    private final ScheduleService service;

    private final FiringRepository firings;

    private final Permissions permissions;

    ScheduleResource(ScheduleQueries schedules, ScheduleService service, FiringRepository firings,
            Permissions permissions) {
        this.permissions = permissions;
        this.schedules = schedules;
        this.service = service;
        this.firings = firings;
    }

    /** A schedule; without {@code nextFiring} it is paused, or nothing is due by the clock. */
    record ScheduleView(String plan, int planVersion, String service, @Nullable String timing, String zone,
            boolean onDeployment, List<String> calendars, @Nullable Instant nextFiring, boolean paused,
            @Nullable Instant pausedAt,
            @Nullable String pauseReason, @Nullable FiringView lastFiring) {

        static ScheduleView of(ScheduleQueries.Overview overview) {
            Firing last = overview.last();
            ScheduleQueries.Trigger trigger = overview.trigger();
            ScheduleQueries.Pause pause = overview.pause();
            return new ScheduleView(overview.plan(), overview.planVersion(), overview.service(), trigger.timing(),
                    trigger.zone(), trigger.onDeployment(), trigger.calendars(), overview.next(), pause != null,
                    pause == null ? null : pause.at(), pause == null ? null : pause.reason(),
                    last == null ? null : FiringView.of(last));
        }
    }

    @GetMapping
    Page<ScheduleView> list(@RequestParam(required = false) @Nullable String service,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        return Page.of(schedules.list(service, PageToken.readName(pageToken), RequestParameters.limit(limit) + 1),
                limit, ScheduleView::of, schedule -> PageToken.write(schedule.plan()));
    }

    @GetMapping("/{plan:[^:]+}")
    ScheduleView get(@PathVariable String plan) {
        return schedules.find(plan).map(ScheduleView::of).orElseThrow(() -> unknown(plan));
    }

    /** Returns the firings of a plan, which may not exist any more. */
    @GetMapping("/{plan}/firings")
    Page<FiringView> firings(@PathVariable String plan, @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        RunReadRepository.Position before = pageToken == null ? null : PageToken.read(pageToken);
        List<Firing> found = firings.ofPlan(plan,
                before == null ? null : new FiringRepository.Position(before.submittedAt(), before.id()),
                RequestParameters.limit(limit) + 1);
        if (found.isEmpty() && before == null && schedules.find(plan).isEmpty()) {
            throw unknown(plan);
        }
        return Page.of(found, limit, FiringView::of, firing -> PageToken.after(firing.due(), firing.key()));
    }

    @PostMapping("/{plan}:pause")
    ScheduleView pause(@PathVariable String plan, InputStream body) throws InvalidDocumentException {
        String reason = ReasonRequestReader.read(body);
        requireOperator(plan, reason);
        if (!service.pause(plan, reason)) {
            throw unknown(plan);
        }
        LOG.info("the schedule of plan {} is paused: {}", plan, reason);
        return get(plan);
    }

    @PostMapping("/{plan}:resume")
    ScheduleView resume(@PathVariable String plan, InputStream body) throws InvalidDocumentException {
        String reason = ReasonRequestReader.read(body);
        requireOperator(plan, reason);
        if (!service.resume(plan)) {
            throw unknown(plan);
        }
        LOG.info("the schedule of plan {} goes on: {}", plan, reason);
        return get(plan);
    }

    private void requireOperator(String plan, String reason) {
        AuditContext.reason(reason);
        permissions.requireOperator(get(plan).service());
    }

    private static ProblemException unknown(String plan) {
        return new ProblemException(ProblemType.NOT_FOUND, "there is no plan " + plan + " with a schedule");
    }
}
