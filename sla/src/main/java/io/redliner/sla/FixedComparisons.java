// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.stream.Stream;

/** Finds comparisons whose outcome no measurement can change. */
final class FixedComparisons {

    private FixedComparisons() {}

    /** Returns true when the comparison has the same outcome for every possible measurement. */
    static boolean isFixed(ThresholdComparison comparison) {
        return impossible(comparison) || impossible(comparison.negated());
    }

    /** Returns the comparisons that must hold for the condition to hold: those that are not inside an {@code ||}. */
    static Stream<ThresholdComparison> necessary(RuleCondition condition) {
        return switch (condition) {
            case ThresholdComparison comparison -> Stream.of(comparison);
            case RuleCondition.All(RuleCondition left, RuleCondition right) ->
                Stream.concat(necessary(left), necessary(right));
            case RuleCondition.Any any -> Stream.empty();
        };
    }

    /** Explains to the rule's author why the comparison is fixed. */
    static String reason(ThresholdComparison comparison) {
        String left = text(comparison.value());
        String right = text(comparison.threshold());
        if (comparison.threshold() instanceof Operand.Constant(double limit)) {
            var range = NumericInterval.of(comparison.value());
            if (range.low() >= limit) {
                return left + " is never below " + number(range.low());
            }
            if (range.high() <= limit) {
                return left + " is never above " + number(range.high());
            }
        }
        if (comparison.value().equals(comparison.threshold())) {
            return "both sides are the same";
        }
        if (lessOrEqual(comparison.value(), comparison.threshold())) {
            return left + " is never above " + right;
        }
        return lessOrEqual(comparison.threshold(), comparison.value())
                ? left + " is never below " + right
                : "one side is always the larger one";
    }

    private static boolean impossible(ThresholdComparison comparison) {
        var value = NumericInterval.of(comparison.value());
        var threshold = NumericInterval.of(comparison.threshold());
        boolean upperBound = comparison.direction() == ThresholdComparison.Direction.AT_MOST;
        double lower = upperBound ? value.low() : threshold.low();
        double upper = upperBound ? threshold.high() : value.high();
        var lesser = upperBound ? comparison.threshold() : comparison.value();
        var greater = upperBound ? comparison.value() : comparison.threshold();
        return beyond(lower, upper, comparison.strict()) || (comparison.strict() && lessOrEqual(lesser, greater));
    }

    private static boolean beyond(double lower, double upper, boolean strict) {
        return lower > upper || (strict && lower == upper);
    }

    /** Returns true when {@code lesser} can never exceed {@code greater} for the same set of requests. */
    private static boolean lessOrEqual(Operand lesser, Operand greater) {
        if (lesser.equals(greater)) {
            return true;
        }
        return lesser instanceof Operand.Name(Scope lesserScope, RuleMetric lesserMetric)
                && greater instanceof Operand.Name(Scope greaterScope, RuleMetric greaterMetric)
                && lesserScope == greaterScope && lesserMetric.neverAbove(greaterMetric);
    }

    private static String text(Operand operand) {
        return switch (operand) {
            case Operand.Name name -> name.text();
            case Operand.Constant(double number) -> number(number);
            case Operand.Custom custom -> "the gauge";
            case Operand.Arithmetic arithmetic -> "the calculated side";
        };
    }

    private static String number(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
