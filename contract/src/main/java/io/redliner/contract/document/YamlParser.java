// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import io.redliner.contract.text.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** Reads a YAML or JSON document into {@link YamlNode} values. Anchors and repeated fields are mistakes. */
public final class YamlParser {

    /** Maximum depth of nesting. No plan needs more; a deeper document is an attack or an accident. */
    private static final int MAX_DEPTH = 20;

    /** Maximum length of a field's name, in characters. */
    public static final int MAX_NAME_LENGTH = 256;

    /** Maximum number of objects, lists and scalars in one text that is no file. */
    static final int MAX_VALUES = 20_000;

    /** Kinds of texts: which are JSON, and how large they may be. A file of the operator's has a thousand services. */
    private enum Kind {

        BODY("\\s*\\{", 256, MAX_VALUES), PLANS("\\s*\\{\\s*[\"}]", 256, MAX_VALUES), FILE("(?!)", 3 * 1024, 300_000);

        private final Pattern jsonStart;

        private final int maxKibibytes;

        private final int maxValues;

        Kind(String jsonStart, int maxKibibytes, int maxValues) {
            this.jsonStart = Pattern.compile(jsonStart);
            this.maxKibibytes = maxKibibytes;
            this.maxValues = maxValues;
        }
    }

    private static final TokenStreamFactory YAML = new YAMLFactory();

    private static final TokenStreamFactory JSON = new JsonFactory();

    private final JsonParser parser;

    private final int maxValues;

    private int values;

    private YamlParser(JsonParser parser, int maxValues) {
        this.parser = parser;
        this.maxValues = maxValues;
    }

    /** Reads one document. A text that starts with a brace is JSON, every other text is YAML. */
    public static YamlNode read(String text) throws InvalidDocumentException {
        return only(readAll(text, Kind.BODY));
    }

    /**
     * Reads one plan. A text in braces is YAML when its first name has no quotes, because some programs write YAML in this style.
     */
    public static YamlNode readPlan(String text) throws InvalidDocumentException {
        return only(readPlans(text));
    }

    /** Reads any number of plans from one text; empty documents are left out. */
    public static List<YamlNode> readPlans(String text) throws InvalidDocumentException {
        return readAll(text, Kind.PLANS);
    }

    /** Reads a file with one document, which is YAML and up to 3 MiB long. */
    public static YamlNode readFile(String text) throws InvalidDocumentException {
        return only(readAll(text, Kind.FILE));
    }

    private static YamlNode only(List<YamlNode> documents) throws InvalidDocumentException {
        if (documents.isEmpty()) {
            throw problem("$", 1, 1, "the document is empty");
        }
        if (documents.size() > 1) {
            throw problem("$", documents.get(1).line(), documents.get(1).column(),
                    "there is more than one document here");
        }
        return documents.getFirst();
    }

    private static List<YamlNode> readAll(String text, Kind kind) throws InvalidDocumentException {
        if (text.length() > kind.maxKibibytes * 1024) {
            throw problem("$", 1, 1, "the document is longer than " + kind.maxKibibytes + " KiB");
        }
        boolean json = kind.jsonStart.matcher(text).lookingAt();
        try (JsonParser parser = (json ? JSON : YAML).createParser(ObjectReadContext.empty(), text)) {
            YamlParser reader = new YamlParser(parser, kind.maxValues);
            List<YamlNode> documents = new ArrayList<>();
            while (parser.nextToken() != null) {
                YamlNode document = reader.value(null, "$", 0);
                if (!(document instanceof YamlNode.Nothing) || json) {
                    documents.add(document);
                }
            }
            return documents;
        } catch (JacksonException failure) {
            throw unreadable(failure, text);
        }
    }

    private static InvalidDocumentException unreadable(JacksonException failure, String text) {
        String message = failure.getOriginalMessage();
        TokenStreamLocation at = failure.getLocation();
        YamlMistake mistake = YamlMistake.in(message, text).orElseGet(() -> new YamlMistake(
                at == null ? 1 : Math.max(1, at.getLineNr()), at == null ? 1 : Math.max(1, at.getColumnNr()),
                firstLine(message)));
        return unreadable(mistake);
    }

    private static InvalidDocumentException unreadable(YamlMistake mistake) {
        return problem("$", mistake.line(), mistake.column(), "cannot be read: " + mistake.problem());
    }

    private YamlNode value(YamlNode.@Nullable Location parent, String step, int depth) throws InvalidDocumentException {
        TokenStreamLocation at = parser.currentTokenLocation();
        var location = new YamlNode.Location(parent, step, at.getLineNr(), at.getColumnNr());
        if (depth > MAX_DEPTH) {
            throw problem(location, "is nested too deeply: there may be " + MAX_DEPTH + " levels");
        }
        values++;
        if (values > maxValues) {
            throw problem(location, "is one value too many: the document has more than " + maxValues + " values");
        }
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw problem(location, "anchors and aliases are not understood; write the value out");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return new YamlNode.Fields(location, fields(location, depth));
        }
        if (token == JsonToken.START_ARRAY) {
            return new YamlNode.Items(location, items(location, depth));
        }
        if (token == JsonToken.VALUE_NULL) {
            return new YamlNode.Nothing(location);
        }
        String text = parser.getString();
        requirePlain(text, PlainText::requireLines, location, "");
        return new YamlNode.Scalar(location, text);
    }

    private Map<String, YamlNode.Field> fields(YamlNode.Location object, int depth) throws InvalidDocumentException {
        Map<String, YamlNode.Field> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            TokenStreamLocation at = parser.currentTokenLocation();
            if (name.length() > MAX_NAME_LENGTH) {
                throw problem(object.path(), at.getLineNr(), at.getColumnNr(),
                        "has a field whose name is longer than " + MAX_NAME_LENGTH + " characters");
            }
            if (parser instanceof YAMLParser) {
                Optional<YamlMistake> indentation = YamlMistake.inName(name, at.getLineNr(), at.getColumnNr());
                if (indentation.isPresent()) {
                    throw unreadable(indentation.get());
                }
            }
            requirePlain(name, PlainText::requireLine,
                    new YamlNode.Location(object.parent(), object.step(), at.getLineNr(), at.getColumnNr()),
                    "has a field whose name ");
            if (fields.containsKey(name)) {
                throw problem(object.field(name, at.getLineNr(), at.getColumnNr()), "is given twice");
            }
            parser.nextToken();
            fields.put(name, new YamlNode.Field(at.getLineNr(), at.getColumnNr(),
                    value(object, "." + name, depth + 1)));
        }
        return fields;
    }

    private List<YamlNode> items(YamlNode.Location list, int depth) throws InvalidDocumentException {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(list, "[" + items.size() + "]", depth + 1));
        }
        return items;
    }

    /** Rejects characters that the database cannot store or that people cannot see. */
    private static void requirePlain(String text, Consumer<String> require, YamlNode.Location at, String before)
            throws InvalidDocumentException {
        try {
            require.accept(text);
        } catch (IllegalArgumentException invalid) {
            throw problem(at, before + invalid.getMessage());
        }
    }

    private static InvalidDocumentException problem(YamlNode.Location at, String message) {
        return problem(at.path(), at.line(), at.column(), message);
    }

    private static InvalidDocumentException problem(String path, int line, int column, String message) {
        return new InvalidDocumentException(List.of(DocumentProblem.at(path, line, column, message)));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("malformed");
    }
}
