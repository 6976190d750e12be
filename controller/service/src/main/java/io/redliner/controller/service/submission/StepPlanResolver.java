// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.submission;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.core.run.LoadProfiles;
import io.redliner.controller.core.run.StepPlan;
import io.redliner.controller.core.run.StepPlanFactory;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.service.persistence.CapacityRecord;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.sla.Rule;
import io.redliner.sla.SampleSizeCheck;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds what a profile's loads are for the instance that is to be tested, and whether the traffic suffices for its rules. */
final class StepPlanResolver {

    /** Days for which a measured peak counts as the present traffic of the service. */
    private static final int RECENT_DAYS = 30;

    /** Runs that a recheck compares with, at most. */
    private static final int MAX_RUNS = 3;

    /** Windows of a run that a recheck compares with: all of half an hour of the usual length. */
    private static final int MAX_WINDOWS = 1_800;

    private final CapacityRepository capacities;

    private final PeakTrafficRepository peaks;

    private final InstantSource clock;

    private final KnownCapacityResolver knownCapacityResolver;

    private final RunReadRepository runs;

    StepPlanResolver(CapacityRepository capacities, KnownCapacityResolver knownCapacityResolver,
            RunReadRepository runs, PeakTrafficRepository peaks, InstantSource clock) {
        this.capacities = capacities;
        this.knownCapacityResolver = knownCapacityResolver;
        this.runs = runs;
        this.peaks = peaks;
        this.clock = clock;
    }

    /**
     * The step plan; null when the search is followed.
     *
     * @throws RunRejectedException when the load cannot be had
     */
    @Nullable
    StepPlan steps(Plan plan, String instance, Share natural) {
        return StepPlanFactory.of(plan, natural, capacityAtLeast(plan, instance), recheckable(plan, instance))
                .orElse(null);
    }

    /** The lower end of the last known capacity; null without one, and for a plan whose load is not a part of it. */
    private @Nullable Double capacityAtLeast(Plan plan, String instance) {
        LoadTarget target = plan.settings() == null ? null : plan.settings().target();
        return target != null && target.kind() == LoadTarget.Kind.CAPACITY
                ? capacities.newest(plan.service(), instance).map(CapacityRecord::low).orElse(null)
                : null;
    }

    /** A capacity that a recheck compares with; null without one whose windows are kept. */
    private StepPlanFactory.@Nullable Recheckable recheckable(Plan plan, String instance) {
        if (plan.profile() != Profile.RECHECK) {
            return null;
        }
        List<CapacityRecord> found = knownCapacityResolver.comparable(plan, instance);
        if (found.isEmpty()) {
            return null;
        }
        CapacityRecord newest = found.getFirst();
        // A run that contradicted the earlier ones stands alone: they measured another capacity.
        return newest.known().flatMap(known -> {
            List<JudgedWindow> windows = found.stream().limit(Math.min(MAX_RUNS, known.runs()))
                    .flatMap(record -> runs.windowsOverTime(record.runId(), MAX_WINDOWS).stream()).toList();
            return LoadProfiles.of(newest.limitingRule(), windows)
                    .map(profile -> new StepPlanFactory.Recheckable(known, profile));
        }).orElse(null);
    }

    /**
     * A rule of the SLA that takes more requests than the search can bring the instance while it holds a load. The check uses
     * the service's highest rate that runs have measured lately, and finds nothing while no run has measured any.
     */
    Optional<DocumentProblem.Unlocated> unsupported(Plan plan) {
        LocalDate since = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(RECENT_DAYS);
        return peaks.highest(plan.service(), since).flatMap(peak -> IntStream.range(0, plan.sla().size())
                .mapToObj(number -> unsupported(plan, number, peak))
                .flatMap(Optional::stream)
                .findFirst());
    }

    private Optional<DocumentProblem.Unlocated> unsupported(Plan plan, int number, PeakTrafficRepository.Peak peak) {
        Rule rule = plan.sla().get(number);
        return SampleSizeCheck.objection(List.of(rule), plan.limits().maxShare().ratio(), peak.requestsPerSecond())
                .map(objection -> new DocumentProblem.Unlocated("$.spec.sla[" + number + "].expr", objection
                        + ". That is the highest rate that a run has seen in " + RECENT_DAYS + " days, at "
                        + peak.at() + ", in run " + peak.runId()));
    }
}
