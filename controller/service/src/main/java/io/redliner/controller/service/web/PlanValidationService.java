// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.LimitFigure;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.core.schedule.ScheduleValidator;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.yaml.PlanReader;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.scheduling.CachedCalendarLookup;
import io.redliner.controller.service.scheduling.SeriesService;
import io.redliner.controller.service.security.Permissions;
import io.redliner.controller.service.submission.PlanValidator;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates plans: they have no mistake, and everything that they refer to exists. */
final class PlanValidationService {

    private final PlanReader reader;

    private final CachedCalendarLookup calendars;

    private final List<PlanValidator> checks;

    private final RunSubmissionService submission;

    private final SeriesService series;

    private final Permissions permissions;

    private final PeakTrafficRepository peaks;

    private final CapacityProperties properties;

    private final InstantSource clock;

    PlanValidationService(PlanReader reader, CachedCalendarLookup calendars, List<PlanValidator> checks,
            RunSubmissionService submission, SeriesService series, Permissions permissions,
            PeakTrafficRepository peaks, CapacityProperties properties, InstantSource clock) {
        this.reader = reader;
        this.calendars = calendars;
        this.checks = List.copyOf(checks);
        this.submission = submission;
        this.series = series;
        this.permissions = permissions;
        this.peaks = peaks;
        this.properties = properties;
        this.clock = clock;
    }

    /**
     * Reads a plan.
     *
     * @throws InvalidDocumentException with all mistakes
     * @throws RunRejectedException when something is missing that it refers to, or it starts by itself and cannot work
     */
    Plan read(String text) throws InvalidDocumentException {
        Plan plan = reader.read(text, read -> ScheduleValidator.fault(read, calendars, clock.instant()));
        for (PlanValidator check : checks) {
            check.check(plan);
        }
        if (plan.schedule() != null) {
            requireFeasible(plan);
        }
        return plan;
    }

    /** Returns what the plan's limits allow, in numbers, as far as its service and its traffic are known. */
    List<LimitFigure> figures(Plan plan) {
        LocalDate since = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(properties.peakDays());
        return LimitFigure.of(plan.limits(), naturalShare(plan), peaks.highest(plan.service(), since)
                .map(PeakTrafficRepository.Peak::requestsPerSecond).orElse(null));
    }

    private @Nullable Share naturalShare(Plan plan) {
        if (plan.profile().series()) {
            return null;
        }
        try {
            return submission.resolve(plan, plan.name(), null).facts().naturalShare();
        } catch (RunRejectedException rejection) {
            return null;
        }
    }

    /** Returns notes for the author of a plan about things that are unusual but no mistakes. */
    List<String> notes(Plan plan) {
        return Stream.of(PlanNotes.of(plan).stream(), calendars(plan),
                plan.schedule() == null ? approverMissing(plan).stream() : Stream.<String>empty())
                .flatMap(notes -> notes).toList();
    }

    /** Returns the reason why no user could approve the caller's run of the plan; empty when some user could, or none is needed. */
    Optional<String> approverMissing(Plan plan) {
        return plan.safety().approvalWithin() == null || plan.profile().series()
                ? Optional.empty()
                : permissions.approverMissing(plan.service());
    }

    private Stream<String> calendars(Plan plan) {
        Schedule schedule = plan.schedule();
        return schedule == null
                ? Stream.empty()
                : schedule.except().stream()
                        .flatMap(blackout -> blackout instanceof Blackout.Named named
                                ? Stream.of(named.calendar())
                                : Stream.empty())
                        .distinct()
                        .flatMap(name -> calendars.warnings(name).stream()
                                .map(warning -> "calendar " + name + ": " + warning));
    }

    /**
     * Checks whether a run of the plan can work, as far as the service is known.
     *
     * @throws RunRejectedException only when the plan's own limits let a run do nothing
     */
    void requireFeasible(Plan plan) {
        try {
            if (plan.profile().series()) {
                series.resolve(plan, plan.name(), null);
            } else {
                submission.resolve(plan, plan.name(), null);
            }
        } catch (RunRejectedException rejection) {
            if (rejection.reason().ofLimits()) {
                throw rejection;
            }
        }
    }
}
