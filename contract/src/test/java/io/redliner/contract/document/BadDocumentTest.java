// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of bad document is refused by the one reader, whatever door it came in by: with path, line, column and advice. */
class BadDocumentTest {

    private static final int MEGABYTE = 1_000_000;

    /** A form that a door reads: the body of a request, a plan, or a file of the operator's. */
    private enum Door {

        BODY, PLAN, FILE;

        YamlNode parse(String text) throws InvalidDocumentException {
            return switch (this) {
                case BODY -> YamlParser.read(text);
                case PLAN -> YamlParser.readPlan(text);
                case FILE -> YamlParser.readFile(text);
            };
        }
    }

    /** An object with every kind of field. */
    private record Server(String host, int port, Optional<List<Integer>> weights) {

        static Server read(Door door, String text) throws InvalidDocumentException {
            return NodeReader.read(door.parse(text), fields -> {
                String host = fields.required("host", Server::host);
                Integer port = fields.optional("port", Integer::valueOf, 80);
                List<Integer> weights = fields.optionalObject("load",
                        load -> load.convert(load.list("weights", 3, "is one weight too many"), Server::number));
                return fields.make(() -> new Server(String.valueOf(host), port, Optional.ofNullable(weights)));
            });
        }

        private static String host(String text) {
            if (!text.matches("[a-z][a-z.]*")) {
                throw new IllegalArgumentException("is no host; write it as shop.example");
            }
            return text;
        }

        private static int number(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException none) {
                throw new IllegalArgumentException("is no whole number", none);
            }
        }
    }

    private static Stream<Arguments> structures() {
        return Stream.of(
                kind("a field given twice", "host: a\nport: 1\nhost: b", "$.host", 3, 1, "is given twice"),
                kind("a field given twice in JSON style", "{\"host\": \"a\", \"host\": \"b\"}", "$.host", 1, 0,
                        "is given twice"),
                kind("a tab", "host: a\nload:\n\tweights: [1]", "$", 3, 1,
                        "there is a tab here; YAML is indented with spaces"),
                kind("an anchor", "host: a\nload: &x {weights: [1]}", "$.load", 2, 7,
                        "anchors and aliases are not understood; write the value out"),
                kind("an alias", "host: *a", "$.host", 1, 7, "anchors and aliases are not understood"),
                kind("an alias of an anchor", "host: a\nload: &x {weights: [1]}\nmore: *x", "$.load", 2, 7, "anchors"),
                kind("a merge key", "host: a\n<<: {port: 1}", "$.<<", 2, 1,
                        "is unknown here; known are host, port, load"),
                kind("a billion laughs", laughs(), "$.a", 1, 4, "anchors and aliases"),
                kind("no document", "", "$", 1, 1, "the document is empty"),
                kind("a comment alone", "# host: a\n", "$", 1, 1, "the document is empty"),
                kind("nothing after the mark", "---\n", "$", 1, 1, "the document is empty"),
                kind("two documents", "host: a\n---\nhost: b\n", "$", 3, 1, "more than one document"),
                kind("a number for a name", "host: a\n1: b", "$.1", 2, 1, "is unknown here"),
                kind("a list for a name", "host: a\n? [x, y]\n: b", "$", 2, 0, ""),
                kind("a null for a name", "host: a\n~: b", "$.~", 2, 1, "is unknown here"));
    }

    private static Stream<Arguments> values() {
        return Stream.of(
                kind("a number where text stands", "host: 12", "$.host", 1, 7,
                        "'12' is no host; write it as shop.example"),
                kind("a truth where text stands", "host: a\nload: true", "$.load", 2, 7,
                        "must be an object, not a single value"),
                kind("a list where text stands", "host: [a]", "$.host", 1, 7, "must be a single value, not a list"),
                kind("an object where a list stands", "host: a\nload: {weights: {a: 1}}", "$.load.weights", 2, 17,
                        "must be a list, not an object"),
                kind("a value of a list that is none", "host: a\nload: {weights: [1, x]}", "$.load.weights[1]", 2, 21,
                        "'x' is no whole number"),
                kind("a list that is too long", "host: a\nload: {weights: [1, 2, 3, 4]}", "$.load.weights[3]", 2, 27,
                        "is one weight too many"),
                kind("no value", "host:\nport: 1", "$.host", 1, 1, "has no value"),
                kind("a missing field", "port: 1", "$.host", 1, 1, "is required and missing"),
                kind("text alone", "just text", "$", 1, 1, "must be an object, not a single value"),
                kind("a list alone", "- host: a", "$", 1, 1, "must be an object, not a list"));
    }

    private static Stream<Arguments> sizesAndCharacters() {
        return Stream.of(
                kind("deep lists", "[".repeat(5000), "$" + "[0]".repeat(21), 1, 22,
                        "is nested too deeply: there may be 20 levels"),
                kind("deep objects", deep(), "$" + ".a".repeat(21), 22, 22, "is nested too deeply"),
                kind("10 MB of text", "host: " + "a".repeat(10 * MEGABYTE), "$", 1, 1, "is longer than"),
                kind("10 MB of a comment", "host: a #" + "a".repeat(10 * MEGABYTE), "$", 1, 1, "is longer than"),
                kind("10 MB of fields", "a: 1\n".repeat(2 * MEGABYTE), "$", 1, 1, "is longer than"),
                kind("a long name", "host: a\n" + "n".repeat(300) + ": 1", "$", 2, 1, "longer than 256 characters"),
                kind("NUL", "host: a\u0000", "$", 1, 8, "the character U+0000 is not allowed here; take it out"),
                kind("an escaped NUL", "host: \"a\\0\"", "$.host", 1, 7, "U+0000"),
                kind("an escape of a terminal", "host: a\u001b[2J", "$", 1, 8, "U+001B"),
                kind("a text in another order", "host: \"\u202ea\"", "$.host", 1, 7, "U+202E"),
                kind("half a character", "host: \ud83da", "$", 1, 7, "U+D83D"),
                kind("half a character at the end", "host: a\ud83d", "$", 1, 8,
                        "the character U+D83D is not allowed here; take it out"),
                kind("a mark of the byte order within", "host: a\ufeffb", "$.host", 1, 7, "U+FEFF"),
                kind("a no-break space", "load:\n\u00a0 weights: [1]", "$", 2, 1,
                        "there is a no-break space (U+00A0) here"),
                kind("a bracket that is not closed", "host: [a", "$", 1, 0, "expected"),
                kind("a character that begins nothing", "host: @a", "$", 1, 7,
                        "a value cannot begin with @; put the value in quotes"),
                kind("a misspelled field", "hosst: a\nhost: a", "$.hosst", 1, 1,
                        "is unknown here; known are host, port, load; did you mean host?"),
                kind("a field in another case", "host: a\nPORT: 1", "$.PORT", 2, 1, "did you mean port?"),
                kind("a misspelled field within", "host: a\nload: {wieghts: [1]}", "$.load.wieghts", 2, 8,
                        "known are weights; did you mean weights?"),
                kind("a field like no other", "host: a\ncolour: red", "$.colour", 2, 1, "known are host, port, load"));
    }

    private static Arguments kind(String name, String text, String path, int line, int column, String message) {
        return Arguments.of(name, text, path, line, column, message);
    }

    private static String laughs() {
        StringBuilder text = new StringBuilder("a: &a [ha, ha, ha]\n");
        for (char level = 'b'; level <= 'j'; level++) {
            text.append(level).append(": &").append(level).append(" [")
                    .append(("*" + (char) (level - 1) + ",").repeat(10)).append("]\n");
        }
        return text.toString();
    }

    private static String deep() {
        StringBuilder text = new StringBuilder();
        for (int level = 0; level < 200; level++) {
            text.append(" ".repeat(level)).append("a:\n");
        }
        return text.toString();
    }

    /** @param column 0: wherever the parser stopped */
    @ParameterizedTest(name = "{0}")
    @MethodSource({"structures", "values", "sizesAndCharacters"})
    void a_bad_document_is_refused_at_every_door_where_it_is_bad(String name, String text, String path, int line,
            int column, String message) {
        for (Door door : Door.values()) {
            InvalidDocumentException invalid = catchThrowableOfType(InvalidDocumentException.class,
                    () -> Server.read(door, text));

            assertThat(invalid).as("%s at %s", name, door).isNotNull();
            DocumentProblem problem = invalid.problems().getFirst();
            assertThat(problem.path()).isEqualTo(path);
            assertThat(problem.line()).as("%s at %s: %s", name, door, problem).isEqualTo(line);
            assertThat(problem.message()).contains(message).doesNotContain("\n", "tools.jackson", "snakeyaml")
                    .hasSizeLessThan(400);
            if (column > 0) {
                assertThat(problem.column()).as("%s at %s: %s", name, door, problem).isEqualTo(column);
            }
            assertThat(problem.in("f.yaml")).startsWith("f.yaml:" + line + ":" + problem.column() + ": ");
        }
    }

    @Test
    void a_field_that_resembles_no_other_gets_no_suggestion() {
        for (Door door : Door.values()) {
            assertThat(catchThrowableOfType(InvalidDocumentException.class,
                    () -> Server.read(door, "host: a\ncolour: red"))).message().doesNotContain("did you mean");
        }
    }

    @Test
    void a_good_document_is_read_at_every_door_also_behind_a_mark_of_the_byte_order() throws InvalidDocumentException {
        for (Door door : Door.values()) {
            assertThat(Server.read(door, "host: a\nport: 81\nload: {weights: [1, 2]}\n"))
                    .isEqualTo(new Server("a", 81, Optional.of(List.of(1, 2))));
            assertThat(Server.read(door, "{\"host\": \"a\"}")).isEqualTo(new Server("a", 80, Optional.empty()));
            assertThat(Server.read(door, "\ufeffhost: a")).isEqualTo(new Server("a", 80, Optional.empty()));
        }
    }

    @Test
    void all_mistakes_of_a_document_are_reported_at_once_in_the_order_of_the_text() {
        InvalidDocumentException invalid = catchThrowableOfType(InvalidDocumentException.class,
                () -> Server.read(Door.FILE, "port: x\nhost: 1\nload: {weights: [1, y], hight: 1}\n"));

        assertThat(invalid.problems()).extracting(DocumentProblem::path)
                .containsExactly("$.port", "$.host", "$.load.weights[1]", "$.load.hight");
    }

    @Test
    void an_operators_file_may_have_a_thousand_services_with_a_hundred_instances() throws InvalidDocumentException {
        String text = "a:\n" + ("- [" + "10.10.10.10:9001,".repeat(100) + "]\n").repeat(1000);

        assertThat(YamlParser.readFile(text).find("$.a[999][99]")).isPresent();
    }
}
