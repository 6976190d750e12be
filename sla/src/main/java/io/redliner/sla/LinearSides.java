// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/**
 * A comparison with what is added to the measured side, or multiplies it, moved to the other one: {@code 1 - error_rate >= 0.98}
 * says the same as {@code error_rate <= 0.02}, and is judged by the same counts.
 *
 * @param value what is left of the measured side
 * @param threshold with what came over
 * @param turned whether at most is at least now, and the other way round
 */
record LinearSides(Operand value, Operand threshold, boolean turned) {

    static LinearSides isolated(Operand value, Operand threshold) {
        var sides = new LinearSides(value, threshold, false);
        for (var next = sides.moved(); next.isPresent(); next = sides.moved()) {
            sides = next.get();
        }
        return sides;
    }

    /** The limit of what a constant is divided by: of {@code 1 / x >= 4} it is 0.25; the same sides where there is none. */
    LinearSides divisor() {
        return value instanceof Operand.Arithmetic(Operand.Operator operator, Operand.Constant left, Operand right)
                && operator == Operand.Operator.DIVIDED_BY && NumericInterval.of(right).low() >= 0
                        ? isolated(right, folded(operator, left, threshold)).divisor()
                        : this;
    }

    /** One step further; empty when there is none. */
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
                    Optional.of(new LinearSides(right, folded(Operand.Operator.MINUS, left, threshold), !turned));
                case TIMES -> scaled(right, Operand.Operator.DIVIDED_BY, left, number);
                case DIVIDED_BY -> Optional.empty();
            };
        }
        return Optional.empty();
    }

    private Optional<LinearSides> with(Operand rest, Operand.Operator operator, Operand constant) {
        return Optional.of(new LinearSides(rest, folded(operator, threshold, constant), turned));
    }

    /** Nothing is left of what is multiplied by 0. */
    private Optional<LinearSides> scaled(Operand rest, Operand.Operator operator, Operand constant, double factor) {
        return factor == 0
                ? Optional.empty()
                : Optional.of(new LinearSides(rest, folded(operator, threshold, constant), turned != factor < 0));
    }

    /** Of two constants one, by the decimal digits that they are written with: 1 - 0.9 is 0.1. */
    static Operand folded(Operand.Operator operator, Operand left, Operand right) {
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
