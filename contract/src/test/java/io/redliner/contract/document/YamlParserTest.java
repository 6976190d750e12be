// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A document costs what its length is worth, whatever is in it. */
class YamlParserTest {

    private static final int LENGTH = 256 * 1024;

    /** A few hundred bytes for each byte of a document. */
    private static final long MAX_ALLOCATED_BYTES = 200L * LENGTH;

    private static DocumentProblem problem(String text) {
        return catchThrowableOfType(InvalidDocumentException.class, () -> YamlParser.read(text)).problems().getFirst();
    }

    private static String zeros(String before, String after) {
        return before + "0,".repeat((LENGTH - before.length() - after.length() - 1) / 2) + "0" + after;
    }

    private static long allocatedBytes(String text) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(catchThrowableOfType(InvalidDocumentException.class, () -> YamlParser.read(text))).isNotNull();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void two_nested_names_of_49_000_characters_do_not_take_gigabytes() {
        String name = "a".repeat(49_000);

        assertThat(allocatedBytes(zeros("{\"" + name + "\":{\"" + name + "\":[", "]}}")))
                .isLessThan(MAX_ALLOCATED_BYTES);
    }

    @Test
    void names_of_the_longest_length_above_a_list_take_no_more() {
        String name = "a".repeat(YamlParser.MAX_NAME_LENGTH);
        String open = ("{\"" + name + "\":").repeat(18) + "[";

        assertThat(allocatedBytes(zeros(open, "]" + "}".repeat(18)))).isLessThan(MAX_ALLOCATED_BYTES);
    }

    @Test
    void a_long_name_above_many_fields_of_yaml_takes_no_more() {
        StringBuilder text = new StringBuilder("b".repeat(900) + ":\n");
        for (int field = 0; text.length() < LENGTH - 20; field++) {
            text.append(' ').append(field).append(": 0\n");
        }

        assertThat(allocatedBytes(text.toString())).isLessThan(MAX_ALLOCATED_BYTES);
    }

    @Test
    void a_name_that_is_too_long_is_refused_where_it_stands() {
        DocumentProblem problem = problem(
                "metadata:\n  ok: 1\n  " + "a".repeat(YamlParser.MAX_NAME_LENGTH + 1) + ": 2\n");

        assertThat(problem.message()).contains("name", YamlParser.MAX_NAME_LENGTH + " characters");
        assertThat(problem.path()).isEqualTo("$.metadata");
        assertThat(problem.line()).isEqualTo(3);
        assertThat(problem.column()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":[%s]}", "a: [%s]", "{\"a\":{\"b\":[%s]}}"})
    void too_many_values_are_refused_where_the_first_of_them_stands(String document) {
        String text = document.formatted("0,\n".repeat(YamlParser.MAX_VALUES) + "0");

        DocumentProblem problem = problem(text);

        assertThat(problem.message()).contains("more than " + YamlParser.MAX_VALUES + " values");
        assertThat(problem.line()).isBetween(YamlParser.MAX_VALUES - 3, YamlParser.MAX_VALUES);
    }

    @Test
    void values_are_counted_over_all_documents_of_a_text() {
        assertThat(catchThrowableOfType(InvalidDocumentException.class,
                () -> YamlParser.readPlans("a: 0\n---\n".repeat(YamlParser.MAX_VALUES))).problems().getFirst()
                .message())
                .contains("more than " + YamlParser.MAX_VALUES + " values");
    }

    @Test
    void a_path_is_made_of_names_and_of_positions() throws InvalidDocumentException {
        YamlNode document = YamlParser.read("a:\n  b:\n    - 1\n    - c: 2\n");

        YamlNode found = document.find("$.a.b[1].c").orElseThrow();

        assertThat(found.path()).isEqualTo("$.a.b[1].c");
        assertThat(found.line()).isEqualTo(4);
        assertThat(found.column()).isEqualTo(10);
        assertThat(document.find("$.a.b[2]")).isEmpty();
        assertThat(document.find("$.a.bb")).isEmpty();
    }

    @Test
    void of_many_mistakes_the_first_hundred_are_reported_and_the_others_counted() {
        StringBuilder text = new StringBuilder();
        for (int field = 0; field < 5000; field++) {
            text.append("unknown").append(field).append(": 0\n");
        }

        InvalidDocumentException invalid = catchThrowableOfType(InvalidDocumentException.class, () -> {
            Object unused = NodeReader.read(YamlParser.read(text.toString()), fields -> "nothing");
        });

        assertThat(invalid.problems()).hasSize(101);
        assertThat(invalid.problems().getLast().message()).contains("4900 more");
        assertThat(invalid.problems().getFirst().line()).isEqualTo(1);
    }

    @Test
    void a_long_value_is_not_repeated_in_its_mistake() {
        InvalidDocumentException invalid = catchThrowableOfType(InvalidDocumentException.class,
                () -> NodeReader.read(YamlParser.read("a: " + "x".repeat(100_000)),
                        fields -> fields.required("a", text -> {
                            throw new IllegalArgumentException("is no number");
                        })));

        assertThat(invalid.problems().getFirst().message()).hasSizeLessThan(200).startsWith("'xxx")
                .contains("is no number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:\n  b: 1\n\tc: 2\n", "a:\n  b: 1\n  \tc: 2\n", "a:\r\n  - b\r\n\t- c\r\n",
        "a:\n\n\t\nb: 1",
        "# a\n# b\n\t# c\na: 1\n", "a: |\n  b\n\tc\n", "a: 1\nb:\n-\tc: 1\n", "a: 1\nb: 2\nc:\td\n"})
    void a_tab_is_named_with_its_line_and_what_to_write_instead(String text) {
        DocumentProblem problem = problem(text);

        assertThat(problem.message()).contains("a tab", "spaces").doesNotContain("\t", "token");
        assertThat(problem.line()).isEqualTo(3);
        assertThat(problem.column())
                .isEqualTo(text.lines().toList().get(2).indexOf('\t') + 1);
    }

    @ParameterizedTest
    @CsvSource({"'a: 1\n b: 2', 2, 3, mapping values are not allowed here", "'a: 1\nb: @c', 2, 4, in quotes",
        "'a: 1\nb: `c`', 2, 4, in quotes", "'a: 1\nb: 50% of: c', 2, 10, mapping values",
        "'a: 1\nb: [c', 2, 6, expected"})
    void text_that_is_not_yaml_is_refused_where_it_stands(String text, int line, int column, String message) {
        DocumentProblem problem = problem(text.replace("\\n", "\n"));

        assertThat(problem.message()).contains(message).doesNotContain("while", "indentation");
        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a: 1%nb: x\u0007y            | 2 | 5 | U+0007", "a: 1%n  # \u007fx             | 2 | 5 | U+007F",
        "a: \ud83d\ude00\u0000x       | 1 | 5 | U+0000", "- a%n- '\u001b'              | 2 | 4 | U+001B",
        "a: 1%nb: x\ud83d y           | 2 | 5 | U+D83D", "a: 1\\r\\nb:\\r\\n  c: \ufffex  | 3 | 6 | U+FFFE"})
    void a_control_character_is_named_at_its_place(String text, int line, int column, String words) {
        DocumentProblem problem = problem(text.formatted().replace("\\r\\n", "\r\n"));

        assertThat(problem.message()).contains("the character " + words, "take it out");
        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a:%n\u00a0\u00a0b: 1                 | 2 | 1 | a no-break space (U+00A0)",
        "a:%n  b: 1%n  \u3000c: 2             | 3 | 3 | an ideographic space (U+3000)",
        "a:%n  b: x%n    \u2003c: 2           | 3 | 5 | an em space (U+2003)",
        "a:%n\u202f- x%n\u202f- y             | 2 | 1 | a narrow no-break space (U+202F)",
        "a:%n  - b: 1%n   \u00a0c: 2          | 3 | 4 | a no-break space",
        "a:%n  - \u00a0b: 1                   | 2 | 5 | a no-break space",
        "a:%n  b: 1%n\u00a0 \u00a0%n  c: 1    | 3 | 1 | a no-break space",
        "a: {%n\u00a0 b: 1}                   | 2 | 1 | a no-break space"})
    void a_space_that_is_none_of_YAML_is_named_at_its_place(String text, int line, int column, String words) {
        DocumentProblem problem = problem(text.formatted());

        assertThat(problem.message()).contains("there is " + words, "indented with spaces");
        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.column()).isEqualTo(column);
    }

    @Test
    void such_a_space_inside_of_a_text_is_kept() throws InvalidDocumentException {
        YamlNode read = YamlParser.read("a: |\n  \u00a0x\nb: \"y\n\u00a0z\"\nc: u\u00a0v");

        assertThat(read).asString().contains("\u00a0x", "y \u00a0z", "u\u00a0v");
        assertThat(problem("a: |\n  \u00a0text\n  x\nb: [").message()).doesNotContain("U+00A0");
        assertThat(YamlParser.read("{\"\u00a0a\": 1}")).asString().contains("\u00a0a");
    }

    @Test
    void a_tab_inside_of_a_value_is_kept() throws InvalidDocumentException {
        YamlNode document = YamlParser.read("a: \"b\tc\"\nd: [1,\n\t2]\n");

        assertThat(document.find("$.a")).map(YamlNode.Scalar.class::cast).map(YamlNode.Scalar::text).contains("b\tc");
        assertThat(document.find("$.d[1]")).isPresent();
    }
}
