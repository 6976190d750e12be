// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.redliner.contract.duration.Durations;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Translates a type-checked syntax tree into a condition. Negations are pushed down into the comparisons. */
final class RuleTranslator {

    /** Seconds. Hanging requests are counted against limits in whole microseconds. */
    private static final double MIN_LIMIT = 1e-6;

    /** Seconds: the length of the longest run. */
    private static final double MAX_LIMIT = 86_400;

    /** Seconds. Longer limits are written as "far more" in errors, without a number. */
    private static final double FAR_MORE = 1e15;

    private static final Set<CelType> MEASURABLE = Set.of(SimpleType.DOUBLE, SimpleType.INT, SimpleType.DURATION);

    private final CelAbstractSyntaxTree tree;

    private final SourcePositions positions;

    RuleTranslator(CelAbstractSyntaxTree tree, SourcePositions positions) {
        this.tree = tree;
        this.positions = positions;
    }

    RuleCondition condition() {
        return condition(tree.getExpr(), false);
    }

    private RuleCondition condition(CelExpr expression, boolean negated) {
        var call = expression.callOrDefault();
        return switch (call.function()) {
            case "_&&_" -> both(call, negated, !negated);
            case "_||_" -> both(call, negated, negated);
            case "!_" -> condition(call.args().getFirst(), !negated);
            case "_<=_" -> comparison(expression, !negated, negated);
            case "_<_" -> comparison(expression, !negated, !negated);
            case "_>=_" -> comparison(expression, negated, negated);
            case "_>_" -> comparison(expression, negated, !negated);
            case "_==_", "_!=_" -> throw positions.error(expression,
                    "measurements are never exactly equal: compare with <=, <, >= or >");
            default -> throw positions.error(expression,
                    "a comparison is needed here, such as latency.p99 <= duration('200ms')");
        };
    }

    private RuleCondition both(CelExpr.CelCall call, boolean negated, boolean all) {
        var left = condition(call.args().get(0), negated);
        var right = condition(call.args().get(1), negated);
        return all ? new RuleCondition.All(left, right) : new RuleCondition.Any(left, right);
    }

    /** @param upperBound true when the left side must be at most the right one */
    private ThresholdComparison comparison(CelExpr expression, boolean upperBound, boolean strict) {
        var leftExpression = expression.call().args().get(0);
        var rightExpression = expression.call().args().get(1);
        if (!MEASURABLE.contains(typeOf(leftExpression))) {
            throw positions.error(leftExpression, "only numbers and durations can be compared");
        }
        var left = operand(leftExpression);
        var right = operand(rightExpression);
        if (left.names().findAny().isEmpty() && right.names().findAny().isEmpty()) {
            throw positions.error(expression, "this compares two constants: one side must be measured");
        }
        // The measured side is the value. When both are measured, it is the side of the instance under test.
        boolean swapped = scopes(left).isEmpty()
                || (!scopes(left).contains(Scope.SUT) && scopes(right).contains(Scope.SUT));
        var sides = LinearSides.isolated(swapped ? right : left, swapped ? left : right);
        var value = sides.value();
        var threshold = sides.threshold();
        var thresholdExpression = swapped ? leftExpression : rightExpression;
        var direction = (upperBound != swapped) != sides.turned()
                ? ThresholdComparison.Direction.AT_MOST
                : ThresholdComparison.Direction.AT_LEAST;
        var comparison = new ThresholdComparison(value, direction, strict, threshold, scopeOf(value),
                unitOf(value, leftExpression));
        requireUse(comparison, expression);
        var divisor = sides.divisor();
        var limited = divisor.value() instanceof Operand.Name name && name.metric().unit() == MetricUnit.SECONDS
                ? divisor
                : sides;
        if (limited.threshold() instanceof Operand.Constant(double seconds)
                && unitOf(limited.value(), leftExpression) == MetricUnit.SECONDS) {
            requireMeasurable(seconds, thresholdExpression);
        }
        return comparison;
    }

    /** @param exact limit on the isolated measured side, in seconds; a run gets it in whole nanoseconds */
    private void requireMeasurable(double exact, CelExpr threshold) {
        double seconds = Math.rint(exact * 1e9) / 1e9;
        if (!(seconds >= MIN_LIMIT)) {
            throw positions.error(threshold, "a limit on a duration must be longer than nothing: write 1us or more");
        }
        if (seconds > MAX_LIMIT) {
            throw positions.error(threshold,
                    "a limit on a duration is at most 24h, as no run takes longer: this one comes to "
                            + (seconds < FAR_MORE ? Math.round(seconds / 3600) + "h" : "far more"));
        }
    }

    /** Refuses a fixed comparison. The message is right inside a negation too. */
    private void requireUse(ThresholdComparison comparison, CelExpr expression) {
        if (FixedComparisons.isFixed(comparison)) {
            throw positions.error(expression, "this comparison comes out the same whatever is measured: "
                    + FixedComparisons.reason(comparison) + "; set a limit that can be kept and can be broken");
        }
    }

    private Operand operand(CelExpr expression) {
        var operand = anyOperand(expression);
        if (operand instanceof Operand.Constant(double number) && !Double.isFinite(number)) {
            throw positions.error(expression, "this comes to a number that is larger than any number can be");
        }
        return operand;
    }

    private Operand anyOperand(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT -> new Operand.Constant(number(expression));
            case IDENT, SELECT -> name(expression);
            case CALL -> call(expression);
            default -> throw positions.error(expression, "only numbers, durations, names and + - * / are allowed here");
        };
    }

    private double number(CelExpr expression) {
        CelConstant constant = expression.constant();
        return switch (constant.getKind()) {
            case INT64_VALUE -> constant.int64Value();
            case DOUBLE_VALUE -> constant.doubleValue();
            default -> throw positions.error(expression, "a number or a duration is needed here");
        };
    }

    private Operand name(CelExpr expression) {
        String name = variable(expression);
        return Stream.of(Scope.values()).flatMap(scope -> withoutPrefix(name, scope).flatMap(RuleMetric::named)
                .<Operand>map(metric -> new Operand.Name(scope, metric)).stream()).findFirst()
                .orElseThrow(() -> positions.error(expression, "custom gauges are written custom['name']"));
    }

    private static Optional<String> withoutPrefix(String name, Scope scope) {
        return name.startsWith(scope.prefix())
                ? Optional.of(name.substring(scope.prefix().length()))
                : Optional.empty();
    }

    private String variable(CelExpr expression) {
        return tree.getReference(expression.id()).orElseThrow(() -> positions.error(expression, "unknown name")).name();
    }

    private Operand call(CelExpr expression) {
        var call = expression.call();
        return switch (call.function()) {
            case "duration" -> duration(expression, call.args().getFirst());
            case "_[_]" -> custom(call.args().get(0), call.args().get(1));
            case "-_" -> arithmetic(Operand.Operator.MINUS, new Operand.Constant(0), operand(call.args().getFirst()));
            default -> Stream.of(Operand.Operator.values()).filter(it -> it.function().equals(call.function()))
                    .findFirst().map(operator -> arithmetic(expression, operator))
                    .orElseThrow(() -> positions.error(expression, "only + - * / are allowed here"));
        };
    }

    private Operand arithmetic(CelExpr expression, Operand.Operator operator) {
        if (operator == Operand.Operator.DIVIDED_BY && typeOf(expression).equals(SimpleType.INT)) {
            throw positions.error(expression, "whole numbers would be divided without remainder: write 3.0 / 2.0");
        }
        var arguments = expression.call().args();
        var left = operand(arguments.get(0));
        var right = operand(arguments.get(1));
        if (operator == Operand.Operator.DIVIDED_BY && NumericInterval.of(right).equals(NumericInterval.ZERO)) {
            throw positions.error(arguments.get(1),
                    "nothing can be divided by 0: this comparison would never have an answer");
        }
        return arithmetic(operator, left, right);
    }

    private static Operand arithmetic(Operand.Operator operator, Operand left, Operand right) {
        return LinearSides.foldConstants(operator, left, right);
    }

    private Operand duration(CelExpr expression, CelExpr argument) {
        var constant = argument.constantOrDefault();
        if (constant.getKind() != CelConstant.Kind.STRING_VALUE) {
            throw positions.error(expression, "a duration is written as text, such as duration('200ms')");
        }
        try {
            return new Operand.Constant(Durations.parse(constant.stringValue()).toNanos() / 1e9);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw positions.error(argument, "'" + constant.stringValue() + "' " + (e instanceof ArithmeticException
                    ? "is longer than anything is measured"
                    : e.getMessage()));
        }
    }

    private Operand custom(CelExpr map, CelExpr key) {
        if (key.constantOrDefault().getKind() != CelConstant.Kind.STRING_VALUE) {
            throw positions.error(key, "custom gauges are written custom['name']");
        }
        String name = variable(map);
        var scope = Stream.of(Scope.values()).filter(it -> name.equals(it.prefix() + "custom")).findFirst()
                .orElseThrow(() -> positions.error(map, "only custom gauges have a name in brackets"));
        return new Operand.Custom(scope, key.constant().stringValue());
    }

    private CelType typeOf(CelExpr expression) {
        return tree.getType(expression.id()).orElse(SimpleType.ERROR);
    }

    private MetricUnit unitOf(Operand value, CelExpr side) {
        return switch (value) {
            case Operand.Name name -> name.metric().unit();
            case Operand.Constant constant -> MetricUnit.UNKNOWN;
            case Operand.Custom custom -> MetricUnit.UNKNOWN;
            case Operand.Arithmetic arithmetic ->
                typeOf(side).equals(SimpleType.DURATION) ? MetricUnit.SECONDS : MetricUnit.UNKNOWN;
        };
    }

    private static Scope scopeOf(Operand value) {
        var scopes = scopes(value);
        return scopes.contains(Scope.SUT) ? Scope.SUT : scopes.iterator().next();
    }

    private static Set<Scope> scopes(Operand operand) {
        return operand.names().map(name -> switch (name) {
            case Operand.Name(Scope scope, RuleMetric unused) -> scope;
            case Operand.Custom(Scope scope, String unused) -> scope;
            default -> throw new IllegalStateException("not a name: " + name);
        }).collect(Collectors.toSet());
    }
}
