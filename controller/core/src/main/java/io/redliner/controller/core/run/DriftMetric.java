// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.run;

import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The metrics in which an endurance run looks for growth. Gauges come as values of informational rules that are added to
 * the SLA; the limits of these rules do not matter.
 */
public enum DriftMetric {

    LATENCY_P50("latency.p50", null), LATENCY_P99("latency.p99", null),
    /** A part of all memory. */
    MEMORY("memory", "memory < 0.999"),
    /** Time that the JVM's collector stopped it in a window. */
    GC_PAUSE("gc.pause", "gc.pause <= duration('60s')");

    private static final String PREFIX = "endurance ";

    private final String gauge;

    @Nullable
    private final String expression;

    DriftMetric(String gauge, @Nullable String expression) {
        this.gauge = gauge;
        this.expression = expression;
    }

    /** Returns the name in rules. */
    public String gauge() {
        return gauge;
    }

    boolean ofLatency() {
        return this != MEMORY;
    }

    /** Returns the rules that bring the values. */
    public static List<Rule> rules() {
        return Compiled.RULES;
    }

    private static final class Compiled {

        private static final List<Rule> RULES = rules(new RuleCompiler());

        private static List<Rule> rules(RuleCompiler compiler) {
            return Arrays.stream(values())
                    .filter(metric -> metric.expression != null)
                    .map(metric -> compiler.compile(PREFIX + metric.gauge, String.valueOf(metric.expression), true))
                    .toList();
        }
    }

    static Optional<DriftMetric> ofRule(String name) {
        return Arrays.stream(values())
                .filter(metric -> metric.expression != null && name.equals(PREFIX + metric.gauge))
                .findFirst();
    }
}
