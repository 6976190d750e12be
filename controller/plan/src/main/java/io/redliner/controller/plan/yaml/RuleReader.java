// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.PlainText;
import io.redliner.controller.plan.PlanProblem;
import io.redliner.sla.InvalidRuleException;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the entries of the SLA and of the guards, and compiles each. */
final class RuleReader {

    private static final int MAX_NAME_LENGTH = 100;

    private final RuleCompiler compiler;

    private final ValidationErrors errors;

    /** Names seen so far: the SLA and the guards share them. */
    private final Set<String> names;

    private final RuleSet ruleSet = new RuleSet();

    RuleReader(RuleCompiler compiler, ValidationErrors errors, Set<String> names) {
        this.compiler = compiler;
        this.errors = errors;
        this.names = names;
    }

    List<Rule> read(List<YamlNode> entries) {
        List<Rule> rules = new ArrayList<>();
        for (YamlNode entry : entries) {
            Rule rule = read(entry);
            if (rule != null) {
                rules.add(rule);
            }
        }
        return rules;
    }

    /** Reads conditions that end a step and are no part of the SLA: they are always informational. */
    List<Rule> readConditions(List<YamlNode> entries) {
        List<Rule> conditions = new ArrayList<>();
        for (YamlNode entry : entries) {
            Rule rule = readCondition(entry);
            if (rule != null) {
                conditions.add(rule);
            }
        }
        return conditions;
    }

    private @Nullable Rule readCondition(YamlNode entry) {
        NodeReader fields = NodeReader.of(entry, errors);
        return read(fields, true);
    }

    private @Nullable Rule read(YamlNode entry) {
        NodeReader fields = NodeReader.of(entry, errors);
        return read(fields, false);
    }

    private @Nullable Rule read(NodeReader fields, boolean condition) {
        String name = fields.required("name", RuleReader::requireName);
        YamlNode expression = fields.required("expr");
        boolean informational = condition || fields.optional("informational", false);
        fields.rejectOthers();
        if (name == null || expression == null) {
            return null;
        }
        String text = fields.convert(expression, Function.identity());
        return text == null ? null : compiled(name, text, informational, expression);
    }

    private @Nullable Rule compiled(String name, String text, boolean informational, YamlNode at) {
        if (names.size() == RuleSet.MAX_RULES) {
            // To compile thousands of rules takes seconds.
            errors.add(() -> problem(at, RuleSet.tooMany(name)));
            return null;
        }
        if (!names.add(name)) {
            errors.add(at, "a second rule is named '" + name + "'; names are unique over sla and guards");
            return null;
        }
        try {
            Rule rule = compiler.compile(name, text, informational);
            ruleSet.add(rule);
            return rule;
        } catch (InvalidRuleException invalid) {
            errors.add(() -> problem(at, invalid));
            return null;
        }
    }

    private static PlanProblem problem(YamlNode at, InvalidRuleException invalid) {
        return new PlanProblem(at.path(), at.line(), at.column(), String.valueOf(invalid.getMessage()), invalid.rule(),
                invalid.line(), invalid.column());
    }

    private static String requireName(String name) {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("is no name; use 1 to " + MAX_NAME_LENGTH + " characters");
        }
        return PlainText.requireLine(name);
    }
}
