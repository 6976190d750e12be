// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;

/** Turns what a plan says into rules. Thread-safe; making one takes some milliseconds, so keep it. */
public final class RuleCompiler {

    private static final int MAX_COMPARISONS = 16;

    private static final int MAX_COST = 1_000;

    private final CelCompiler compiler = RuleLanguage.compiler();

    /**
     * Parses and type-checks one rule, and refuses it when it costs too much to evaluate or when what is measured does
     * not matter to one of its comparisons.
     *
     * @param name of the rule, as in the plan
     * @param expression in the rule language, at most 1000 characters and 16 comparisons
     * @param informational whether the rule is reported and never acted on
     * @throws InvalidRuleException when the rule cannot be used
     */
    public Rule compile(String name, String expression, boolean informational) {
        var positions = new SourcePositions(name, CelSource.newBuilder(expression).build());
        if (expression.isBlank()) {
            throw positions.at(0, "the rule is empty: write a comparison such as latency.p99 <= duration('200ms')");
        }
        if (expression.length() > RuleLanguage.MAX_EXPRESSION_LENGTH) {
            throw positions.at(0, "the rule has " + expression.length() + " characters, more than the "
                    + RuleLanguage.MAX_EXPRESSION_LENGTH + " allowed: split it into several rules");
        }
        CelErrorHints.foreignLiteral(expression, positions).ifPresent(error -> {
            throw error;
        });
        var tree = checked(name, expression, positions);
        var condition = new RuleTranslator(tree, new SourcePositions(name, tree.getSource())).condition();
        if (condition.comparisons().count() > MAX_COMPARISONS) {
            throw positions.at(0, "the rule has more than " + MAX_COMPARISONS
                    + " comparisons: split it into several rules");
        }
        var rule = new Rule(name, expression, informational, condition);
        if (rule.cost() > MAX_COST) {
            throw positions.at(0, "the rule costs " + rule.cost() + " steps in every window, more than the " + MAX_COST
                    + " allowed (a latency costs " + Operand.COST_OF_HISTOGRAM + "): split it into several rules");
        }
        return rule;
    }

    private CelAbstractSyntaxTree checked(String name, String expression, SourcePositions positions) {
        try {
            var tree = compiler.compile(expression).getAst();
            if (!tree.getResultType().equals(SimpleType.BOOL)) {
                throw new SourcePositions(name, tree.getSource()).error(tree.getExpr(),
                        "the rule yields a " + tree.getResultType().name()
                                + ", not true or false: compare it with a limit");
            }
            return tree;
        } catch (CelValidationException e) {
            throw CelErrorHints.explain(e.getErrors().getFirst(), expression, positions);
        }
    }
}
