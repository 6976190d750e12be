// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.benchmarks.lab.analysis.PrintedTrace;
import io.redliner.benchmarks.lab.analysis.RedLiner;
import io.redliner.benchmarks.lab.analysis.Trace;
import io.redliner.benchmarks.lab.baseline.AdditiveIncrease;
import io.redliner.benchmarks.lab.baseline.DoublingAndBisection;
import io.redliner.benchmarks.lab.baseline.PipedMethod;
import io.redliner.benchmarks.lab.baseline.ProbabilisticBisection;
import io.redliner.benchmarks.lab.baseline.Ramp;
import io.redliner.benchmarks.lab.baseline.Steps;
import io.redliner.benchmarks.lab.method.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All methods by name. */
final class Methods {

    static final String OURS = "redliner";

    /** Others' own code; it needs an interpreter that has it. */
    private static final List<String> PIPED = List.of("mlrsearch", "mlrsearch60", "aiperf");

    private static final Map<String, Method> BY_NAME = byName();

    private Methods() {}

    /** All names, ours first, but those whose code has to be installed. */
    static List<String> names() {
        return BY_NAME.keySet().stream().filter(name -> !PIPED.contains(name)).toList();
    }

    /** @throws IllegalArgumentException when there is none of this name */
    static Method named(String name) {
        var method = BY_NAME.get(name);
        if (method == null) {
            throw new IllegalArgumentException("no method '" + name + "': choose from " + BY_NAME.keySet());
        }
        return method;
    }

    private static Map<String, Method> byName() {
        var methods = new LinkedHashMap<String, Method>();
        methods.put(OURS, new RedLiner(Methods::search,
                () -> Boolean.getBoolean("lab.trace") ? new PrintedTrace(System.out) : Trace.NONE));
        methods.put("ungated", new RedLiner(run -> new BayesianCapacitySearch(SearchSettings.defaults()),
                () -> Boolean.getBoolean("lab.trace") ? new PrintedTrace(System.out) : Trace.NONE));
        methods.put("steps", Steps.of(0.05, 60));
        methods.put("steps+check", new Steps(0.05, 60, 10));
        methods.put("bisection", new DoublingAndBisection(10));
        methods.put("ramp", new Ramp(true));
        methods.put("ramp-rolling", new Ramp(false));
        methods.put("aimd", new AdditiveIncrease());
        methods.put("probabilistic", new ProbabilisticBisection());
        for (String piped : PIPED) {
            methods.put(piped, PipedMethod.named(System.getProperty("lab.python", "python3"), piped));
        }
        return methods;
    }

    /** The search that the analyzer uses. */
    private static CapacitySearch search(RunContext run) {
        return new NoiseGate(SearchSettings.defaults());
    }
}
