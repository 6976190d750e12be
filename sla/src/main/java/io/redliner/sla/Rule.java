// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A compiled rule. Immutable. Two rules are equal when name, expression and {@code informational} are. */
public final class Rule {

    private final String name;

    private final String expression;

    private final boolean informational;

    private final RuleCondition condition;

    private final Optional<String> countedForm;

    Rule(String name, String expression, boolean informational, RuleCondition condition, Optional<String> countedForm) {
        this.name = name;
        this.expression = expression;
        this.informational = informational;
        this.condition = condition;
        this.countedForm = countedForm;
    }

    /** Returns the name in the plan. */
    public String name() {
        return name;
    }

    /** Returns the expression as written in the plan. */
    public String expression() {
        return expression;
    }

    /** Returns true when breaches are reported only, and never stop or limit a test. */
    public boolean informational() {
        return informational;
    }

    /**
     * Returns the constants that latency percentiles are compared with, ascending and distinct. Collectors count hanging requests
     * against each.
     */
    public List<Duration> latencyLimits() {
        return condition.comparisons().map(ThresholdComparison::latencyLimit).flatMap(Optional::stream).distinct()
                .sorted()
                .toList();
    }

    /** Returns the percentiles of the instance under test without which the rule cannot be judged. */
    public List<LatencyPercentile> percentiles() {
        return FixedComparisons.necessary(condition)
                .flatMap(comparison -> Stream.concat(comparison.value().names(), comparison.threshold().names()))
                .flatMap(name -> LatencyPercentile.of(name).stream()).distinct().toList();
    }

    /** Returns true when all comparisons must hold, so that each can be tested on its own. */
    public boolean isConjunction() {
        return isConjunction(condition);
    }

    /** Returns true when the rule is judged by counting the requests that break it. Other rules are a level of the whole window. */
    public boolean counted() {
        return counted(condition);
    }

    /** Returns the same rule in a {@link #counted} form; empty when the rule is in such a form already, or has none. */
    public Optional<String> countedForm() {
        return countedForm;
    }

    /** Returns the highest cost of an evaluation, in steps of some 60 ns. */
    int cost() {
        return condition.cost();
    }

    /** Judges measurements. Never throws: without the data it needs, the result is inconclusive and has a reason. */
    public RuleEvaluation evaluate(ScopedStats measurements) {
        var result = condition.evaluate(measurements);
        return new RuleEvaluation(this, result.judgement(), result.deciding(), result.comparisons());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Rule rule && name.equals(rule.name) && expression.equals(rule.expression)
                && informational == rule.informational;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, expression, informational);
    }

    @Override
    public String toString() {
        return name + ": " + expression;
    }

    /** Returns true when a rule of this condition is {@link #counted()}. */
    static boolean counted(RuleCondition condition) {
        return isConjunction(condition) && condition.comparisons().allMatch(ThresholdComparison::counted);
    }

    private static boolean isConjunction(RuleCondition condition) {
        return switch (condition) {
            case ThresholdComparison comparison -> true;
            case RuleCondition.All(RuleCondition left, RuleCondition right) ->
                isConjunction(left) && isConjunction(right);
            case RuleCondition.Any any -> false;
        };
    }
}
