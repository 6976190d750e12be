// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import io.redliner.contract.text.PlainText;
import io.redliner.contract.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of one object, one after another; whatever is left at the end is unknown, and a mistake. A value
 * that cannot be used is reported and becomes null or the default, so that the rest can still be checked.
 */
public final class NodeReader {

    private static final int MAX_QUOTED_LENGTH = 100;

    /** Reader of the object around this one; null of the document, and of what is read although it is missing. */
    private final @Nullable NodeReader parentReader;

    private final YamlNode.Fields object;

    private final ValidationErrors errors;

    /** False when the messages of conversions name the value themselves. */
    private final boolean quoting;

    private final Set<String> known = new LinkedHashSet<>();

    private final List<NodeReader> within = new ArrayList<>();

    private boolean sound = true;

    private boolean complete;

    private NodeReader(@Nullable NodeReader parentReader, YamlNode.Fields object, ValidationErrors errors,
            boolean quoting) {
        this.parentReader = parentReader;
        this.object = object;
        this.errors = errors;
        this.quoting = quoting;
    }

    /**
     * Reads a document. Fields that the function did not ask for are mistakes.
     *
     * @param reading returns null only when it has reported a mistake
     * @throws InvalidDocumentException with all mistakes
     */
    public static <T> T read(YamlNode document, Function<NodeReader, @Nullable T> reading)
            throws InvalidDocumentException {
        return read(document, true, true, reading);
    }

    /** Reads a document like {@link #read}; the messages of conversions name the value themselves. */
    public static <T> T readUnquoted(YamlNode document, Function<NodeReader, @Nullable T> reading)
            throws InvalidDocumentException {
        return read(document, false, true, reading);
    }

    /** Reads a part of a document like {@link #read}, without a look at its other fields. */
    public static <T> T readPart(YamlNode document, Function<NodeReader, @Nullable T> reading)
            throws InvalidDocumentException {
        return read(document, true, false, reading);
    }

    private static <T> T read(YamlNode document, boolean quoting, boolean whole,
            Function<NodeReader, @Nullable T> reading) throws InvalidDocumentException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader root = of(null, document, errors, quoting);
        T value = reading.apply(root);
        if (whole) {
            root.complete();
        }
        errors.throwIfAny();
        return Objects.requireNonNull(value, "a value is missing, and no mistake was reported");
    }

    /** Returns the reader of an object; anything else is reported and read as an empty object without mistakes. */
    private static NodeReader of(@Nullable NodeReader parentReader, YamlNode value, ValidationErrors errors,
            boolean quoting) {
        if (value instanceof YamlNode.Fields fields) {
            return new NodeReader(parentReader, fields, errors, quoting);
        }
        var nothing = new NodeReader(parentReader, new YamlNode.Fields(value.location(), Map.of()), errors, quoting);
        nothing.mistake("must be an object, not " + value.kind());
        return new NodeReader(null, nothing.object, new ValidationErrors(), quoting);
    }

    /** Returns the reader of an object in this one. */
    public NodeReader object(YamlNode value) {
        NodeReader reader = of(this, value, errors, quoting);
        within.add(reader);
        return reader;
    }

    /** Returns the reader of the object in an optional field; when the field is absent, of an empty object. */
    public NodeReader object(String name) {
        return object(name, optional(name), !has(name));
    }

    /** Reads the object in an optional field; null when the field is absent. */
    public <T> @Nullable T optionalObject(String name, Function<NodeReader, @Nullable T> reading) {
        NodeReader reader = object(name);
        return has(name) ? reading.apply(reader) : null;
    }

    /** Returns the reader of the object in a required field. */
    public NodeReader requiredObject(String name) {
        return object(name, required(name), false);
    }

    private NodeReader object(String name, @Nullable YamlNode value, boolean mayBeAbsent) {
        if (value != null) {
            return object(value);
        }
        var empty = new YamlNode.Fields(object.location().field(name, object.line(), object.column()), Map.of());
        return mayBeAbsent ? object(empty) : new NodeReader(null, empty, new ValidationErrors(), quoting);
    }

    /** Returns the field's value; null when the field is absent or empty. */
    @Nullable
    public YamlNode optional(String name) {
        boolean first = known.add(name);
        YamlNode.Field field = object.fields().get(name);
        if (field == null || !(field.value() instanceof YamlNode.Nothing)) {
            return field == null ? null : field.value();
        }
        if (first) {
            refuse(name, "has no value");
        }
        return null;
    }

    /** Returns true when the object has the field, with or without a value. */
    public boolean has(String name) {
        return object.fields().containsKey(name);
    }

    /** Returns the field's value; its absence is a mistake of the object. */
    @Nullable
    public YamlNode required(String name) {
        YamlNode value = optional(name);
        if (!has(name)) {
            refuse(name, "is required and missing");
        }
        return value;
    }

    /** Returns a single value that is required; null after a mistake. */
    public <T> @Nullable T required(String name, Function<String, T> conversion) {
        YamlNode value = required(name);
        return value == null ? null : convert(value, conversion);
    }

    /** Returns a single value or the default. */
    public <T> T optional(String name, Function<String, T> conversion, T otherwise) {
        T converted = optional(name, conversion);
        return converted == null ? otherwise : converted;
    }

    /** Returns {@code true} or {@code false}, or the default. */
    public boolean optional(String name, boolean otherwise) {
        return optional(name, NodeReader::parseBoolean, otherwise);
    }

    /** Returns a single value; null when it is absent. */
    public <T> @Nullable T optional(String name, Function<String, T> conversion) {
        YamlNode value = optional(name);
        return value == null ? null : convert(value, conversion);
    }

    /** Returns a single value that messages do not repeat; null when it is absent. */
    public <T> @Nullable T optionalSecret(String name, Function<String, T> conversion) {
        YamlNode value = optional(name);
        return value == null ? null : convert(value, conversion, false);
    }

    /** Returns the single values of those fields of the kinds that are given, in the order of the kinds. */
    public <K, T> List<T> optional(K[] kinds, Function<K, String> name, BiFunction<K, String, T> conversion) {
        List<T> values = new ArrayList<>();
        for (K kind : kinds) {
            T value = optional(name.apply(kind), text -> conversion.apply(kind, text));
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    /** Returns the items of a list; empty when an optional one is absent. */
    public List<YamlNode> list(String name, boolean required) {
        YamlNode value = required ? required(name) : optional(name);
        if (value instanceof YamlNode.Items items) {
            return items.items();
        }
        if (value != null) {
            mistake(value, "must be a list, not " + value.kind());
        }
        return List.of();
    }

    /**
     * Returns the items of an optional list; empty when it is absent or too long.
     *
     * @param tooMany reported at the first item that is too many
     */
    public List<YamlNode> list(String name, int maxSize, String tooMany) {
        List<YamlNode> items = list(name, false);
        if (items.size() > maxSize) {
            mistake(items.get(maxSize), tooMany);
            return List.of();
        }
        return items;
    }

    /** Returns the single values of a list without those that cannot be used. */
    public <T> List<T> convert(List<YamlNode> items, Function<String, T> conversion) {
        List<T> values = new ArrayList<>();
        for (YamlNode item : items) {
            T value = convert(item, conversion);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    /** Reads each object of a list; returns the values without nulls. */
    public <T> List<T> read(List<YamlNode> items, Function<NodeReader, @Nullable T> reading) {
        List<T> values = new ArrayList<>();
        for (YamlNode item : items) {
            T value = reading.apply(object(item));
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    /** Reads all fields, whatever their names, as single values. */
    public <T> Map<String, T> entries(Function<String, T> conversion) {
        Map<String, T> entries = new LinkedHashMap<>();
        for (String name : object.fields().keySet()) {
            YamlNode.Field field = Objects.requireNonNull(object.fields().get(name));
            known.add(name);
            T value = convert(field.value(), conversion);
            if (value != null) {
                entries.put(name, value);
            }
        }
        return entries;
    }

    /** Returns a single value within the object; null when it cannot be used. */
    public <T> @Nullable T convert(YamlNode value, Function<String, T> conversion) {
        return convert(value, conversion, quoting);
    }

    private <T> @Nullable T convert(YamlNode value, Function<String, T> conversion, boolean quoted) {
        if (!(value instanceof YamlNode.Scalar scalar)) {
            mistake(value, "must be a single value, not " + value.kind());
            return null;
        }
        String quote = quoted ? "'" + PlainText.shortened(scalar.text(), MAX_QUOTED_LENGTH) + "' " : "";
        return attempt(value, quote, () -> conversion.apply(scalar.text()));
    }

    /** Makes a value of the object's fields; null when they have mistakes, or when the maker rejects them. */
    public <T> @Nullable T make(Supplier<T> maker) {
        return complete() ? attempt(object, "", maker) : null;
    }

    /** Makes a value whose rejection is a mistake of a field's value, or of the object when the field is absent. */
    public <T> @Nullable T attempt(String name, Supplier<T> maker) {
        YamlNode.Field field = object.fields().get(name);
        return attempt(field == null ? object : field.value(), "", maker);
    }

    /** Makes a value whose rejection is a mistake of the object; other mistakes do not matter. */
    public <T> @Nullable T attempt(Supplier<T> maker) {
        return attempt(object, "", maker);
    }

    private <T> @Nullable T attempt(YamlNode at, String before, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException invalid) {
            mistake(at, before + invalid.getMessage());
            return null;
        }
    }

    /** Returns whether no mistake was found so far in the object and within it. */
    public boolean sound() {
        return sound;
    }

    /** Reports every field that was not read, in the object and within it; returns whether it has no mistake. */
    public boolean complete() {
        if (!complete) {
            complete = true;
            within.forEach(NodeReader::complete);
            object.fields().keySet().stream().filter(name -> !known.contains(name)).forEach(name -> refuse(name,
                    () -> "is unknown here; known are " + String.join(", ", known) + hint(name)));
        }
        return sound;
    }

    private String hint(String name) {
        return name.equals("true") && known.contains("on")
                ? "; programs of YAML 1.1 make true of the name on when it has no quotes: write \"on\""
                : Spelling.nearest(name, known.stream()).map(near -> "; did you mean " + near + "?").orElse("");
    }

    /** Reports a mistake of the whole object. */
    public void mistake(String message) {
        mistake(object, message);
    }

    /** Reports a mistake of a field's value; the place is that of the object when the field is absent. */
    public void mistake(String name, String message) {
        known.add(name);
        YamlNode.Field field = object.fields().get(name);
        YamlNode at = field == null ? object : field.value();
        report(() -> DocumentProblem.at(object.path() + "." + name, at.line(), at.column(), message));
    }

    /** Reports a mistake of a value within the object. */
    public void mistake(YamlNode at, String message) {
        report(() -> DocumentProblem.at(at.path(), at.line(), at.column(), message));
    }

    /** Reports a field that may not be here, at its name; the place is that of the object when it is absent. */
    public void refuse(String name, String message) {
        refuse(name, () -> message);
    }

    private void refuse(String name, Supplier<String> message) {
        YamlNode.Field field = object.fields().get(name);
        report(() -> DocumentProblem.at(object.path() + "." + name, field == null ? object.line() : field.line(),
                field == null ? object.column() : field.column(), message.get()));
    }

    /** Reports a mistake that is only described when it is among the first. */
    public void report(Supplier<DocumentProblem> problem) {
        for (NodeReader reader = this; reader != null; reader = reader.parentReader) {
            reader.sound = false;
        }
        errors.add(problem);
    }
}
