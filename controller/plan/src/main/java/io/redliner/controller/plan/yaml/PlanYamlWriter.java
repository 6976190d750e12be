// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Writes the canonical content of plans as YAML, in the order in which people write them. */
final class PlanYamlWriter {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER, YAMLWriteFeature.SPLIT_LINES)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES, YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();

    /** The store keeps no order. What is not named here comes after that, by name. */
    private static final List<String> ORDER = List.of("apiVersion", "kind", "metadata", "spec", "name", "labels",
            "service", "sut", "profile", "redirect", "sla", "guards", "limits", "schedule", "notify", "safety", "expr",
            "maxShare", "maxRaise", "maxDuration", "harmBudget", "window", "cron", "interval", "zone", "mode",
            "attribute", "modulus", "cohorts");

    private static final Comparator<Map.Entry<String, JsonNode>> USUAL = Comparator
            .comparingInt((Map.Entry<String, JsonNode> field) -> place(field.getKey()))
            .thenComparing(Map.Entry::getKey);

    private static int place(String name) {
        int place = ORDER.indexOf(name);
        return place < 0 ? ORDER.size() : place;
    }

    String write(JsonNode plan) {
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
