// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Compares answers with the schemas of the document, as far as those go: a keyword that is not known here is a mistake. */
final class AnswerSchema {

    private static final Set<String> KNOWN = Set.of("$ref", "type", "description", "enum", "const", "properties",
            "required", "additionalProperties", "items", "anyOf", "format", "minimum", "maximum", "minLength",
            "maxLength",
            "pattern", "examples");

    private final JsonNode document;

    private final List<String> mistakes = new ArrayList<>();

    AnswerSchema(JsonNode document) {
        this.document = document;
    }

    /** What is wrong with an answer, each with its JSON path. */
    List<String> mistakes(JsonNode schema, JsonNode value) {
        mistakes.clear();
        check("$", schema, value);
        return List.copyOf(mistakes);
    }

    private void check(String path, JsonNode schema, JsonNode value) {
        schema.propertyNames().stream().filter(keyword -> !KNOWN.contains(keyword))
                .forEach(keyword -> mistakes.add(path + ": nobody checks " + keyword));
        if (schema.has("$ref")) {
            check(path, document.at(schema.get("$ref").asString().substring(1)), value);
        }
        if (schema.has("anyOf") && schema.get("anyOf").valueStream().noneMatch(one -> new AnswerSchema(document)
                .mistakes(one, value).isEmpty())) {
            mistakes.add(path + ": is none of what it may be: " + value);
        }
        if (schema.has("enum") && schema.get("enum").valueStream().noneMatch(value::equals)) {
            mistakes.add(path + ": " + value + " is not one of " + schema.get("enum"));
        }
        if (schema.has("type") && !fits(schema.get("type"), value)) {
            mistakes.add(path + ": " + value + " is no " + schema.get("type"));
        }
        if (schema.path("format").asString("").equals("date-time") && !isInstant(value)) {
            mistakes.add(path + ": " + value + " is no time");
        }
        if (value.isObject()) {
            object(path, schema, value);
        }
        for (int number = 0; value.isArray() && schema.has("items") && number < value.size(); number++) {
            check(path + "[" + number + "]", schema.get("items"), value.get(number));
        }
    }

    private void object(String path, JsonNode schema, JsonNode value) {
        schema.path("required").forEach(name -> {
            if (!value.has(name.asString())) {
                mistakes.add(path + ": " + name + " is missing");
            }
        });
        boolean closed = schema.path("additionalProperties").isBoolean()
                && !schema.get("additionalProperties").asBoolean();
        value.forEachEntry((name, member) -> {
            JsonNode known = schema.path("properties").path(name);
            if (!known.isMissingNode()) {
                check(path + "." + name, known, member);
            } else if (closed) {
                mistakes.add(path + ": nobody said that there is " + name);
            }
        });
    }

    private static boolean fits(JsonNode types, JsonNode value) {
        return types.isArray()
                ? types.valueStream().anyMatch(type -> fits(type, value))
                : switch (types.asString()) {
                    case "object" -> value.isObject();
                    case "array" -> value.isArray();
                    case "string" -> value.isString();
                    case "boolean" -> value.isBoolean();
                    case "number" -> value.isNumber();
                    case "integer" -> value.isIntegralNumber();
                    case "null" -> value.isNull();
                    default -> false;
                };
    }

    private static boolean isInstant(JsonNode value) {
        try {
            return !Instant.parse(value.asString("")).isBefore(Instant.EPOCH);
        } catch (DateTimeException none) {
            return false;
        }
    }
}
