// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.analysis;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.run.WindowResult;
import io.redliner.analyzer.search.CapacityEstimate;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.SearchAdvice;
import io.redliner.analyzer.validity.CheckStatus;
import io.redliner.benchmarks.lab.method.Answer;
import io.redliner.benchmarks.lab.method.Answer.Status;
import io.redliner.benchmarks.lab.traffic.Fleet;
import io.redliner.benchmarks.lab.traffic.FleetWindow;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** One run of RedLiner: windows go in as collectors send them, and the advice is followed as the controller does. */
final class AnalyzedRun {

    private static final double LONGEST_SECONDS = 1_800;

    private static final long START_MILLIS = 1_800_000_000_000L;

    private static final String SERVICE = "lab";

    private final Fleet fleet;

    private final List<Rule> sla;

    private final Duration length;

    private final Observer observer;

    private final ServiceAnalyzer analysis;

    private final ShareKeeper keeper;

    private final Trace trace;

    private long windows;

    AnalyzedRun(Fleet fleet, List<Rule> sla, Function<RunContext, CapacitySearch> searches, Trace trace) {
        this.fleet = fleet;
        this.sla = sla;
        this.trace = trace;
        this.keeper = new ShareKeeper(fleet.largestShare());
        this.length = Duration.ofMillis(Math.round(1_000 * fleet.windowSeconds()));
        this.observer = new Observer(fleet.kind(), length);
        this.analysis = new ServiceAnalyzer(length, Duration.ZERO, searches);
    }

    Answer answer() {
        for (int i = 0; i < fleet.windowsBefore(); i++) {
            seen(fleet.before());
        }
        var stage = Stage.BASELINE;
        analysis.hear(run(stage), now());
        while (fleet.seconds() < LONGEST_SECONDS) {
            for (var heard : seen(fleet.next(keeper.share()))) {
                trace.heard(fleet, heard);
                switch (heard.advice().action()) {
                    case DONE -> {
                        return heard.advice().estimate().map(AnalyzedRun::found)
                                .map(found -> found.warning(isDoubted(heard)))
                                .orElse(Answer.none(Status.GAVE_UP));
                    }
                    case EXHAUSTED -> {
                        return heard.advice().estimate().map(AnalyzedRun::exhausted)
                                .orElse(Answer.none(Status.GAVE_UP));
                    }
                    case GIVE_UP -> {
                        return Answer.none(Status.GAVE_UP);
                    }
                    case HOLD, GO, SHED -> keeper.follow(heard.judged().judgement(), heard.advice(),
                            heard.serviceRequestsPerSecond());
                }
                if (keeper.blind()) {
                    return Answer.none(Status.TELEMETRY_LOST);
                }
                if (stage == Stage.BASELINE && heard.advice().phase() != SearchAdvice.Phase.BASELINE) {
                    stage = Stage.FOLLOWING;
                    analysis.hear(run(stage), now());
                }
            }
        }
        return Answer.none(Status.OUT_OF_TIME);
    }

    private static boolean isDoubted(WindowResult last) {
        return last.conclusion().validity().stream()
                .anyMatch(check -> check.verdict() == CheckStatus.DOUBTFUL);
    }

    private static Answer found(CapacityEstimate estimate) {
        return Answer.found(estimate.capacity(), estimate.low(), estimate.high());
    }

    private static Answer exhausted(CapacityEstimate estimate) {
        return Answer.exhausted(estimate.capacity(), estimate.low());
    }

    private List<WindowResult> seen(FleetWindow window) {
        long start = now().toEpochMilli();
        windows++;
        observer.sightings(window, start).forEach(sighting -> analysis.add(sighting, now()));
        return analysis.due(now());
    }

    private Instant now() {
        long base = START_MILLIS - START_MILLIS % length.toMillis();
        return Instant.ofEpochMilli(base + windows * length.toMillis());
    }

    private RunContext run(Stage stage) {
        return new RunContext(SERVICE, "run", 1, stage, new SlaSpec(Observer.SUT, sla, List.of()), length,
                Fleet.NATURAL_SHARE, fleet.largestShare(), START_MILLIS);
    }
}
