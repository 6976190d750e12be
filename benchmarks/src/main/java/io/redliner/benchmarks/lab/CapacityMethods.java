// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchSettings;
import io.redliner.benchmarks.lab.api.CapacityMethod;
import io.redliner.benchmarks.lab.competitors.AimdMethod;
import io.redliner.benchmarks.lab.competitors.ExponentialBisectionMethod;
import io.redliner.benchmarks.lab.competitors.FixedStepMethod;
import io.redliner.benchmarks.lab.competitors.LinearRampMethod;
import io.redliner.benchmarks.lab.competitors.PipedMethod;
import io.redliner.benchmarks.lab.competitors.ProbabilisticBisectionMethod;
import io.redliner.benchmarks.lab.redliner.AdvicePrinter;
import io.redliner.benchmarks.lab.redliner.AnalysisListener;
import io.redliner.benchmarks.lab.redliner.RedLinerMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All methods by name. */
final class CapacityMethods {

    static final String OURS = "redliner";

    /** Others' own code; it needs an interpreter that has it. */
    private static final List<String> PIPED = List.of("mlrsearch", "mlrsearch60", "aiperf");

    private static final Map<String, CapacityMethod> BY_NAME = byName();

    private CapacityMethods() {}

    /** All names, ours first, but those whose code has to be installed. */
    static List<String> names() {
        return BY_NAME.keySet().stream().filter(name -> !PIPED.contains(name)).toList();
    }

    /** @throws IllegalArgumentException when there is none of this name */
    static CapacityMethod named(String name) {
        var method = BY_NAME.get(name);
        if (method == null) {
            throw new IllegalArgumentException("no method '" + name + "': choose from " + BY_NAME.keySet());
        }
        return method;
    }

    private static Map<String, CapacityMethod> byName() {
        var methods = new LinkedHashMap<String, CapacityMethod>();
        methods.put(OURS, new RedLinerMethod(CapacityMethods::search,
                () -> Boolean.getBoolean("lab.trace") ? new AdvicePrinter(System.out) : AnalysisListener.NONE));
        methods.put("ungated", new RedLinerMethod(run -> new BayesianCapacitySearch(SearchSettings.defaults()),
                () -> Boolean.getBoolean("lab.trace") ? new AdvicePrinter(System.out) : AnalysisListener.NONE));
        methods.put("steps", FixedStepMethod.of(0.05, 60));
        methods.put("steps+check", new FixedStepMethod(0.05, 60, 10));
        methods.put("bisection", new ExponentialBisectionMethod(10));
        methods.put("ramp", new LinearRampMethod(true));
        methods.put("ramp-rolling", new LinearRampMethod(false));
        methods.put("aimd", new AimdMethod());
        methods.put("probabilistic", new ProbabilisticBisectionMethod());
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
