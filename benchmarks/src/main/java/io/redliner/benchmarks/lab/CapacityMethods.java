// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab;

import io.redliner.analyzer.run.RunContext;
import io.redliner.analyzer.search.BayesianCapacitySearch;
import io.redliner.analyzer.search.CapacitySearch;
import io.redliner.analyzer.search.NoiseGate;
import io.redliner.analyzer.search.SearchGoal;
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
import io.redliner.benchmarks.lab.redliner.RepeatedMethod;
import io.redliner.contract.limit.Precision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** All methods by name. */
final class CapacityMethods {

    static final String OURS = "redliner";

    /** Others' own code; it needs an interpreter that has it. */
    private static final List<String> PIPED = List.of("mlrsearch", "mlrsearch60", "aiperf");

    /** The search with a precision that a plan may ask for, in percent. */
    private static final List<Integer> PRECISIONS = List.of(20, 10, 6);

    private static final String PRECISE = "precision";

    /** The search on a service that was tested twice before. */
    private static final String REPEATED = "repeated";

    /** Factors by which a capacity moves between the runs before and the last one. */
    private static final List<Double> MOVED = List.of(0.5, 0.8, 1.25, 2.0);

    private static final Map<String, CapacityMethod> BY_NAME = byName();

    private CapacityMethods() {}

    /** All names, ours first, but those whose code has to be installed, and ours with a precision. */
    static List<String> names() {
        return BY_NAME.keySet().stream()
                .filter(name -> !PIPED.contains(name) && !name.startsWith(PRECISE) && !name.startsWith(REPEATED))
                .toList();
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
        methods.put(OURS, ours(run -> new NoiseGate(SearchSettings.defaults())));
        methods.put("ungated", ours(run -> new BayesianCapacitySearch(SearchSettings.defaults())));
        var ours = ours(run -> new NoiseGate(SearchSettings.defaults().with(run.goal())));
        for (int percent : PRECISIONS) {
            var wanted = new Precision(percent / 100.0);
            var precision = Optional.of(new SearchGoal.Precision(wanted.halfWidth(), wanted.lengthening()));
            methods.put(PRECISE + percent, new RepeatedMethod(ours, 1, 1, precision));
            methods.put(REPEATED + "-" + PRECISE + percent, new RepeatedMethod(ours, 3, 1, precision));
        }
        methods.put(REPEATED, new RepeatedMethod(ours, 3, 1, Optional.empty()));
        for (double moved : MOVED) {
            methods.put(REPEATED + "-moved" + moved, new RepeatedMethod(ours, 3, moved, Optional.empty()));
        }
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

    private static RedLinerMethod ours(Function<RunContext, CapacitySearch> search) {
        return new RedLinerMethod(search,
                () -> Boolean.getBoolean("lab.trace") ? new AdvicePrinter(System.out) : AnalysisListener.NONE);
    }
}
