// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.controller.plan.yaml.PlanReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the structural schema of a CapacityTest's spec from the JSON Schema of plan files. Kubernetes knows neither references nor
 * types inside of alternatives, and neither lookahead in patterns nor conditions. What is lost by that, the controller refuses.
 */
final class CapacityTestSchema {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** They mean the same in a structural schema. */
    private static final Set<String> KEPT = Set.of("type", "enum", "pattern", "description", "required", "minItems",
            "maxItems", "minLength", "maxLength", "minProperties", "maxProperties");

    private static final Set<String> OF_TEXTS = Set.of("pattern", "minLength", "maxLength");

    private final JsonNode root = JSON.readTree(PlanReader.schema());

    /** Returns the schema of {@code spec}. */
    ObjectNode spec() {
        return structural(root.at("/$defs/spec"));
    }

    private ObjectNode structural(JsonNode schema) {
        ObjectNode merged = merged(schema);
        Set<String> types = types(merged);
        ObjectNode made = JSON.createObjectNode();
        if (types.equals(Set.of("string", "number", "boolean"))) {
            // A text: YAML's numbers and truths have to be quoted.
            types = Set.of("string");
        }
        if (merged.path("enum").valueStream().anyMatch(JsonNode::isBoolean)) {
            return made.put("type", "boolean");
        }
        if (types.equals(Set.of("integer", "string"))) {
            return described(merged, made.put("x-kubernetes-int-or-string", true));
        }
        if (types.size() > 1) {
            // A number with a fraction, or a text: Kubernetes has no name for that.
            return described(merged, made.put("x-kubernetes-preserve-unknown-fields", true));
        }
        String type = types.isEmpty() ? "string" : types.iterator().next();
        made.put("type", type);
        for (Map.Entry<String, JsonNode> entry : merged.properties()) {
            boolean text = OF_TEXTS.contains(entry.getKey());
            boolean lookahead = entry.getKey().equals("pattern") && entry.getValue().asString().contains("(?!");
            if (KEPT.contains(entry.getKey()) && !entry.getKey().equals("type") && !lookahead
                    && (!text || type.equals("string"))) {
                made.set(entry.getKey(), entry.getValue());
            }
        }
        nested(merged, made);
        return made;
    }

    private void nested(ObjectNode merged, ObjectNode made) {
        if (merged.has("properties")) {
            ObjectNode properties = made.putObject("properties");
            merged.get("properties").properties()
                    .forEach(property -> properties.set(property.getKey(), structural(property.getValue())));
        }
        if (merged.path("additionalProperties").isObject()) {
            made.set("additionalProperties", structural(merged.get("additionalProperties")));
        }
        if (merged.has("items")) {
            made.set("items", structural(merged.get("items")));
        }
        for (String alternatives : List.of("anyOf", "oneOf")) {
            if (merged.has(alternatives)) {
                made.set(alternatives, merged.get(alternatives));
            }
        }
    }

    private static ObjectNode described(ObjectNode merged, ObjectNode made) {
        if (merged.has("description")) {
            made.set("description", merged.get("description"));
        }
        return made;
    }

    private static Set<String> types(ObjectNode schema) {
        Set<String> types = new TreeSet<>();
        JsonNode type = schema.path("type");
        if (type.isArray()) {
            type.forEach(one -> types.add(one.asString()));
        } else if (type.isString()) {
            types.add(type.asString());
        }
        return types;
    }

    /** Returns a schema without references, whose alternatives only name what is required. */
    private ObjectNode merged(JsonNode schema) {
        ObjectNode made = JSON.createObjectNode();
        if (schema.has("$ref")) {
            made.setAll(merged(root.at(schema.get("$ref").asString().substring(1))));
        }
        schema.properties().stream().filter(entry -> !Set.of("$ref", "allOf", "anyOf").contains(entry.getKey()))
                .forEach(entry -> made.set(entry.getKey(), entry.getValue()));
        schema.path("allOf").forEach(part -> made.setAll(merged(part)));
        if (schema.has("anyOf")) {
            alternatives(schema.get("anyOf"), made);
        }
        return made;
    }

    private void alternatives(JsonNode alternatives, ObjectNode made) {
        List<ObjectNode> parts = alternatives.valueStream().map(this::merged).toList();
        Set<String> types = new TreeSet<>();
        parts.forEach(part -> types.addAll(types(part)));
        ArrayNode named = made.putArray("type");
        types.forEach(named::add);
        if (types.equals(Set.of("object"))) {
            ObjectNode properties = made.putObject("properties");
            ArrayNode required = made.putArray("anyOf");
            for (ObjectNode part : parts) {
                properties.setAll((ObjectNode) part.get("properties"));
                required.addObject().set("required", part.get("required"));
            }
        }
    }
}
