// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import java.io.Serial;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;
import tools.jackson.dataformat.yaml.util.StringQuotingChecker;

/**
 * Writes the canonical content of plans as YAML, in the order in which people write them. Any reader of YAML 1.1 or 1.2 reads it as
 * the same document: a text that one of them could take for something else is quoted.
 */
public final class PlanYamlWriter {

    private static final YAMLMapper YAML = YAMLMapper
            .builder(YAMLFactory.builder().stringQuotingChecker(new Quoting()).build())
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER, YAMLWriteFeature.SPLIT_LINES)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .build();

    /** Fields in the order of a plan file, which the stored JSON does not keep. Other fields come after these, by name. */
    private static final List<String> ORDER = List.of("apiVersion", "kind", "metadata", "spec", "name", "labels",
            "service", "sut", "profile", "redirect", "sla", "guards", "limits", "schedule", "notify", "safety", "expr",
            "maxShare", "maxRaise", "maxDuration", "harmBudget", "window", "precision", "cron", "interval", "zone",
            "mode",
            "attribute", "modulus", "cohorts");

    private static final Comparator<Map.Entry<String, JsonNode>> USUAL = Comparator
            .comparingInt((Map.Entry<String, JsonNode> field) -> place(field.getKey()))
            .thenComparing(Map.Entry::getKey);

    private static int place(String name) {
        int place = ORDER.indexOf(name);
        return place < 0 ? ORDER.size() : place;
    }

    /** Quotes all texts but those that every version of YAML, and every common reader of it, takes for a text. */
    private static final class Quoting extends StringQuotingChecker {

        @Serial
        private static final long serialVersionUID = 1;

        private static final Pattern PLAIN = Pattern
                .compile("[A-Za-z0-9](?:[\\p{IsAlphabetic}\\p{IsDigit}\\x21-\\x7e ]*"
                        + "[\\p{IsAlphabetic}\\p{IsDigit}\\x21-\\x7e&&[^:]])?");

        /** A text with nothing else in it may be a number or a time; some readers take {@code e3} for a number, too. */
        private static final Pattern NUMERIC = Pattern.compile("(?:[0-9]|[eE][-+]?[0-9])[0-9a-fA-FxXoOtTzZ+\\-.,:_ ]*");

        private static final Pattern WORD = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|nan|inf|infinity");

        @Override
        public boolean needToQuoteName(String name) {
            return needToQuoteValue(name);
        }

        @Override
        public boolean needToQuoteValue(String text) {
            return !PLAIN.matcher(text).matches() || text.contains(": ") || text.contains(" #")
                    || NUMERIC.matcher(text).matches() || WORD.matcher(text).matches();
        }
    }

    /** Returns the plan as YAML, which {@link PlanReader} reads as the same plan. */
    public String write(JsonNode plan) {
        return YAML.writeValueAsString(ordered(plan));
    }

    private static JsonNode ordered(JsonNode node) {
        if (node instanceof ObjectNode fields) {
            ObjectNode copy = YAML.createObjectNode();
            fields.properties()
                    .stream()
                    .sorted(USUAL)
                    .forEach(field -> copy.set(field.getKey(), ordered(field.getValue())));
            return copy;
        }
        if (node instanceof ArrayNode items) {
            ArrayNode copy = YAML.createArrayNode();
            items.forEach(item -> copy.add(ordered(item)));
            return copy;
        }
        return node;
    }
}
