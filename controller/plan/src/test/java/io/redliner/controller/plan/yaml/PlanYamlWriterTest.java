// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import io.redliner.contract.text.PlainText;
import io.redliner.sla.RuleCompiler;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.representer.Representer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** YAML that is written is the same document to every reader: of YAML 1.1 (snakeyaml), of YAML 1.2 (snakeyaml-engine), of plans. */
@PropertyDefaults(tries = 500, shrinking = ShrinkingMode.BOUNDED)
class PlanYamlWriterTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final YAMLMapper YAML_1_2 = YAMLMapper.builder().build();

    /** Texts that some version of YAML, or some program that reads it, takes for a number, a time, a truth value or a mark. */
    private static final String[] AMBIGUOUS = {"0x1F", "0X1f", "1_000", "1,000", "1,5", "17:00", "09:00", "1:2:3",
        "8e7", "1e3", "1E-3", "e3", "E-11643",
        "1.", ".5", "-.5", "+1", "-1", "0o17", "017", "08", "0b1", "-0b1", "0x", "1__0", "2026-11-28",
        "2026-11-28 12:30:45",
        "2026-11-28T12:30:45Z", "2026-1-2", "12:30:45", "190:20:30.15", "yes", "no", "Yes", "NO", "on", "off", "On",
        "OFF", "y", "n", "Y",
        "N", "true", "False", "TRUE", "null", "Null", "NULL", "~", ".inf", "-.Inf", "+.INF", ".nan", ".NaN", "nan",
        "inf", "Infinity",
        "=", "<<", "-", "?", ":", "- a", "? a", ": a", "---", "...", "--- a", "!a", "!!int 1", "&a", "*a", "%a", "@a",
        "`a", "|", ">",
        "'", "\"", "'a'", "\"a\"", "{", "}", "{a: 1}", "[", "]", "[1]", ",", "#", "# a", "a #b", "a# b", "a:", "a: b",
        "a:b", ":a", " a",
        "a ", " ", "  ", "\t", "a\tb", "\ta", "a\t", "", "\n", "\n\n", "a\nb", "a\n", "a\n\n", "\na", " a\nb", "a\n b",
        "a \nb", "a\n\n b",
        "a\n\tb", "\n a", "a\r\nb", "a\rb", "a\n# b", "a\n---\nb", "a\n...\nb", "\\", "\\n", "a\\", "ä", "Überlast",
        "é: b", "😀", "a 😀: b",
        "١٢", "12ä", "1d", "2x", "4m", "60%", "0.2%", "250ms", "1h30m", "10.0.0.1:80", "[::1]:80", "5 3 * * *",
        "0,30 * * * *", "0 8 1 1 2",
        "2026-12-24/2027-01-02", "latency.p99 <= duration('250ms')", "a ? b : c", "x == \"a: b\"", "a".repeat(200),
        "a b ".repeat(100) + "c"};

    private final PlanYamlWriter yaml = new PlanYamlWriter();

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private static Yaml yaml11() {
        LoaderOptions options = new LoaderOptions();
        DumperOptions dumper = new DumperOptions();
        return new Yaml(new SafeConstructor(options), new Representer(dumper), dumper, options);
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> ambiguous = Arbitraries.of(AMBIGUOUS);
        Arbitrary<String> numeric = Arbitraries.strings().withChars("0123456789_:.,-+eExXobTZ").ofMinLength(1)
                .ofMaxLength(12);
        Arbitrary<String> marks = Arbitraries.strings().withChars("aé0 \t\n:#-?!&*|>%@`'\"{}[],=<~\\").ofMaxLength(8);
        Arbitrary<String> joined = Arbitraries.of(AMBIGUOUS).list().ofSize(2).map(two -> String.join(" ", two));
        return Arbitraries.oneOf(ambiguous, numeric, marks, joined);
    }

    static Stream<String> ambiguous() {
        return Stream.of(AMBIGUOUS);
    }

    @ParameterizedTest
    @MethodSource("ambiguous")
    void a_text_that_looks_like_something_else_stays_a_text(String text) throws InvalidDocumentException {
        requireSame(Map.of("metadata", Map.of("labels", Map.of("a", text)), "spec", List.of(text, List.of(text))));
        if (PlainText.line(text) && text.length() <= YamlParser.MAX_NAME_LENGTH) {
            requireSame(Map.of("metadata", Map.of("labels", Map.of(text, "a"))));
        }
    }

    @Property
    void any_text_stays_that_text_as_a_value_and_as_a_name(@ForAll("texts") String value, @ForAll("texts") String name)
            throws InvalidDocumentException {
        String line = name.substring(0, Math.min(name.length(), YamlParser.MAX_NAME_LENGTH)).replaceAll("\\s", " ");
        requireSame(Map.of("labels", Map.of(line, value), "spec", List.of(value, Map.of("b", value))));
    }

    private void requireSame(Map<String, Object> document) throws InvalidDocumentException {
        JsonNode node = JSON.valueToTree(document);
        String written = yaml.write(node);

        assertThat(yaml11().<Object>load(written)).as(written).isEqualTo(document);
        assertThat(YAML_1_2.readTree(written)).as(written).isEqualTo(node);
        assertThat(texts(YamlParser.read(written))).as(written).isEqualTo(document);
    }

    private static Object texts(YamlNode node) {
        return switch (node) {
            case YamlNode.Fields fields -> fields.fields().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, field -> texts(field.getValue().value())));
            case YamlNode.Items items -> items.items().stream().map(PlanYamlWriterTest::texts).toList();
            case YamlNode.Scalar scalar -> scalar.text();
            case YamlNode.Nothing ignored -> "nothing";
        };
    }

    private static final String PLAN = """
            apiVersion: redliner.io/v1
            kind: CapacityTest
            metadata:
              name: a-plan
              labels: {a: "0x1F", b: "1_000", "on": "on", "1": "2026-11-28", "y": "12:30:45", "null": "~", c: "8e7", d: "a: b #c ", e: ""}
            spec:
              service: shop
              sut: {select: label, labels: {version: "0x1F", hardware: "1_000", failureDomain: "17:00"}}
              redirect:
                mode: modulo
                attribute: {header: "on"}
                modulus: 100
                cohorts: [{name: "y", headers: [{name: "no", exact: "012"}, {name: "off", from: 0, to: 20260101}], methods: [GET]}]
              sla:
                - name: "yes"
                  expr: |
                    latency.p99 <= duration('100ms')
                      && error_rate <= 0.01
                - {name: "no", expr: "cpu <= 0.9", informational: true}
              schedule:
                "on": [deployment]
                cron: "0 8 1 1 2"
                zone: Europe/Berlin
                only: [{days: [TUE], from: 09:00, to: 17:00}]
                except: [month-end, 2026-12-24/2027-01-02, 2027-03-01/2027-03-01]
              notify: [{webhook: "https://example.com/a?b=c", secret: "on", "on": [finished]}]
            """;

    static Stream<String> plans() {
        return Stream.concat(Stream.of(PLAN), PlanSchemaTest.plans());
    }

    @ParameterizedTest
    @ValueSource(strings = {"e3", "E-11", "12e03", "17:00", "2026-11-28", "yes", "=", ":a", "1,000"})
    void a_text_is_in_quotes_that_only_some_reader_takes_for_something_else(String text) {
        assertThat(yaml.write(JSON.valueToTree(Map.of(text, text)))).isEqualTo("\"" + text + "\": \"" + text + "\"\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4m", "60%", "250ms", "5 3 * * *", "latency.p99 <= duration('250ms')",
        "2026-12-24/2027-01-02", "ended"})
    void a_text_that_nobody_mistakes_is_as_people_write_it(String text) {
        assertThat(yaml.write(JSON.valueToTree(Map.of("a", text)))).isEqualTo("a: " + text + "\n");
    }

    @ParameterizedTest
    @MethodSource("plans")
    void a_plan_that_a_program_of_yaml_1_1_loaded_and_dumped_is_the_same_plan(String text)
            throws InvalidDocumentException {
        String hash = writer.hash(reader.read(text));
        JsonNode content = JSON.readTree(writer.write(reader.read(text)));

        String written = yaml.write(content);

        assertThat(YAML_1_2.readTree(written)).isEqualTo(content);
        assertThat(writer.hash(reader.read(written))).isEqualTo(hash);
        Object loaded = yaml11().load(written);
        assertThat(JSON.<JsonNode>valueToTree(loaded)).isEqualTo(content);
        for (DumperOptions options : styles()) {
            String dumped = new Yaml(options).dump(loaded);
            assertThat(writer.hash(reader.read(dumped))).as(dumped).isEqualTo(hash);
        }
    }

    /** In braces only with names that are not in double quotes: those are read as JSON. */
    private static List<DumperOptions> styles() {
        return Stream.of(DumperOptions.ScalarStyle.PLAIN, DumperOptions.ScalarStyle.SINGLE_QUOTED,
                DumperOptions.ScalarStyle.DOUBLE_QUOTED, DumperOptions.ScalarStyle.LITERAL,
                DumperOptions.ScalarStyle.FOLDED).flatMap(
                        scalar -> Stream.of(DumperOptions.FlowStyle.values())
                                .filter(flow -> flow != DumperOptions.FlowStyle.FLOW
                                        || scalar == DumperOptions.ScalarStyle.PLAIN
                                        || scalar == DumperOptions.ScalarStyle.SINGLE_QUOTED)
                                .map(flow -> {
                                    DumperOptions options = new DumperOptions();
                                    options.setDefaultFlowStyle(flow);
                                    options.setDefaultScalarStyle(scalar);
                                    options.setWidth(30);
                                    options.setAllowUnicode(scalar == DumperOptions.ScalarStyle.PLAIN);
                                    options.setExplicitStart(flow == DumperOptions.FlowStyle.BLOCK);
                                    return options;
                                }))
                .toList();
    }
}
