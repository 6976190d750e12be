// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.contract.document.YamlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules that a file of objectives makes, and the objectives that make none. */
public final class ImportedRules {

    private static final int MAX_NAME_LENGTH = 90;

    private final List<Rule> judged = new ArrayList<>();

    private final List<NotJudged> notJudged = new ArrayList<>();

    /**
     * An objective that is a rule.
     *
     * @param service empty: the objective names none
     * @param line 1-based
     */
    private record Rule(String service, int line, String name, String expression) {}

    /**
     * An objective that makes no rule.
     *
     * @param service empty: the objective names none
     * @param line 1-based
     * @param name of the objective
     * @param reason a clause that says what to do
     */
    public record NotJudged(String service, int line, String name, String reason) {}

    void add(String service, YamlNode where, String name, String expression) {
        judged.add(new Rule(service, where.line(), name, expression));
    }

    void leaveOut(String service, YamlNode where, String name, String reason) {
        notJudged.add(new NotJudged(service, where.line(), name, reason));
    }

    /** Returns the services that rules are of, in the order of the file; those of no named service are not counted. */
    public Set<String> services() {
        return judged.stream().map(Rule::service).filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the objectives of one service. A rule that names no service is not judged, because it may be about others. */
    public ImportedRules of(String service) {
        ImportedRules some = new ImportedRules();
        for (Rule rule : judged) {
            if (rule.service().equals(service)) {
                some.judged.add(rule);
            } else if (rule.service().isEmpty()) {
                some.notJudged.add(new NotJudged("", rule.line(), rule.name(),
                        "names no service, and others than " + service + " may be meant"));
            }
        }
        notJudged.stream().filter(left -> left.service().isEmpty() || left.service().equals(service))
                .forEach(some.notJudged::add);
        return some;
    }

    /** Returns the objectives that make no rule, in the order of the file. */
    public List<NotJudged> notJudged() {
        return notJudged.stream().sorted(Comparator.comparingInt(NotJudged::line)).toList();
    }

    /** Returns the expressions by the rule's name, in the order of the file. A name that is there twice gets a number. */
    public Map<String, String> rules() {
        Map<String, String> rules = new LinkedHashMap<>();
        for (Rule rule : judged) {
            String plain = rule.name().replaceAll("[^A-Za-z0-9._-]+", "-");
            String base = plain.substring(0, Math.min(MAX_NAME_LENGTH, plain.length()));
            String unique = base;
            for (int number = 2; rules.containsKey(unique); number++) {
                unique = base + "-" + number;
            }
            if (!rules.containsValue(rule.expression())) {
                rules.put(unique, rule.expression());
            }
        }
        return rules;
    }

    /** Returns the part {@code sla} of a plan, YAML below {@code spec}; empty without a rule. */
    public List<String> sla() {
        List<String> lines = new ArrayList<>();
        Map<String, String> rules = rules();
        if (!rules.isEmpty()) {
            lines.add("  sla:");
            rules.forEach(
                    (name, expression) -> lines.add("    - {name: \"" + name + "\", expr: \"" + expression + "\"}"));
        }
        return lines;
    }
}
