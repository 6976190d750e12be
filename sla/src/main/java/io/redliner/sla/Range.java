// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import java.util.stream.DoubleStream;

/**
 * What a measured value can be: from low to high, both included, infinite where nothing bounds it. Calculated with by
 * interval arithmetic (Moore, Interval Analysis, 1966), so it is never too narrow; where a name occurs twice it may be
 * too wide.
 */
record Range(double low, double high) {

    static final Range ANY = new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    static final Range NOT_NEGATIVE = new Range(0, Double.POSITIVE_INFINITY);

    static final Range RATIO = new Range(0, 1);

    static Range of(Operand operand) {
        return switch (operand) {
            case Operand.Constant(double number) -> new Range(number, number);
            case Operand.Name(Scope scope, Metric metric) -> metric.isErrorRatio() ? RATIO : NOT_NEGATIVE;
            case Operand.Custom custom -> ANY;
            case Operand.Arithmetic(Operand.Operator operator, Operand left, Operand right) ->
                of(operator, of(left), of(right));
        };
    }

    private static Range of(Operand.Operator operator, Range left, Range right) {
        return switch (operator) {
            case PLUS -> new Range(left.low + right.low, left.high + right.high);
            case MINUS -> new Range(left.low - right.high, left.high - right.low);
            case TIMES -> spanned(product(left.low, right.low), product(left.low, right.high),
                    product(left.high, right.low), product(left.high, right.high));
            // By zero nothing is known; by what comes near zero everything large is reached.
            case DIVIDED_BY -> right.low > 0 || right.high < 0
                    ? of(Operand.Operator.TIMES, left, new Range(1 / right.high, 1 / right.low))
                    : quotientNearZero(left, right);
        };
    }

    private static Range quotientNearZero(Range left, Range right) {
        return left.low >= 0 && right.low >= 0 ? NOT_NEGATIVE : ANY;
    }

    /** What is zero stays zero, whatever finite number it is multiplied with. */
    private static double product(double left, double right) {
        return left == 0 || right == 0 ? 0 : left * right;
    }

    private static Range spanned(double... ends) {
        return DoubleStream.of(ends).anyMatch(Double::isNaN)
                ? ANY
                : new Range(DoubleStream.of(ends).min().orElseThrow(), DoubleStream.of(ends).max().orElseThrow());
    }
}
