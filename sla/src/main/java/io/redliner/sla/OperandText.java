// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes operands in the rule language. */
final class OperandText {

    private static final int DIGITS_OF_MICROS = 6;

    /** Seconds. Shorter durations are not rounded, so that the rule language refuses them instead of reading 0. */
    private static final BigDecimal MIN_ROUNDED = new BigDecimal("1e-6");

    private OperandText() {}

    static String of(Operand operand) {
        return of(operand, isDuration(operand));
    }

    /** @param duration true when the operand is a duration: constants in its sums are then written as durations */
    static String of(Operand operand, boolean duration) {
        return switch (operand) {
            case Operand.Name name -> name.text();
            case Operand.Custom custom -> custom.text();
            case Operand.Constant(double number) -> duration ? duration(number) : number(BigDecimal.valueOf(number));
            case Operand.Arithmetic arithmetic -> arithmetic(arithmetic, duration);
        };
    }

    private static String arithmetic(Operand.Arithmetic arithmetic, boolean duration) {
        Operand left = arithmetic.left();
        Operand right = arithmetic.right();
        return switch (arithmetic.operator()) {
            case PLUS, MINUS -> joined(of(left, duration), arithmetic, of(right, duration));
            case TIMES -> {
                boolean leftDuration = duration && !isDuration(right);
                yield joined(of(left, leftDuration), arithmetic, of(right, duration && !leftDuration));
            }
            case DIVIDED_BY ->
                joined(of(left, duration || isDuration(right)), arithmetic, of(right, isDuration(right)));
        };
    }

    private static String joined(String left, Operand.Arithmetic arithmetic, String right) {
        return enclosed(left, arithmetic.left()) + " " + arithmetic.operator().symbol() + " "
                + enclosed(right, arithmetic.right());
    }

    private static String enclosed(String text, Operand operand) {
        return operand instanceof Operand.Arithmetic ? "(" + text + ")" : text;
    }

    private static boolean isDuration(Operand operand) {
        return switch (operand) {
            case Operand.Name(Scope unused, RuleMetric metric) -> metric.unit() == MetricUnit.SECONDS;
            case Operand.Custom custom -> false;
            case Operand.Constant constant -> false;
            case Operand.Arithmetic(Operand.Operator operator, Operand left, Operand right) ->
                operator == Operand.Operator.DIVIDED_BY
                        ? isDuration(left) && !isDuration(right)
                        : isDuration(left) || isDuration(right);
        };
    }

    private static String duration(double seconds) {
        BigDecimal exact = BigDecimal.valueOf(seconds);
        if (exact.abs().compareTo(MIN_ROUNDED) >= 0) {
            exact = exact.setScale(DIGITS_OF_MICROS, RoundingMode.HALF_UP);
        }
        boolean small = exact.abs().compareTo(BigDecimal.ONE) < 0;
        return "duration('" + (small ? number(exact.movePointRight(3)) + "ms" : number(exact) + "s") + "')";
    }

    private static String number(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
