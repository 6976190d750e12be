// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** A rule's condition with negations resolved: comparisons that must all hold, or of which one must. */
sealed interface RuleCondition permits RuleCondition.All, RuleCondition.Any, ThresholdComparison {

    Result evaluate(ScopedStats measurements);

    Stream<ThresholdComparison> comparisons();

    /** Returns the highest cost of an evaluation, in steps of some 60 ns. */
    default int cost() {
        return comparisons().mapToInt(ThresholdComparison::cost).sum();
    }

    /** Returns the condition that holds exactly when this one is breached. */
    RuleCondition negated();

    /**
     * The result of a condition in one window.
     *
     * @param deciding the comparison that decided the judgement
     */
    record Result(Judgement judgement, ComparisonResult deciding, List<ComparisonResult> comparisons) {

        double utilisation() {
            return deciding.utilisation().orElse(0);
        }
    }

    /** {@code &&}: the worst side decides. */
    record All(RuleCondition left, RuleCondition right) implements RuleCondition {
        @Override
        public Result evaluate(ScopedStats measurements) {
            return combined(left.evaluate(measurements), right.evaluate(measurements), Judgement::and,
                    Comparator.comparingDouble(Result::utilisation).reversed());
        }

        @Override
        public Stream<ThresholdComparison> comparisons() {
            return Stream.concat(left.comparisons(), right.comparisons());
        }

        @Override
        public RuleCondition negated() {
            return new Any(left.negated(), right.negated());
        }
    }

    /** {@code ||}: the best side decides. */
    record Any(RuleCondition left, RuleCondition right) implements RuleCondition {
        @Override
        public Result evaluate(ScopedStats measurements) {
            return combined(left.evaluate(measurements), right.evaluate(measurements), Judgement::or,
                    Comparator.comparingDouble(Result::utilisation));
        }

        @Override
        public Stream<ThresholdComparison> comparisons() {
            return Stream.concat(left.comparisons(), right.comparisons());
        }

        @Override
        public RuleCondition negated() {
            return new All(left.negated(), right.negated());
        }
    }

    private static Result combined(Result left, Result right, BinaryOperator<Judgement> operator,
            Comparator<Result> decidesFirst) {
        var judgement = operator.apply(left.judgement(), right.judgement());
        var deciding = Stream.of(left, right).filter(side -> side.judgement() == judgement).min(decidesFirst)
                .orElseThrow();
        return new Result(judgement, deciding.deciding(),
                Stream.concat(left.comparisons().stream(), right.comparisons().stream()).toList());
    }
}
