// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.SutChoice.Label;
import io.redliner.controller.plan.SutChoice.Select;
import io.redliner.sla.RuleCompiler;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SutReaderTest {

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private static String text(String sut) {
        return """
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: shop}
                spec:
                  service: shop
                  %s
                  sla: [{name: latency, expr: "latency.p99 <= duration('200ms')"}]
                """.formatted(sut.replace("; ", "\n  "));
    }

    private DocumentProblem problem(String sut) {
        InvalidDocumentException invalid = catchThrowableOfType(InvalidDocumentException.class,
                () -> reader.read(text(sut)));
        assertThat(invalid).as(sut).isNotNull();
        return invalid.problems().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sut: {instance: \"10.0.0.1:80\"}", "sut: {select: random}", "sut: {select: newest}",
        "sut: {select: previous, labels: {hardware: c5.large}}",
        "sut: {select: label, labels: {failureDomain: a, version: 1.10}}",
        "profile: regression; regression: {old: {select: previous}, new: {select: newest}}",
        "profile: regression; regression: {old: \"10.0.0.1:80\", new: {select: newest, labels: {hardware: large}}}"})
    void what_is_written_is_read_again(String sut) throws Exception {
        Plan plan = reader.read(text(sut));

        assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
        assertThat(writer.hash(reader.read(writer.write(plan)))).isEqualTo(writer.hash(plan));
    }

    @Test
    void an_address_has_one_spelling() throws Exception {
        Plan plan = reader.read(text("sut: {instance: \"[0:0:0:0:0:0:0:1]:9301\"}"));

        assertThat(plan.sut()).isEqualTo(new SutChoice.Named("[::1]:9301"));
        assertThat(writer.hash(plan)).isEqualTo(writer.hash(reader.read(text("sut: {instance: \"[::1]:9301\"}"))));
    }

    @Test
    void the_order_of_labels_does_not_matter_to_the_hash() throws Exception {
        Plan plan = reader.read(text("sut: {labels: {version: 1.10, hardware: large}, select: label}"));
        Plan same = reader.read(text("sut: {select: label, labels: {hardware: large, version: \"1.10\"}}"));

        assertThat(plan.sut()).isEqualTo(
                new SutChoice.Selected(Select.LABEL, Map.of(Label.HARDWARE, "large", Label.VERSION, "1.10")));
        assertThat(writer.hash(plan)).isEqualTo(writer.hash(same));
        assertThat(writer.write(plan))
                .contains("\"sut\":{\"select\":\"label\",\"labels\":{\"version\":\"1.10\",\"hardware\":\"large\"}}");
    }

    @Test
    void a_plan_that_names_its_instance_keeps_its_canonical_form() throws Exception {
        assertThat(writer.write(reader.read(text("sut: {instance: \"10.0.0.1:80\"}"))))
                .contains("\"sut\":{\"instance\":\"10.0.0.1:80\"},\"profile\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sut: {select: fastest} | $.spec.sut.select | 17 | known are random, newest, previous, label
            sut: {} | $.spec.sut.instance | 8 | required
            sut: {select: random, instance: "a:1"} | $.spec.sut.instance | 35 | one of
            sut: {instance: "a:1", labels: {hardware: x}} | $.spec.sut.labels | 34 | only for an instance that is selected
            sut: {select: label} | $.spec.sut | 8 | needs labels: at least one of version, hardware, failureDomain
            sut: {select: newest, labels: {version: 2}} | $.spec.sut | 8 | says the version itself
            sut: {select: label, labels: {version: previous}} | $.spec.sut.labels.version | 42 | write select: previous
            sut: {select: label, labels: {zone: a}} | $.spec.sut.labels.zone | 33 | known are version, hardware, failureDomain
            sut: {select: label, labels: {hardware: ""}} | $.spec.sut.labels.hardware | 43 | 1 to 200
            sut: {select: label, labels: [a]} | $.spec.sut.labels | 32 | must be an object
            sut: {select: random, among: 3} | $.spec.sut.among | 25 | unknown here
            profile: regression; regression: {old: {select: newest}, new: {select: newest}} | $.spec.regression | 15 | selected in the same way
            profile: regression; regression: {old: {select: oldest}, new: "a:1"} | $.spec.regression.old.select | 30 | known are
            profile: regression; regression: {old: {instance: "a:1"}, new: "a:1"} | $.spec.regression | 15 | same instance
            profile: scalability; scalability: {points: [{select: random, size: 1}]} | $.spec.scalability.points[0].select | 35 | name the instance""")
    void says_what_is_wrong_and_where(String sut, String path, int column, String words) {
        DocumentProblem problem = problem(sut);

        assertThat(problem.path()).isEqualTo(path);
        assertThat(problem.message()).contains(words);
        assertThat(problem.line()).isBetween(6, 7);
        assertThat(problem.column()).isEqualTo(column);
    }
}
