// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.schedule.Firing;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.service.persistence.FiringRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.ScheduleQueries;
import io.redliner.controller.service.scheduling.ScheduleService;
import io.redliner.controller.service.security.AuditContext;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.security.RequestBodyReader;
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

/** When plans start by themselves. */
@RestController
@RequestMapping("/api/v1/schedules")
class ScheduleResource {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleResource.class);

    private final ScheduleQueries schedules;

    private final ScheduleService keeper;

    private final FiringRepository firings;

    private final Permissions permissions;

    ScheduleResource(ScheduleQueries schedules, ScheduleService keeper, FiringRepository firings,
            Permissions permissions) {
        this.permissions = permissions;
        this.schedules = schedules;
        this.keeper = keeper;
        this.firings = firings;
    }

    /** A schedule; without {@code nextFiring} it is paused, or nothing is due by the clock. */
    record ScheduleView(String plan, int planVersion, String service, @Nullable String timing, String zone,
            boolean onDeployment, List<String> calendars, @Nullable Instant nextFiring, boolean paused,
            @Nullable Instant pausedAt,
            @Nullable String pauseReason, @Nullable FiringView lastFiring) {

        static ScheduleView of(ScheduleQueries.Overview overview) {
            Firing last = overview.last();
            return new ScheduleView(overview.plan(), overview.planVersion(), overview.service(), overview.timing(),
                    overview.zone(), overview.onDeployment(), overview.calendars(), overview.next(),
                    overview.pausedAt() != null,
                    overview.pausedAt(), overview.pauseReason(), last == null ? null : FiringView.of(last));
        }
    }

    /** One page of schedules by plan. */
    record SchedulePage(List<ScheduleView> items, @Nullable String nextPageToken) {}

    /** One page of firings, newest first. */
    record FiringPage(List<FiringView> items, @Nullable String nextPageToken) {}

    @GetMapping
    SchedulePage list(@RequestParam(required = false) @Nullable String service,
            @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        List<ScheduleQueries.Overview> found = schedules.list(service, PageToken.readName(pageToken),
                Limits.require(limit) + 1);
        List<ScheduleQueries.Overview> page = found.subList(0, Math.min(limit, found.size()));
        return new SchedulePage(page.stream().map(ScheduleView::of).toList(),
                found.size() > limit ? PageToken.afterName(page.getLast().plan()) : null);
    }

    @GetMapping("/{plan:[^:]+}")
    ScheduleView get(@PathVariable String plan) {
        return schedules.find(plan).map(ScheduleView::of).orElseThrow(() -> unknown(plan));
    }

    /** Also of plans that are not there any more. */
    @GetMapping("/{plan}/firings")
    FiringPage firings(@PathVariable String plan, @RequestParam(defaultValue = "50") int limit,
            @RequestParam(required = false) @Nullable String pageToken) {
        RunReadRepository.Position before = pageToken == null ? null : PageToken.read(pageToken);
        List<Firing> found = firings.ofPlan(plan,
                before == null ? null : new FiringRepository.Position(before.submittedAt(), before.id()),
                Limits.require(limit) + 1);
        if (found.isEmpty() && before == null && schedules.find(plan).isEmpty()) {
            throw unknown(plan);
        }
        List<Firing> page = found.subList(0, Math.min(limit, found.size()));
        return new FiringPage(page.stream().map(FiringView::of).toList(),
                found.size() > limit ? PageToken.after(page.getLast().due(), page.getLast().key()) : null);
    }

    @PostMapping("/{plan}:pause")
    ScheduleView pause(@PathVariable String plan, InputStream body) throws InvalidPlanException {
        String reason = ReasonRequestReader.read(RequestBodyReader.read(body));
        requireOperator(plan, reason);
        if (!keeper.pause(plan, reason)) {
            throw unknown(plan);
        }
        LOG.info("the schedule of plan {} is paused: {}", plan, reason);
        return get(plan);
    }

    @PostMapping("/{plan}:resume")
    ScheduleView resume(@PathVariable String plan, InputStream body) throws InvalidPlanException {
        String reason = ReasonRequestReader.read(RequestBodyReader.read(body));
        requireOperator(plan, reason);
        if (!keeper.resume(plan)) {
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
