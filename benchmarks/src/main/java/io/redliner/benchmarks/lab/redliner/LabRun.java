// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.run.WindowResult;
import io.redliner.analyzer.search.CapacityEstimate;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.KnownCapacity;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.analyzer.validity.CheckStatus;
import io.redliner.analyzer.validity.ValidityCheckResult;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.api.MethodResult.Status;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.sla.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run of RedLiner: windows go in as collectors send them, and the advice is followed as the controller does. */
final class LabRun {

    private static final double MAX_SECONDS = 1_800;

    /** Doubts that more runs are the cure for. */
    private static final Set<String> COMBINABLE = Set.of("samples");

    private final ServerFleet fleet;

    private final SearchGoal goal;

    private final LabAnalysis analysis;

    private final LabController controller;

    private final AnalysisListener trace;

    private @Nullable WindowResult last;

    private final List<LabWindow> windows = new ArrayList<>();

    LabRun(ServerFleet fleet, List<Rule> sla, SearchGoal goal, Function<RunContext, CapacitySearch> searches,
            AnalysisListener trace) {
        this.fleet = fleet;
        this.goal = goal;
        this.trace = trace;
        this.controller = new LabController(fleet.largestShare());
        this.analysis = new LabAnalysis(fleet, sla, goal, searches, false, false);
    }

    /** A run that keeps its windows, for a {@link LabWindow#profile}. */
    LabRun(ServerFleet fleet, List<Rule> sla, Function<RunContext, CapacitySearch> searches, boolean cpu) {
        this.fleet = fleet;
        this.goal = SearchGoal.NONE;
        this.trace = (run, result) -> windows.add(new LabWindow(result, share()));
        this.controller = new LabController(fleet.largestShare());
        this.analysis = new LabAnalysis(fleet, sla, goal, searches, false, cpu);
    }

    private double share() {
        return controller.share();
    }

    /** Returns the windows of a run that keeps them. */
    List<LabWindow> windows() {
        return windows;
    }

    /** Returns the name of the rule that limits the capacity; empty without an answer. */
    String limitingRule() {
        return Optional.ofNullable(last).flatMap(it -> it.advice().estimate()).flatMap(estimate -> estimate.limit())
                .map(limit -> limit.rule()).orElse("");
    }

    MethodResult answer() {
        for (int i = 0; i < fleet.windowsBefore(); i++) {
            analysis.seen(fleet.before());
        }
        var stage = Stage.BASELINE;
        analysis.hear(stage);
        while (fleet.seconds() < MAX_SECONDS) {
            for (var result : analysis.seen(fleet.next(controller.share()))) {
                trace.analyzed(fleet, result);
                switch (result.advice().action()) {
                    case DONE -> {
                        last = result;
                        return result.advice().estimate().map(this::found)
                                .map(found -> found.warning(!doubts(result).isEmpty())
                                        .beside(doubts(result).contains("neighbours")))
                                .orElse(MethodResult.none(Status.GAVE_UP));
                    }
                    case EXHAUSTED -> {
                        return result.advice().estimate().map(LabRun::exhausted)
                                .orElse(MethodResult.none(Status.GAVE_UP));
                    }
                    case GIVE_UP -> {
                        return MethodResult.none(Status.GAVE_UP);
                    }
                    case HOLD, GO, SHED -> controller.follow(result.evaluation().sla().judgement(), result.advice(),
                            result.serviceRequestsPerSecond());
                }
                if (controller.blind()) {
                    return MethodResult.none(Status.TELEMETRY_LOST);
                }
                if (stage == Stage.BASELINE && result.advice().phase() != SearchAdvice.Phase.BASELINE) {
                    stage = Stage.FOLLOWING;
                    analysis.hear(stage);
                }
            }
        }
        return MethodResult.none(Status.OUT_OF_TIME);
    }

    /** Returns what the next run may build on, after an answer: as the controller's {@code CapacityRecord.known}. */
    Optional<KnownCapacity> known() {
        return Optional.ofNullable(last).filter(it -> COMBINABLE.containsAll(doubts(it)))
                .flatMap(it -> it.advice().estimate())
                .map(estimate -> goal.known().map(before -> before.with(estimate)).orElseGet(
                        () -> new KnownCapacity(estimate.capacity(), estimate.low(), estimate.high(), 1)));
    }

    private static List<String> doubts(WindowResult last) {
        return last.conclusion().validity().stream().filter(check -> check.verdict() == CheckStatus.DOUBTFUL)
                .map(ValidityCheckResult::name).toList();
    }

    /** Returns the answer of the service: with what earlier runs found. */
    private MethodResult found(CapacityEstimate estimate) {
        return goal.known().map(known -> known.with(estimate))
                .map(both -> MethodResult.found(both.capacity(), both.low(), both.high()))
                .orElseGet(() -> alone(estimate));
    }

    private static MethodResult alone(CapacityEstimate estimate) {
        return MethodResult.found(estimate.capacity(), estimate.low(), estimate.high());
    }

    private static MethodResult exhausted(CapacityEstimate estimate) {
        return MethodResult.exhausted(estimate.capacity(), estimate.low());
    }
}
