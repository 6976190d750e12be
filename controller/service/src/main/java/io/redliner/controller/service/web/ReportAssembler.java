// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.CapacityEstimate;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.ExitCode;
import io.redliner.controller.core.run.Headline;
import io.redliner.controller.core.run.RunEnd;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.PeakTrafficRepository;
import io.redliner.controller.service.persistence.RunReadRepository;
import io.redliner.controller.service.persistence.RunHighlightsRepository;
import io.redliner.controller.service.persistence.StoredCapacity;
import io.redliner.controller.service.report.ComparedRun;
import io.redliner.controller.service.report.FleetNeed;
import io.redliner.controller.service.report.HarmView;
import io.redliner.controller.service.report.ReportChecklist;
import io.redliner.controller.service.report.RestoreView;
import io.redliner.controller.service.report.RunCondition;
import io.redliner.controller.service.report.RunComparison;
import io.redliner.controller.service.report.RunReport;
import io.redliner.controller.service.report.RunReport.Head;
import io.redliner.controller.service.report.Section;
import io.redliner.controller.service.report.StepView;
import io.redliner.controller.service.report.WindowSummary;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Assembles reports and comparisons from the stored data of runs. */
final class ReportAssembler {

    private static final String VERSION = "version";

    private static final String HARDWARE = "hardware";

    private final RunReadRepository runs;

    private final RunHighlightsRepository highlights;

    private final CapacityRepository capacities;

    private final FleetService fleets;

    private final List<SectionSource> sources;

    private final InstantSource clock;

    ReportAssembler(RunReadRepository runs, RunHighlightsRepository highlights, CapacityRepository capacities,
            FleetService fleets, List<SectionSource> sources, InstantSource clock) {
        this.runs = runs;
        this.highlights = highlights;
        this.capacities = capacities;
        this.fleets = fleets;
        this.sources = List.copyOf(sources);
        this.clock = clock;
    }

    /**
     * Returns the report of a run.
     *
     * @param windows what all its windows come to
     */
    RunReport report(StoredRun run, WindowSummary windows) {
        RunState state = run.state();
        RunEnd ending = state.ending();
        SearchConclusion conclusion = ending == null ? null : ending.conclusion();
        StoredCapacity stored = capacities.find(run.id()).orElse(null);
        Head head = head(run, ending, stored, windows.windows());
        HarmView harm = HarmView.of(state.harm());
        RestoreView restore = RestoreView.of(state);
        List<Section> sections = sources.stream().flatMap(source -> source.sections(run).stream()).toList();
        return new RunReport(head, result(state, ending, true), result(state, ending, false), previous(stored), harm,
                restore, conclusion == null ? List.of() : conclusion.bottleneck(),
                conclusion == null ? List.of() : conclusion.validity(),
                RunCondition.of(state), runs.steps(run.id()).stream().map(StepView::of).toList(), windows.rules(),
                ReportChecklist.of(head, windows, harm, restore, sections), sections,
                conclusion == null ? null : conclusion.exceedances(), highlights.of(run));
    }

    /** Returns how far the number of a run can be relied on; a live run has none. */
    static Certainty certainty(StoredRun run) {
        RunEnd ending = run.state().ending();
        return ending == null ? Certainty.of(null) : ending.certainty();
    }

    /** Returns the instances that the service of a run needs by its capacity; unknown when it found none. */
    FleetNeed need(StoredRun run) {
        RunReport.Result result = result(run.state(), run.state().ending(), true);
        FleetService.Fleet fleet = result == null ? null : fleets.find(run.state().facts().service()).orElse(null);
        if (result == null || fleet == null) {
            return FleetNeed.UNKNOWN;
        }
        EnumSet<FleetNeed.Caveat> caveats = EnumSet.noneOf(FleetNeed.Caveat.class);
        if (result.lowerBound()) {
            caveats.add(FleetNeed.Caveat.LOWER_BOUND);
        }
        PeakTrafficRepository.Peak peak = fleet.peak();
        if (peak != null && fleets.stale(peak)) {
            caveats.add(FleetNeed.Caveat.STALE_PEAK);
        }
        if (fleet.bases().stream().filter(CapacityBasis::stale).anyMatch(basis -> counted(basis, fleet))) {
            caveats.add(FleetNeed.Caveat.STALE_CAPACITY);
        }
        return FleetNeed.of(result.low(), fleet.reported() ? fleet.instances() : null,
                peak == null ? null : peak.requestsPerSecond(), caveats);
    }

    /** Returns true when an instance of the fleet is, or may be, counted with a capacity. */
    private static boolean counted(CapacityBasis basis, FleetService.Fleet fleet) {
        return fleet.instances().stream().anyMatch(instance -> instance.address().equals(basis.instance())
                || Objects.equals(instance.hardware(), basis.hardware()));
    }

    /** Returns the comparison of a run with another one, also of runs whose windows were removed. */
    RunComparison compare(StoredRun run, StoredRun other) {
        return RunComparison.of(compared(run), compared(other));
    }

    private ComparedRun compared(StoredRun run) {
        RunState state = run.state();
        RunEnd ending = state.ending();
        StoredCapacity stored = capacities.find(run.id()).orElse(null);
        ReportedPlan plan = ReportedPlan.of(run.plan().json());
        Integer exitCode = ExitCode.numberOf(state);
        RunReport.Result result = exitCode != null
                && (exitCode == ExitCode.ANSWERED.code() || exitCode == ExitCode.UNSAFE.code())
                        ? result(state, ending, true)
                        : null;
        SearchConclusion conclusion = ending == null ? null : ending.conclusion();
        return new ComparedRun(run.id(), state.facts().service(), state.facts().sut(),
                stored == null ? plan.label(VERSION) : stored.version(),
                stored == null ? plan.label(HARDWARE) : stored.hardware(), run.submittedAt(), plan.terms(),
                new ComparedRun.Answer(!(state instanceof RunState.Finished),
                        ending == null ? null : ending.outcome().name(), exitCode, Headline.of(state).orElse(null),
                        result,
                        result == null ? null : certainty(run), conclusion == null || conclusion.bottleneck().isEmpty()
                                ? null
                                : conclusion.bottleneck().getFirst(),
                        HarmView.of(state.harm())));
    }

    private Head head(StoredRun run, @Nullable RunEnd ending, @Nullable StoredCapacity stored, long windows) {
        RunState state = run.state();
        ReportedPlan plan = ReportedPlan.of(run.plan().json());
        Instant now = clock.instant();
        Instant end = run.finishedAt() == null ? now : run.finishedAt();
        return new Head(run.id(), state.facts().service(), state.facts().sut(),
                stored == null ? plan.label(VERSION) : stored.version(),
                stored == null ? plan.label(HARDWARE) : stored.hardware(), run.plan().name(), run.plan().hash(),
                plan.profile(), state.phase().wireName(), !(state instanceof RunState.Finished),
                ending == null ? null : ending.outcome().name(),
                ending == null ? null : ending.reason().code().wireName(),
                ending == null ? null : ending.reason().detail(), Headline.of(state).orElse(null),
                ExitCode.numberOf(state), run.submittedAt(), run.finishedAt(),
                Math.max(0, seconds(Duration.between(run.submittedAt(), end))), state.facts().naturalShare().ratio(),
                Math.max(state.facts().bounds().maxShare().ratio(), state.facts().naturalShare().ratio()), windows,
                now);
    }

    /** Returns the result of a run that found one, or else the estimate of the search. */
    private static RunReport.@Nullable Result result(RunState state, @Nullable RunEnd ending, boolean found) {
        if (ending == null) {
            return null;
        }
        boolean over = state instanceof RunState.Finished;
        Optional<CapacityEstimate> wanted = found
                ? ending.capacity().filter(known -> over)
                : ending.posterior().or(() -> ending.capacity().filter(known -> !over));
        return wanted.map(estimate -> new RunReport.Result(estimate.capacity(), estimate.low(), estimate.high(),
                ending.lowerBound(), estimate.limitingRule(), estimate.limitingValue(), estimate.limitingThreshold(),
                estimate.lastGood(), estimate.firstBad())).orElse(null);
    }

    private static RunReport.@Nullable Previous previous(@Nullable StoredCapacity stored) {
        StoredCapacity.Previous previous = stored == null ? null : stored.previous();
        return stored == null || previous == null
                ? null
                : stored.change()
                        .map(change -> new RunReport.Previous(previous.runId(), previous.version(),
                                previous.measured().capacity(), previous.measured().low(), previous.measured().high(),
                                change))
                        .orElse(null);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
