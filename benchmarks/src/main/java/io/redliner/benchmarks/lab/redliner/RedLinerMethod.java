// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.redliner;

import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.SearchGoal;
import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.api.MethodResult;
import io.redliner.benchmarks.lab.server.ServerKind;
import io.redliner.benchmarks.lab.traffic.ServerFleet;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** RedLiner as a method: its own analyzer, with a search. Thread-safe when the search's maker is. */
public final class RedLinerMethod implements CapacityMethod {

    private final Function<RunContext, CapacitySearch> searches;

    private final Supplier<AnalysisListener> traces;

    private final RuleCompiler compiler = new RuleCompiler();

    /**
     * With any search.
     *
     * @param searches makes the search of a run
     * @param traces makes the listener of a run
     */
    public RedLinerMethod(Function<RunContext, CapacitySearch> searches, Supplier<AnalysisListener> traces) {
        this.searches = searches;
        this.traces = traces;
    }

    @Override
    public MethodResult find(ServerFleet fleet) {
        return run(fleet, SearchGoal.NONE).answer();
    }

    /** Returns a run that has not begun. */
    LabRun run(ServerFleet fleet, SearchGoal goal) {
        return new LabRun(fleet, rules(fleet.kind()), goal, searches, traces.get());
    }

    /** Returns a run that has not begun, and keeps what it measures. */
    LabRun recorded(ServerFleet fleet, boolean cpu) {
        return new LabRun(fleet, rules(fleet.kind()), searches, cpu);
    }

    List<Rule> rules(ServerKind kind) {
        return List.of(
                compiler.compile("latency",
                        percentile(kind) + " <= duration('" + Math.round(1_000 * kind.limitSeconds()) + "ms')", false),
                compiler.compile("errors", "error_rate <= " + ServerKind.FAILED_ALLOWED, false));
    }

    private static String percentile(ServerKind kind) {
        long thousandths = Math.round(1_000 * (1 - kind.slowAllowed()));
        return "latency.p" + (thousandths % 10 == 0 ? thousandths / 10 : thousandths);
    }
}
