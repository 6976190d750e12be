// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.evaluation.SlaSpec;
import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.run.RunContext.Stage;
import io.redliner.analyzer.run.ServiceAnalyzer;
import io.redliner.analyzer.run.WindowResult;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.benchmarks.lab.traffic.FleetWindow;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The analyzer of one run in virtual time. */
final class LabAnalysis {

    private static final long START_MILLIS = 1_800_000_000_000L;

    private static final String SERVICE = "lab";

    private final ServerFleet fleet;

    private final List<Rule> sla;

    private final SearchGoal goal;

    private final Duration length;

    private final SimulatedCollector observer;

    private final ServiceAnalyzer analysis;

    private final boolean judgedOnly;

    private long windows;

    /**
     * Begins the analysis of a run.
     *
     * @param judgedOnly true when nothing is searched
     * @param cpu true when the CPU is measured
     */
    LabAnalysis(ServerFleet fleet, List<Rule> sla, SearchGoal goal, Function<RunContext, CapacitySearch> searches,
            boolean judgedOnly, boolean cpu) {
        this.fleet = fleet;
        this.sla = sla;
        this.goal = goal;
        this.judgedOnly = judgedOnly;
        this.length = Duration.ofMillis(Math.round(1_000 * fleet.windowSeconds()));
        this.observer = new SimulatedCollector(fleet.kind(), length, cpu, fleet.knownNeighbours());
        this.analysis = new ServiceAnalyzer(length, Duration.ZERO, searches);
    }

    /** Takes the controller's next record of the run. */
    void hear(Stage stage) {
        analysis.update(new RunContext(SERVICE, "run", 1, stage, new SlaSpec(SimulatedCollector.SUT, sla, List.of()),
                length, ServerFleet.NATURAL_SHARE, fleet.largestShare(), START_MILLIS, 0, judgedOnly, goal, Set.of()),
                now());
    }

    List<WindowResult> seen(FleetWindow window) {
        long start = now().toEpochMilli();
        windows++;
        observer.observations(window, start).forEach(observation -> analysis.add(observation, now()));
        return analysis.due(now());
    }

    Duration length() {
        return length;
    }

    private Instant now() {
        long base = START_MILLIS - START_MILLIS % length.toMillis();
        return Instant.ofEpochMilli(base + windows * length.toMillis());
    }
}
