// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** A rule without its names and negations: comparisons that must all hold, or of which one must. */
sealed interface RuleCondition permits RuleCondition.All, RuleCondition.Any, ThresholdComparison {

    Result evaluate(ScopedStats measurements);

    Stream<ThresholdComparison> comparisons();

    /** What an evaluation costs at most, in steps of some 60 ns. */
    default int cost() {
        return comparisons().mapToInt(ThresholdComparison::cost).sum();
    }

    /** What holds exactly where this is broken. */
    RuleCondition negated();

    /**
     * What a condition came to.
     *
     * @param deciding the comparison that the judgement comes from
     */
    record Result(Judgement judgement, ComparisonResult deciding, List<ComparisonResult> comparisons) {

        double utilisation() {
            return deciding.utilisation().orElse(0);
        }
    }

    /** {@code &&}: the worst side. */
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

    /** {@code ||}: the best side. */
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
