// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rewrites a rule that is judged as a level into limits that requests can be counted against: {@code 0.02 / error_rate >= 1}
 * becomes {@code error_rate <= 0.02}. Factors and divisors that are moved must not be negative.
 */
final class CountedForm {

    private CountedForm() {}

    /** Returns the whole rule in counted form; empty when one of its comparisons has none. */
    static Optional<String> of(RuleCondition condition) {
        return switch (condition) {
            case RuleCondition.Any any -> Optional.empty();
            case RuleCondition.All(RuleCondition left, RuleCondition right) ->
                of(left).flatMap(first -> of(right).map(second -> first + " && " + second));
            case ThresholdComparison comparison -> counted(comparison).map(CountedForm::text);
        };
    }

    private static Optional<ThresholdComparison> counted(ThresholdComparison comparison) {
        if (comparison.counted()) {
            return Optional.of(comparison);
        }
        return comparison.value() instanceof Operand.Arithmetic sides
                ? moved(comparison, sides).flatMap(moved -> counted(moved).stream()).filter(CountedForm::useful)
                        .findFirst()
                : Optional.empty();
    }

    private static boolean useful(ThresholdComparison comparison) {
        boolean known = !(comparison.threshold() instanceof Operand.Constant(double limit)) || Double.isFinite(limit);
        return known && !FixedComparisons.isFixed(comparison) && comparison.threshold().names()
                .noneMatch(name -> name.equals(comparison.value())
                        || (ofSut(name) && !ofSut(comparison.value())));
    }

    private static boolean ofSut(Operand name) {
        return name instanceof Operand.Name(Scope scope, RuleMetric unused)
                ? scope == Scope.SUT
                : name instanceof Operand.Custom(Scope of, String ignored) && of == Scope.SUT;
    }

    /** Returns the comparison with one or the other part of its measured side moved to the limit. */
    private static Stream<ThresholdComparison> moved(ThresholdComparison comparison, Operand.Arithmetic sides) {
        Operand left = sides.left();
        Operand right = sides.right();
        Operand limit = comparison.threshold();
        return switch (sides.operator()) {
            case PLUS -> Stream.of(with(comparison, left, Operand.Operator.MINUS, limit, right, false),
                    with(comparison, right, Operand.Operator.MINUS, limit, left, false));
            case MINUS -> Stream.of(with(comparison, left, Operand.Operator.PLUS, limit, right, false),
                    with(comparison, right, Operand.Operator.MINUS, left, limit, true));
            case TIMES -> Stream.concat(
                    notNegative(right, with(comparison, left, Operand.Operator.DIVIDED_BY, limit, right, false)),
                    notNegative(left, with(comparison, right, Operand.Operator.DIVIDED_BY, limit, left, false)));
            case DIVIDED_BY -> Stream.concat(
                    notNegative(right, with(comparison, left, Operand.Operator.TIMES, limit, right, false)),
                    notNegative(limit, with(comparison, right, Operand.Operator.DIVIDED_BY, left, limit, true))
                            .filter(unused -> isNotNegative(right)));
        };
    }

    private static Stream<ThresholdComparison> notNegative(Operand factor, ThresholdComparison moved) {
        return isNotNegative(factor) ? Stream.of(moved) : Stream.empty();
    }

    private static boolean isNotNegative(Operand factor) {
        return NumericInterval.of(factor).low() >= 0;
    }

    private static ThresholdComparison with(ThresholdComparison comparison, Operand value, Operand.Operator operator,
            Operand first, Operand second, boolean turned) {
        LinearSides sides = LinearSides.isolated(value, foldConstants(operator, first, second));
        ThresholdComparison moved = turned != sides.turned() ? comparison.negated() : comparison;
        return new ThresholdComparison(sides.value(), moved.direction(), comparison.strict(), sides.threshold(),
                comparison.scope(), comparison.unit());
    }

    /** Combines two operands; a factor of 1 and a term of 0 are left out. */
    private static Operand foldConstants(Operand.Operator operator, Operand first, Operand second) {
        return switch (operator) {
            case PLUS -> isConstant(first, 0) ? second : LinearSides.foldConstants(operator, first, second);
            case TIMES -> isConstant(first, 1) ? second : LinearSides.foldConstants(operator, first, second);
            case MINUS -> isConstant(second, 0) ? first : LinearSides.foldConstants(operator, first, second);
            case DIVIDED_BY -> isConstant(second, 1) ? first : LinearSides.foldConstants(operator, first, second);
        };
    }

    private static boolean isConstant(Operand operand, double wanted) {
        return operand instanceof Operand.Constant(double number) && number == wanted;
    }

    private static String text(ThresholdComparison comparison) {
        boolean duration = comparison.value() instanceof Operand.Name(Scope unused, RuleMetric metric)
                && metric.unit() == MetricUnit.SECONDS;
        return OperandText.of(comparison.value()) + (comparison.strict() ? " < " : " <= ")
                + OperandText.of(comparison.threshold(), duration);
    }
}
