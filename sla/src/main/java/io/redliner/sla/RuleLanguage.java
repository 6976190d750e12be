// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import java.util.stream.Stream;

/**
 * The part of CEL that rules are written in: no macros (nothing loops), only arithmetic, comparisons and logic, and the
 * measured names as variables. Durations can be scaled, which CEL itself cannot.
 */
final class RuleLanguage {

    static final int MAX_EXPRESSION_LENGTH = 1000;

    private static final int MAX_NESTING_DEPTH = 32;

    private RuleLanguage() {}

    static CelCompiler compiler() {
        var builder = CelCompilerFactory.standardCelCompilerBuilder().setOptions(options())
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(CelStandardDeclarations.newBuilder()
                        .includeFunctions(StandardFunction.LOGICAL_NOT, StandardFunction.LOGICAL_AND,
                                StandardFunction.LOGICAL_OR, StandardFunction.LESS, StandardFunction.LESS_EQUALS,
                                StandardFunction.GREATER, StandardFunction.GREATER_EQUALS, StandardFunction.EQUALS,
                                StandardFunction.NOT_EQUALS, StandardFunction.ADD, StandardFunction.SUBTRACT,
                                StandardFunction.MULTIPLY, StandardFunction.DIVIDE, StandardFunction.NEGATE,
                                StandardFunction.INDEX, StandardFunction.DURATION)
                        .build());
        arithmetic(builder);
        for (var scope : Scope.values()) {
            for (var metric : RuleMetric.values()) {
                builder.addVar(scope.prefix() + metric.ruleName(), typeOf(metric));
            }
            builder.addVar(scope.prefix() + "custom", MapType.create(SimpleType.STRING, SimpleType.DOUBLE));
        }
        return builder.build();
    }

    /** Returns every name that a rule may use, apart from custom gauges. */
    static Stream<String> names() {
        return Stream.of(Scope.values())
                .flatMap(scope -> Stream.of(RuleMetric.values()).map(metric -> scope.prefix() + metric.ruleName()));
    }

    private static CelOptions options() {
        return CelOptions.current().maxExpressionCodePointSize(MAX_EXPRESSION_LENGTH)
                .maxParseRecursionDepth(MAX_NESTING_DEPTH).enableHeterogeneousNumericComparisons(true)
                .retainRepeatedUnaryOperators(true).build();
    }

    private static CelType typeOf(RuleMetric metric) {
        return metric.unit() == MetricUnit.SECONDS ? SimpleType.DURATION : SimpleType.DOUBLE;
    }

    private static void arithmetic(dev.cel.compiler.CelCompilerBuilder builder) {
        var duration = SimpleType.DURATION;
        var decimal = SimpleType.DOUBLE;
        var integer = SimpleType.INT;
        builder.addFunctionDeclarations(
                newFunctionDeclaration("_*_",
                        newGlobalOverload("multiply_double_duration", duration, decimal, duration),
                        newGlobalOverload("multiply_duration_double", duration, duration, decimal),
                        newGlobalOverload("multiply_int64_duration", duration, integer, duration),
                        newGlobalOverload("multiply_duration_int64", duration, duration, integer),
                        newGlobalOverload("multiply_int64_double", decimal, integer, decimal),
                        newGlobalOverload("multiply_double_int64", decimal, decimal, integer)),
                newFunctionDeclaration("_/_", newGlobalOverload("divide_duration_double", duration, duration, decimal),
                        newGlobalOverload("divide_duration_int64", duration, duration, integer),
                        newGlobalOverload("divide_duration_duration", decimal, duration, duration),
                        newGlobalOverload("divide_double_int64", decimal, decimal, integer),
                        newGlobalOverload("divide_int64_double", decimal, integer, decimal)),
                newFunctionDeclaration("_+_", newGlobalOverload("add_double_int64", decimal, decimal, integer),
                        newGlobalOverload("add_int64_double", decimal, integer, decimal)),
                newFunctionDeclaration("_-_", newGlobalOverload("subtract_double_int64", decimal, decimal, integer),
                        newGlobalOverload("subtract_int64_double", decimal, integer, decimal)));
    }
}
