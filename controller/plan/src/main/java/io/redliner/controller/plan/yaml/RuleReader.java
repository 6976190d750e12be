// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static java.util.function.Function.identity;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.text.PlainText;
import io.redliner.sla.InvalidRuleException;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import io.redliner.sla.RuleSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the entries of one plan's SLA and guards, and compiles each. */
final class RuleReader {

    private static final int MAX_NAME_LENGTH = 100;

    private final RuleCompiler compiler;

    /** Names seen so far: the SLA and the guards share them. */
    private final Set<String> names = new HashSet<>();

    private final RuleSet ruleSet = new RuleSet();

    RuleReader(RuleCompiler compiler) {
        this.compiler = compiler;
    }

    List<Rule> read(NodeReader spec, String name, boolean required) {
        return spec.read(spec.list(name, required), fields -> read(fields, false));
    }

    /** Reads conditions that end a step and are no part of the SLA: they are always informational. */
    List<Rule> readConditions(NodeReader section, String name) {
        return section.read(section.list(name, true), fields -> read(fields, true));
    }

    private @Nullable Rule read(NodeReader fields, boolean condition) {
        String name = fields.required("name", RuleReader::requireName);
        YamlNode expression = fields.required("expr");
        boolean informational = condition || fields.optional("informational", false);
        String text = expression == null ? null : fields.convert(expression, identity());
        return name == null || text == null || expression == null
                ? null
                : compiled(fields, name, text, informational, expression);
    }

    private @Nullable Rule compiled(NodeReader fields, String name, String text, boolean informational, YamlNode at) {
        if (names.size() == RuleSet.MAX_RULES) {
            // To compile thousands of rules takes seconds.
            fields.report(() -> problem(at, RuleSet.tooMany(name)));
            return null;
        }
        if (!names.add(name)) {
            fields.mistake(at, "a second rule is named '" + name + "'; names are unique over sla and guards");
            return null;
        }
        try {
            Rule rule = compiler.compile(name, text, informational);
            ruleSet.add(rule);
            return rule;
        } catch (InvalidRuleException invalid) {
            fields.report(() -> problem(at, invalid));
            return null;
        }
    }

    private static DocumentProblem problem(YamlNode at, InvalidRuleException invalid) {
        return new DocumentProblem(at.path(), at.line(), at.column(), String.valueOf(invalid.getMessage()),
                invalid.rule(), invalid.line(), invalid.column());
    }

    private static String requireName(String name) {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("is no name; use 1 to " + MAX_NAME_LENGTH + " characters");
        }
        return PlainText.requireLine(name);
    }
}
