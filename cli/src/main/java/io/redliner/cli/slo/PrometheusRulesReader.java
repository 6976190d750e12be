// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.cli.slo.PromQlText.Binary;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads alerting rules of Prometheus: an SLA holds while they are silent. Recording rules of the same file are looked up. */
public final class PrometheusRulesReader {

    private final ImportedRules imported = new ImportedRules();

    /** Expressions of the recording rules, by name. */
    private final Map<String, Set<String>> recorded = new HashMap<>();

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
        rules.forEach(rule -> Yaml.text(rule, "record").ifPresent(name -> reader.recorded
                .computeIfAbsent(name, unused -> new HashSet<>()).add(Yaml.text(rule, "expr").orElse("").strip())));
        rules.forEach(reader::read);
        return reader.imported;
    }

    private void read(YamlNode rule) {
        Yaml.text(rule, "alert").ifPresent(name -> {
            String expression = Yaml.text(rule, "expr").orElse("");
            String service = PromQlReader.service(expression);
            try {
                expression = resolved(expression);
                service = PromQlReader.service(expression);
                imported.add(service, rule, name, PromQlReader.silent(expression));
            } catch (NotJudgedException reason) {
                imported.leaveOut(service, rule, name, String.valueOf(reason.getMessage()));
            }
        });
    }

    /** Returns an alert's expression with the recording rule that it compares, if it does, in its place. */
    private String resolved(String expression) throws NotJudgedException {
        Optional<Binary> comparison = PromQlText.comparison(PromQlText.strip(expression));
        String name = comparison.map(Binary::left).orElse("").strip();
        Set<String> meanings = recorded.getOrDefault(name, Set.of());
        if (comparison.isEmpty() || meanings.isEmpty()) {
            return expression;
        }
        if (meanings.size() > 1) {
            throw new NotJudgedException("compares " + name + ", which " + meanings.size()
                    + " different expressions record; compare the one that is meant");
        }
        return "(" + meanings.iterator().next() + ") " + comparison.get().operator() + comparison.get().right();
    }
}
