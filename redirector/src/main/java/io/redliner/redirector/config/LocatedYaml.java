// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import io.redliner.contract.text.YamlMistake;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** YAML as a tree in which every node knows its line and column, so that every error message can name them. */
final class LocatedYaml {

    sealed interface Node {

        int line();

        int column();
    }

    record Scalar(String text, int line, int column) implements Node {}

    record Sequence(List<Node> items, int line, int column) implements Node {}

    record Mapping(Map<Scalar, Node> entries, int line, int column) implements Node {}

    private final String file;

    LocatedYaml(String file) {
        this.file = file;
    }

    Node read(String yaml) {
        try (JsonParser parser = new YAMLFactory().createParser(ObjectReadContext.empty(), yaml)) {
            if (parser.nextToken() == null) {
                throw fault(1, 1, "the file is empty, expected 'services:'", null);
            }
            Node root = node(parser);
            if (parser.nextToken() != null) {
                TokenStreamLocation at = parser.currentTokenLocation();
                throw fault(at.getLineNr(), at.getColumnNr(), "a second document: the file has exactly one", null);
            }
            return root;
        } catch (JacksonException unreadable) {
            String message = unreadable.getOriginalMessage().strip();
            TokenStreamLocation at = unreadable.getLocation();
            YamlMistake mistake = YamlMistake.in(message, yaml).orElseGet(() -> new YamlMistake(
                    at == null ? 0 : at.getLineNr(), at == null ? 0 : at.getColumnNr(), message));
            throw fault(mistake);
        }
    }

    private InvalidServicesFileException fault(YamlMistake mistake) {
        return fault(mistake.line(), mistake.column(), "not YAML: " + mistake.problem(), null);
    }

    private Node node(JsonParser parser) {
        TokenStreamLocation at = parser.currentTokenLocation();
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return mapping(parser, at);
        }
        if (token == JsonToken.START_ARRAY) {
            List<Node> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(node(parser));
            }
            return new Sequence(List.copyOf(items), at.getLineNr(), at.getColumnNr());
        }
        return new Scalar(token == JsonToken.VALUE_NULL ? "" : parser.getString(), at.getLineNr(), at.getColumnNr());
    }

    private Mapping mapping(JsonParser parser, TokenStreamLocation start) {
        Map<Scalar, Node> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            TokenStreamLocation at = parser.currentTokenLocation();
            Scalar key = new Scalar(parser.currentName(), at.getLineNr(), at.getColumnNr());
            Optional<YamlMistake> indentation = YamlMistake.inName(key.text(), key.line(), key.column());
            if (indentation.isPresent()) {
                throw fault(indentation.get());
            }
            if (entries.keySet().stream().anyMatch(known -> known.text().equals(key.text()))) {
                throw fault(key.line(), key.column(), "field '" + key.text() + "' is given twice", null);
            }
            parser.nextToken();
            entries.put(key, node(parser));
        }
        return new Mapping(entries, start.getLineNr(), start.getColumnNr());
    }

    Mapping mapping(Node node, String field, List<String> fields) {
        if (!(node instanceof Mapping mapping)) {
            throw fault(node, "expected " + field + " with the fields " + fields);
        }
        for (Scalar key : mapping.entries().keySet()) {
            if (!fields.contains(key.text())) {
                throw fault(key, "unknown field '" + key.text() + "' in " + field + ", known are " + fields);
            }
        }
        return mapping;
    }

    /** Fields of any name. */
    Map<Scalar, Node> entries(Node node, String field) {
        if (node instanceof Mapping mapping) {
            return mapping.entries();
        }
        throw fault(node, "expected " + field + " as fields with values");
    }

    Sequence sequence(Node node, String field) {
        if (node instanceof Sequence sequence) {
            return sequence;
        }
        throw fault(node, "expected a list of " + field);
    }

    Node required(Mapping mapping, String field, String place) {
        return optional(mapping, field).orElseThrow(() -> fault(mapping, place + " needs the field '" + field + "'"));
    }

    Optional<Node> optional(Mapping mapping, String field) {
        return key(mapping, field).map(key -> Objects.requireNonNull(mapping.entries().get(key)));
    }

    /** Returns the name of the field, where it is written, or empty. */
    Optional<Scalar> key(Mapping mapping, String field) {
        return mapping.entries().keySet().stream().filter(key -> key.text().equals(field)).findFirst();
    }

    <T> T scalar(Node node, String field, Function<String, T> reader) {
        if (!(node instanceof Scalar scalar)) {
            throw fault(node, "expected " + field);
        }
        return at(node, () -> reader.apply(scalar.text()));
    }

    /** Returns a text that is not blank. */
    String text(Node node, String field) {
        return scalar(node, field, text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("expected " + field + ", and there is nothing");
            }
            return text;
        });
    }

    /** Digits only: a unit or a fraction is refused. */
    int wholeNumber(Node node, String field) {
        return scalar(node, field, LocatedYaml::wholeNumber);
    }

    static int wholeNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notWhole) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number without a unit", notWhole);
        }
    }

    /** Calls the maker, and adds the line and column of the node to its {@link IllegalArgumentException}. */
    <T> T at(Node node, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException refused) {
            throw fault(node.line(), node.column(), String.valueOf(refused.getMessage()), refused);
        }
    }

    InvalidServicesFileException fault(Node node, String problem) {
        return fault(node.line(), node.column(), problem, null);
    }

    private InvalidServicesFileException fault(int line, int column, String problem,
            @Nullable Throwable cause) {
        return new InvalidServicesFileException(file, line, column, problem, cause);
    }
}
