// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads alerting rules of Prometheus: an SLA holds while they are silent. Recording rules of the same file are looked up. */
public final class PrometheusRulesReader {

    private final ImportedRules imported = new ImportedRules();

    /** Expressions of the recording rules, by name. */
    private final Map<String, String> recorded = new HashMap<>();

    private PrometheusRulesReader() {}

    /**
     * Reads a file of rules.
     *
     * @throws InvalidDocumentException when the text is no YAML, or has no groups of rules
     */
    public static ImportedRules read(String text) throws InvalidDocumentException {
        PrometheusRulesReader reader = new PrometheusRulesReader();
        YamlNode file = YamlParser.read(text);
        List<YamlNode> groups = Yaml.items(file, "groups");
        if (groups.isEmpty()) {
            throw Yaml.mistake(file, "has no groups, so it is no file of Prometheus' rules");
        }
        List<YamlNode> rules = groups.stream().flatMap(group -> Yaml.items(group, "rules").stream()).toList();
        rules.forEach(rule -> Yaml.text(rule, "record")
                .ifPresent(name -> reader.recorded.put(name, Yaml.text(rule, "expr").orElse(""))));
        rules.forEach(reader::read);
        return reader.imported;
    }

    private void read(YamlNode rule) {
        Yaml.text(rule, "alert").ifPresent(name -> {
            try {
                imported.add(name, PromQlReader.silent(resolved(Yaml.text(rule, "expr").orElse(""))));
            } catch (NotJudgedException reason) {
                imported.leaveOut(rule, name, String.valueOf(reason.getMessage()));
            }
        });
    }

    /** Returns an alert's expression with the recording rule that it compares, if it does, in its place. */
    private String resolved(String expression) {
        return PromQlText.comparison(PromQlText.strip(expression))
                .filter(comparison -> recorded.containsKey(comparison.left().strip()))
                .map(comparison -> "(" + recorded.get(comparison.left().strip()) + ") " + comparison.operator()
                        + comparison.right())
                .orElse(expression);
    }
}
