// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.PlainText;
import io.redliner.controller.plan.PlanProblem;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of one object, one after another; whatever is left at the end is unknown, and a mistake. A value
 * that cannot be used is reported and becomes null or the default, so that the rest can still be checked.
 */
public final class NodeReader {

    private static final int MAX_QUOTED_LENGTH = 100;

    private final YamlNode.Fields object;

    private final ValidationErrors errors;

    private final Set<String> known = new LinkedHashSet<>();

    private NodeReader(YamlNode.Fields object, ValidationErrors errors) {
        this.object = object;
        this.errors = errors;
    }

    /** Returns the reader of an object; anything else is reported and read as an empty object. */
    public static NodeReader of(YamlNode value, ValidationErrors errors) {
        if (value instanceof YamlNode.Fields fields) {
            return new NodeReader(fields, errors);
        }
        errors.add(value, "must be an object, not " + value.kind());
        return new NodeReader(new YamlNode.Fields(value.location(), Map.of()),
                new ValidationErrors());
    }

    /** Returns the field's value; null when the field is absent or empty. */
    @Nullable
    public YamlNode optional(String name) {
        known.add(name);
        YamlNode.Field field = object.fields().get(name);
        if (field == null) {
            return null;
        }
        if (field.value() instanceof YamlNode.Nothing) {
            errors.add(PlanProblem.at(field.value().path(), field.line(), field.column(), "has no value"));
            return null;
        }
        return field.value();
    }

    /** Returns true when the object has the field, with or without a value. */
    public boolean has(String name) {
        return object.fields().containsKey(name);
    }

    /** Returns the field's value; its absence is a mistake of the object. */
    @Nullable
    public YamlNode required(String name) {
        YamlNode value = optional(name);
        if (!object.fields().containsKey(name)) {
            errors.add(
                    PlanProblem.at(object.path() + "." + name, object.line(), object.column(),
                            "is required and missing"));
        }
        return value;
    }

    /** Returns the object in a required field. */
    @Nullable
    public NodeReader requiredObject(String name) {
        YamlNode value = required(name);
        return value == null ? null : of(value, errors);
    }

    /** Returns the object in an optional field. */
    @Nullable
    public NodeReader optionalObject(String name) {
        YamlNode value = optional(name);
        return value == null ? null : of(value, errors);
    }

    /** Returns a required scalar, converted. The conversion's message is reported at the value's location. */
    public <T> @Nullable T required(String name, Function<String, T> conversion) {
        YamlNode value = required(name);
        return value == null ? null : convert(value, conversion);
    }

    /** Returns a single value or the default. */
    public <T> T optional(String name, Function<String, T> conversion, T otherwise) {
        YamlNode value = optional(name);
        T converted = value == null ? null : convert(value, conversion);
        return converted == null ? otherwise : converted;
    }

    /** Returns {@code true} or {@code false}, or the default. */
    public boolean optional(String name, boolean otherwise) {
        return optional(name, NodeReader::parseBoolean, otherwise);
    }

    private static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    /** Returns an optional scalar; null when it is absent. */
    public <T> @Nullable T optionalIfAny(String name, Function<String, T> conversion) {
        YamlNode value = optional(name);
        return value == null ? null : convert(value, conversion);
    }

    /** Returns the items of an optional list; empty when it is absent. */
    public List<YamlNode> list(String name, boolean required) {
        YamlNode value = required ? required(name) : optional(name);
        if (value instanceof YamlNode.Items items) {
            return items.items();
        }
        if (value != null) {
            errors.add(value, "must be a list, not " + value.kind());
        }
        return List.of();
    }

    /** Reads all fields as texts of one line, for labels. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, YamlNode.Field> field : object.fields().entrySet()) {
            known.add(field.getKey());
            String text = convert(field.getValue().value(), PlainText::requireLine);
            if (text != null) {
                texts.put(field.getKey(), text);
            }
        }
        return texts;
    }

    /** Reports every field that was not read. */
    public void rejectOthers() {
        for (Map.Entry<String, YamlNode.Field> field : object.fields().entrySet()) {
            if (!known.contains(field.getKey())) {
                errors.add(() -> PlanProblem.at(object.path() + "." + field.getKey(), field.getValue().line(),
                        field.getValue().column(),
                        "is unknown here; known are " + String.join(", ", known) + hint(field.getKey())));
            }
        }
    }

    private String hint(String name) {
        return name.equals("true") && known.contains("on")
                ? "; programs of YAML 1.1 make true of the name on when it has no quotes: write \"on\""
                : "";
    }

    /** Returns the object, for mistakes in the whole of it. */
    public YamlNode.Fields object() {
        return object;
    }

    public <T> @Nullable T convert(YamlNode value, Function<String, T> conversion) {
        if (!(value instanceof YamlNode.Scalar scalar)) {
            errors.add(value, "must be a single value, not " + value.kind());
            return null;
        }
        try {
            return conversion.apply(scalar.text());
        } catch (IllegalArgumentException invalid) {
            errors.add(value, "'" + shortened(scalar.text()) + "' " + invalid.getMessage());
            return null;
        }
    }

    private static String shortened(String text) {
        return text.length() > MAX_QUOTED_LENGTH ? text.substring(0, MAX_QUOTED_LENGTH) + "…" : text;
    }
}
