// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.stream.DoubleStream;

/**
 * The range of a measured value: from low to high, both included, infinite where nothing bounds it. Ranges are combined by
 * interval arithmetic (Moore, Interval Analysis, 1966). The result is never too narrow, and may be too wide when a name occurs
 * twice.
 */
record NumericInterval(double low, double high) {

    static final NumericInterval ANY = new NumericInterval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    static final NumericInterval NOT_NEGATIVE = new NumericInterval(0, Double.POSITIVE_INFINITY);

    static final NumericInterval ZERO = new NumericInterval(0, 0);

    static final NumericInterval RATIO = new NumericInterval(0, 1);

    static NumericInterval of(Operand operand) {
        return switch (operand) {
            case Operand.Constant(double number) -> new NumericInterval(number, number);
            case Operand.Name(Scope scope, RuleMetric metric) -> metric.isErrorRatio() ? RATIO : NOT_NEGATIVE;
            case Operand.Custom custom -> ANY;
            case Operand.Arithmetic(Operand.Operator operator, Operand left, Operand right) ->
                of(operator, of(left), of(right));
        };
    }

    private static NumericInterval of(Operand.Operator operator, NumericInterval left, NumericInterval right) {
        return switch (operator) {
            case PLUS -> new NumericInterval(left.low + right.low, left.high + right.high);
            case MINUS -> new NumericInterval(left.low - right.high, left.high - right.low);
            case TIMES -> hull(product(left.low, right.low), product(left.low, right.high),
                    product(left.high, right.low), product(left.high, right.high));
            // A quotient by 0 is undefined, and one by values near 0 is unbounded.
            case DIVIDED_BY -> right.low > 0 || right.high < 0
                    ? of(Operand.Operator.TIMES, left, new NumericInterval(1 / right.high, 1 / right.low))
                    : quotientNearZero(left, right);
        };
    }

    private static NumericInterval quotientNearZero(NumericInterval left, NumericInterval right) {
        return left.low >= 0 && right.low >= 0 ? NOT_NEGATIVE : ANY;
    }

    /** Multiplies; zero times an infinite bound is zero. */
    private static double product(double left, double right) {
        return left == 0 || right == 0 ? 0 : left * right;
    }

    private static NumericInterval hull(double... ends) {
        return DoubleStream.of(ends).anyMatch(Double::isNaN)
                ? ANY
                : new NumericInterval(DoubleStream.of(ends).min().orElseThrow(),
                        DoubleStream.of(ends).max().orElseThrow());
    }
}
