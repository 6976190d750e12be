// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.contract.document.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rules that a file of objectives makes, and the objectives that make none. */
public final class ImportedRules {

    private static final int MAX_NAME_LENGTH = 90;

    /** Expressions by the rule's name. */
    private final Map<String, String> rules = new LinkedHashMap<>();

    private final List<NotJudged> notJudged = new ArrayList<>();

    /**
     * An objective that makes no rule.
     *
     * @param line 1-based
     * @param name of the objective
     * @param reason a clause that says what to do
     */
    public record NotJudged(int line, String name, String reason) {}

    /** Adds a rule. A name that is there gets a number. */
    void add(String name, String expression) {
        if (rules.containsValue(expression)) {
            return;
        }
        String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-");
        String base = plain.substring(0, Math.min(MAX_NAME_LENGTH, plain.length()));
        String unique = base;
        for (int number = 2; rules.containsKey(unique); number++) {
            unique = base + "-" + number;
        }
        rules.put(unique, expression);
    }

    void leaveOut(YamlNode where, String name, String reason) {
        notJudged.add(new NotJudged(where.line(), name, reason));
    }

    /** Returns the objectives that make no rule, in the order of the file. */
    public List<NotJudged> notJudged() {
        return List.copyOf(notJudged);
    }

    /** Returns the expressions by the rule's name, in the order of the file. */
    public Map<String, String> rules() {
        return new LinkedHashMap<>(rules);
    }

    /** Returns the part {@code sla} of a plan, YAML below {@code spec}; empty without a rule. */
    public List<String> sla() {
        List<String> lines = new ArrayList<>();
        if (!rules.isEmpty()) {
            lines.add("  sla:");
            rules.forEach(
                    (name, expression) -> lines.add("    - {name: \"" + name + "\", expr: \"" + expression + "\"}"));
        }
        return lines;
    }
}
