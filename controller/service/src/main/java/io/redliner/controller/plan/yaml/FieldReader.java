// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.NumberText;
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
final class FieldReader {

    private final Located.Fields object;

    private final Problems problems;

    private final Set<String> known = new LinkedHashSet<>();

    private FieldReader(Located.Fields object, Problems problems) {
        this.object = object;
        this.problems = problems;
    }

    /** The reader of an object; anything else is reported and read as an empty object. */
    static FieldReader of(Located value, Problems problems) {
        if (value instanceof Located.Fields fields) {
            return new FieldReader(fields, problems);
        }
        problems.add(value, "must be an object, not " + value.kind());
        return new FieldReader(new Located.Fields(value.path(), value.line(), value.column(), Map.of()),
                new Problems());
    }

    /** The field's value if it is there and has one. */
    @Nullable
    Located optional(String name) {
        known.add(name);
        Located.Field field = object.fields().get(name);
        if (field == null) {
            return null;
        }
        if (field.value() instanceof Located.Nothing) {
            problems.add(PlanProblem.at(field.value().path(), field.line(), field.column(), "has no value"));
            return null;
        }
        return field.value();
    }

    /** Whether the field is there, with or without a value. */
    boolean has(String name) {
        return object.fields().containsKey(name);
    }

    /** The field's value; its absence is a mistake of the object. */
    @Nullable
    Located required(String name) {
        Located value = optional(name);
        if (!object.fields().containsKey(name)) {
            problems.add(
                    PlanProblem.at(object.path() + "." + name, object.line(), object.column(),
                            "is required and missing"));
        }
        return value;
    }

    /** The object in a field that must be there. */
    @Nullable
    FieldReader requiredObject(String name) {
        Located value = required(name);
        return value == null ? null : of(value, problems);
    }

    /** The object in a field that may be there. */
    @Nullable
    FieldReader optionalObject(String name) {
        Located value = optional(name);
        return value == null ? null : of(value, problems);
    }

    /** A single value that must be there, converted; the conversion's message is reported at the value. */
    <T> @Nullable T required(String name, Function<String, T> conversion) {
        Located value = required(name);
        return value == null ? null : convert(value, conversion);
    }

    /** A single value or the default. */
    <T> T optional(String name, Function<String, T> conversion, T otherwise) {
        Located value = optional(name);
        T converted = value == null ? null : convert(value, conversion);
        return converted == null ? otherwise : converted;
    }

    /** A single value, or null when it is not there. */
    <T> @Nullable T optionalIfAny(String name, Function<String, T> conversion) {
        Located value = optional(name);
        return value == null ? null : convert(value, conversion);
    }

    /** A whole number as it is written. */
    static long wholeNumber(String text) {
        return NumberText.parseWhole(text);
    }

    /** A whole number of at most 32 bits as it is written. */
    static int integer(String text) {
        long number = NumberText.parseWhole(text);
        if (number != (int) number) {
            throw new IllegalArgumentException("is no whole number of at most 32 bits");
        }
        return (int) number;
    }

    /** The items of a list, empty when it is not there. */
    List<Located> list(String name, boolean required) {
        Located value = required ? required(name) : optional(name);
        if (value instanceof Located.Items items) {
            return items.items();
        }
        if (value != null) {
            problems.add(value, "must be a list, not " + value.kind());
        }
        return List.of();
    }

    /** All fields as texts: for labels. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, Located.Field> field : object.fields().entrySet()) {
            known.add(field.getKey());
            String text = convert(field.getValue().value(), Function.identity());
            if (text != null) {
                texts.put(field.getKey(), text);
            }
        }
        return texts;
    }

    /** Reports every field that nobody asked for. */
    void rejectOthers() {
        for (Map.Entry<String, Located.Field> field : object.fields().entrySet()) {
            if (!known.contains(field.getKey())) {
                problems.add(PlanProblem.at(object.path() + "." + field.getKey(), field.getValue().line(),
                        field.getValue().column(), "is unknown here; known are " + String.join(", ", known)));
            }
        }
    }

    /** The object itself, for mistakes of it as a whole. */
    Located.Fields object() {
        return object;
    }

    <T> @Nullable T convert(Located value, Function<String, T> conversion) {
        if (!(value instanceof Located.Scalar scalar)) {
            problems.add(value, "must be a single value, not " + value.kind());
            return null;
        }
        try {
            return conversion.apply(scalar.text());
        } catch (IllegalArgumentException invalid) {
            problems.add(value, "'" + scalar.text() + "' " + invalid.getMessage());
            return null;
        }
    }
}
