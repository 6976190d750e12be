// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/**
 * The two sides of a comparison, with constants moved from the measured side to the threshold: {@code 1 - error_rate >= 0.98} means
 * the same as {@code error_rate <= 0.02}, and is judged by the same counts.
 *
 * @param value the measured side without the constants
 * @param threshold the limit, combined with the constants
 * @param turned true when at most has become at least, or the other way round
 */
record LinearSides(Operand value, Operand threshold, boolean turned) {

    static LinearSides isolated(Operand value, Operand threshold) {
        var sides = new LinearSides(value, threshold, false);
        for (var next = sides.moved(); next.isPresent(); next = sides.moved()) {
            sides = next.get();
        }
        return sides;
    }

    /** Isolates the divisor of a constant: {@code 1 / x >= 4} limits x to 0.25. Returns the same sides when there is no divisor. */
    LinearSides divisor() {
        return value instanceof Operand.Arithmetic(Operand.Operator operator, Operand.Constant left, Operand right)
                && operator == Operand.Operator.DIVIDED_BY && NumericInterval.of(right).low() >= 0
                        ? isolated(right, foldConstants(operator, left, threshold)).divisor()
                        : this;
    }

    /** Moves one more constant; empty when none is left. */
    private Optional<LinearSides> moved() {
        if (!(value instanceof Operand.Arithmetic(Operand.Operator operator, Operand left, Operand right))) {
            return Optional.empty();
        }
        if (right instanceof Operand.Constant(double number)) {
            return switch (operator) {
                case PLUS -> with(left, Operand.Operator.MINUS, right);
                case MINUS -> with(left, Operand.Operator.PLUS, right);
                case TIMES -> scaled(left, Operand.Operator.DIVIDED_BY, right, number);
                case DIVIDED_BY -> scaled(left, Operand.Operator.TIMES, right, number);
            };
        }
        if (left instanceof Operand.Constant(double number)) {
            return switch (operator) {
                case PLUS -> with(right, Operand.Operator.MINUS, left);
                case MINUS ->
                    Optional.of(
                            new LinearSides(right, foldConstants(Operand.Operator.MINUS, left, threshold), !turned));
                case TIMES -> scaled(right, Operand.Operator.DIVIDED_BY, left, number);
                case DIVIDED_BY -> Optional.empty();
            };
        }
        return Optional.empty();
    }

    private Optional<LinearSides> with(Operand rest, Operand.Operator operator, Operand constant) {
        return Optional.of(new LinearSides(rest, foldConstants(operator, threshold, constant), turned));
    }

    /** Moves a factor; empty for a factor of 0, which cannot be divided by. */
    private Optional<LinearSides> scaled(Operand rest, Operand.Operator operator, Operand constant, double factor) {
        return factor == 0
                ? Optional.empty()
                : Optional
                        .of(new LinearSides(rest, foldConstants(operator, threshold, constant), turned != factor < 0));
    }

    /** Computes with two constants in decimal digits, so that 1 - 0.9 is 0.1. Other operands are kept as they are. */
    static Operand foldConstants(Operand.Operator operator, Operand left, Operand right) {
        if (!(left instanceof Operand.Constant(double leftNumber)
                && right instanceof Operand.Constant(double rightNumber))) {
            return new Operand.Arithmetic(operator, left, right);
        }
        double plain = operator.apply(leftNumber, rightNumber);
        if (!Double.isFinite(plain)) {
            return new Operand.Constant(plain);
        }
        var one = BigDecimal.valueOf(leftNumber);
        var other = BigDecimal.valueOf(rightNumber);
        return new Operand.Constant((switch (operator) {
            case PLUS -> one.add(other, MathContext.DECIMAL64);
            case MINUS -> one.subtract(other, MathContext.DECIMAL64);
            case TIMES -> one.multiply(other, MathContext.DECIMAL64);
            case DIVIDED_BY -> one.divide(other, MathContext.DECIMAL64);
        }).doubleValue());
    }
}
