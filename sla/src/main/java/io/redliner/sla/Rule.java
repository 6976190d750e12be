// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A compiled rule. Immutable. Equal to one with the same name and text that is as informational. */
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

    /** As in the plan. */
    public String name() {
        return name;
    }

    /** As in the plan. */
    public String expression() {
        return expression;
    }

    /** Whether the rule is reported and never acted on. */
    public boolean informational() {
        return informational;
    }

    /**
     * The constants that latency percentiles are compared with, without repetitions: hanging requests are to be counted
     * against each.
     */
    public List<Duration> latencyLimits() {
        return condition.comparisons().map(ThresholdComparison::latencyLimit).flatMap(Optional::stream).distinct()
                .sorted()
                .toList();
    }

    /** The percentiles of the instance under test that the rule cannot be judged without. */
    public List<LatencyPercentile> percentiles() {
        return FixedComparisons.necessary(condition)
                .flatMap(comparison -> Stream.concat(comparison.value().names(), comparison.threshold().names()))
                .flatMap(name -> LatencyPercentile.of(name).stream()).distinct().toList();
    }

    /** Whether all comparisons must hold, so that each can be watched on its own. */
    public boolean isConjunction() {
        return isConjunction(condition);
    }

    /** Whether it is judged by counting the requests that break it; else it is a level, which a window keeps or breaks as a whole. */
    public boolean counted() {
        return counted(condition);
    }

    /** The same rule as {@link #counted} judges it; empty when it is judged so already, and when there is no such form. */
    public Optional<String> countedForm() {
        return countedForm;
    }

    /** What an evaluation costs at most, in steps of some 60 ns. */
    int cost() {
        return condition.cost();
    }

    RuleCondition condition() {
        return condition;
    }

    /** Judges what was measured. Never throws: what cannot be judged is inconclusive and says why. */
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

    /** Returns whether a rule of that condition is {@link #counted()}. */
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
