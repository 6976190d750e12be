// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import java.util.Optional;

/**
 * Compiles the expressions of a plan into rules. Thread-safe. Creating a compiler takes some milliseconds, so keep it. It caches
 * the last {@value #REMEMBERED} expressions that it type-checked: many runs have the same.
 */
public final class RuleCompiler {

    private static final int MAX_COMPARISONS = 16;

    private static final int MAX_COST = 1_000;

    private static final int REMEMBERED = 256;

    private final CelCompiler compiler = RuleLanguage.compiler();

    private final Cache<String, CelAbstractSyntaxTree> remembered = CacheBuilder.newBuilder().maximumSize(REMEMBERED)
            .build();

    /**
     * Parses and type-checks one rule. A rule is refused when it costs too much to evaluate, or when one of its comparisons has the
     * same outcome for every measurement.
     *
     * @param name of the rule, as in the plan
     * @param expression in the rule language, at most 1000 characters and 16 comparisons
     * @param informational whether the rule is reported and never acted on
     * @throws InvalidRuleException when the rule cannot be used
     */
    public Rule compile(String name, String expression, boolean informational) {
        var condition = condition(name, expression);
        var countedForm = Rule.counted(condition)
                ? Optional.<String>empty()
                : CountedForm.of(condition).filter(form -> isCounted(name, form));
        return new Rule(name, expression, informational, condition, countedForm);
    }

    /** Returns true when a form can be advised. Some correct forms cannot be written in the rule language. */
    private boolean isCounted(String name, String form) {
        try {
            return Rule.counted(condition(name, form));
        } catch (InvalidRuleException e) {
            return false;
        }
    }

    private RuleCondition condition(String name, String expression) {
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
        int cost = condition.cost();
        if (cost > MAX_COST) {
            throw positions.at(0, "the rule costs " + cost + " steps in every window, more than the " + MAX_COST
                    + " allowed (a latency costs " + Operand.COST_OF_HISTOGRAM + "): split it into several rules");
        }
        return condition;
    }

    private CelAbstractSyntaxTree checked(String name, String expression, SourcePositions positions) {
        var known = remembered.getIfPresent(expression);
        if (known != null) {
            return known;
        }
        try {
            var tree = compiler.compile(expression).getAst();
            if (!tree.getResultType().equals(SimpleType.BOOL)) {
                throw new SourcePositions(name, tree.getSource()).error(tree.getExpr(),
                        "the rule yields a " + tree.getResultType().name()
                                + ", not true or false: compare it with a limit");
            }
            remembered.put(expression, tree);
            return tree;
        } catch (CelValidationException e) {
            throw CelErrorHints.explain(e.getErrors().getFirst(), expression, positions);
        }
    }
}
