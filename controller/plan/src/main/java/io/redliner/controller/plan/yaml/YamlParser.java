// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.PlanProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** Reads a YAML or JSON document into {@link YamlNode} values. Anchors, and a field given twice, are mistakes. */
public final class YamlParser {

    /** No plan needs more; deeper nesting is an attack or an accident. */
    private static final int DEEPEST = 20;

    private static final int LONGEST = 256 * 1024;

    /** The one character that the database cannot hold. */
    private static final char NUL = 0;

    private static final TokenStreamFactory YAML = new YAMLFactory();

    private static final TokenStreamFactory JSON = new JsonFactory();

    private final JsonParser parser;

    private YamlParser(JsonParser parser) {
        this.parser = parser;
    }

    /** Text that starts with a brace is JSON, everything else is YAML. */
    public static YamlNode read(String text) throws InvalidPlanException {
        List<YamlNode> documents = readAll(text);
        if (documents.isEmpty()) {
            throw problem("$", 1, 1, "the document is empty");
        }
        if (documents.size() > 1) {
            throw problem("$", documents.get(1).line(), documents.get(1).column(),
                    "there is more than one document here");
        }
        return documents.getFirst();
    }

    /** The same with any number of documents; those without anything in them are left out. */
    public static List<YamlNode> readAll(String text) throws InvalidPlanException {
        if (text.length() > LONGEST) {
            throw problem("$", 1, 1, "the document is longer than " + LONGEST / 1024 + " KiB");
        }
        boolean json = text.stripLeading().startsWith("{");
        try (JsonParser parser = (json ? JSON : YAML).createParser(ObjectReadContext.empty(), text)) {
            YamlParser reader = new YamlParser(parser);
            List<YamlNode> documents = new ArrayList<>();
            while (parser.nextToken() != null) {
                YamlNode document = reader.value("$", 0);
                if (!(document instanceof YamlNode.Nothing) || json) {
                    documents.add(document);
                }
            }
            return documents;
        } catch (JacksonException failure) {
            TokenStreamLocation at = failure.getLocation();
            throw problem("$", at == null ? 1 : Math.max(1, at.getLineNr()), at == null
                    ? 1
                    : Math.max(1, at.getColumnNr()), "cannot be read: " + firstLine(failure.getOriginalMessage()));
        }
    }

    private YamlNode value(String path, int depth) throws InvalidPlanException {
        if (depth > DEEPEST) {
            throw problem(path, "is nested too deeply");
        }
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getObjectId() != null)) {
            throw problem(path, "anchors and aliases are not understood; write the value out");
        }
        TokenStreamLocation at = parser.currentTokenLocation();
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return new YamlNode.Fields(path, at.getLineNr(), at.getColumnNr(), fields(path, depth));
        }
        if (token == JsonToken.START_ARRAY) {
            return new YamlNode.Items(path, at.getLineNr(), at.getColumnNr(), items(path, depth));
        }
        if (token == JsonToken.VALUE_NULL) {
            return new YamlNode.Nothing(path, at.getLineNr(), at.getColumnNr());
        }
        String text = parser.getString();
        if (text.indexOf(NUL) >= 0) {
            throw problem(path, "has a NUL character in it");
        }
        return new YamlNode.Scalar(path, at.getLineNr(), at.getColumnNr(), text);
    }

    private Map<String, YamlNode.Field> fields(String path, int depth) throws InvalidPlanException {
        Map<String, YamlNode.Field> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            TokenStreamLocation at = parser.currentTokenLocation();
            if (name.indexOf(NUL) >= 0) {
                throw problem(path, "has a field with a NUL character in its name");
            }
            String fieldPath = path + "." + name;
            if (fields.containsKey(name)) {
                throw problem(fieldPath, "is given twice");
            }
            parser.nextToken();
            fields.put(name, new YamlNode.Field(at.getLineNr(), at.getColumnNr(), value(fieldPath, depth + 1)));
        }
        return fields;
    }

    private List<YamlNode> items(String path, int depth) throws InvalidPlanException {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(path + "[" + items.size() + "]", depth + 1));
        }
        return items;
    }

    private InvalidPlanException problem(String path, String message) {
        TokenStreamLocation at = parser.currentTokenLocation();
        return problem(path, at.getLineNr(), at.getColumnNr(), message);
    }

    private static InvalidPlanException problem(String path, int line, int column, String message) {
        return new InvalidPlanException(List.of(PlanProblem.at(path, line, column, message)));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("malformed");
    }
}
