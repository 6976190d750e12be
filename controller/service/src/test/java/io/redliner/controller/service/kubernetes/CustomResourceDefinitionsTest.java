// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.plan.yaml.PlanReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** The chart's definition of a CapacityTest is made from the schema of plan files, so that they cannot differ. */
@Execution(ExecutionMode.CONCURRENT)
class CustomResourceDefinitionsTest {

    private static final Path CRDS = Path.of("..", "..", "deploy", "helm", "redliner", "crds");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final YAMLMapper YAML = YAMLMapper.builder().disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES, YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLWriteFeature.SPLIT_LINES).build();

    private static JsonNode version(String file) throws IOException {
        return YAML.readTree(Files.readString(CRDS.resolve(file))).at("/spec/versions/0");
    }

    @Test
    void the_spec_of_a_capacity_test_is_that_of_a_plan_file() throws IOException {
        Path file = CRDS.resolve("capacitytests.redliner.io.yaml");
        ObjectNode definition = (ObjectNode) YAML.readTree(Files.readString(file));
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties")).set("spec",
                new CapacityTestSchema().spec());
        Path made = Path.of("target", "crds", file.getFileName().toString());
        Files.createDirectories(made.getParent());
        Files.writeString(made, "# SPDX-License-Identifier: Apache-2.0\n"
                + "# The spec is made from controller/plan/.../plan.schema.json by CustomResourceDefinitionsTest.\n"
                + YAML.writeValueAsString(definition));

        assertThat(Files.readString(file)).as("copy what the schema of plan files makes: cp controller/service/"
                + made + " deploy/helm/redliner/crds").isEqualTo(Files.readString(made));
    }

    @Test
    void every_field_of_a_plan_is_in_it_and_none_is_reached_by_a_reference() throws IOException {
        JsonNode plan = JSON.readTree(PlanReader.schema());
        JsonNode spec = version("capacitytests.redliner.io.yaml").at("/schema/openAPIV3Schema/properties/spec");

        assertThat(spec.get("properties").propertyNames())
                .containsExactlyInAnyOrderElementsOf(plan.at("/$defs/spec/properties").propertyNames());
        assertThat(spec.at("/properties/load/properties").propertyNames()).contains("target", "share", "hold");
        assertThat(spec.at("/properties/sut/properties").propertyNames()).contains("instance", "select", "labels");
        assertThat(spec.toString()).doesNotContain("$ref", "(?!", "\"default\"", "\"const\"",
                "additionalProperties\":false");
    }

    @Test
    void each_schema_inside_has_a_type_or_leaves_it_open_as_kubernetes_wants_it() throws IOException {
        List<String> untyped = new ArrayList<>();
        for (String file : List.of("capacitytests.redliner.io.yaml", "redlinerservices.redliner.io.yaml")) {
            untyped("", version(file).at("/schema/openAPIV3Schema"), untyped);
        }

        assertThat(untyped).isEmpty();
    }

    private static void untyped(String path, JsonNode schema, List<String> found) {
        if (!schema.has("type") && Set.of("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields").stream()
                .noneMatch(schema::has)) {
            found.add(path);
        }
        schema.path("properties").properties()
                .forEach(property -> untyped(path + "." + property.getKey(), property.getValue(), found));
        if (schema.has("items")) {
            untyped(path + "[]", schema.get("items"), found);
        }
        if (schema.path("additionalProperties").isObject()) {
            untyped(path + ".*", schema.get("additionalProperties"), found);
        }
    }

    @Test
    void kubectl_shows_phase_capacity_interval_and_doubt() throws IOException {
        JsonNode version = version("capacitytests.redliner.io.yaml");
        JsonNode status = version.at("/schema/openAPIV3Schema/properties/status");

        assertThat(version.get("additionalPrinterColumns").valueStream().map(column -> column.get("name").asString()))
                .containsSubsequence("Phase", "Capacity", "Interval", "Doubt");
        version.get("additionalPrinterColumns").forEach(column -> {
            String path = column.get("jsonPath").asString();
            if (path.startsWith(".status.") && !path.contains("[")) {
                assertThat(status.at(path.substring(".status".length()).replace(".", "/properties/")).isMissingNode())
                        .as(path).isFalse();
            }
        });
        assertThat(version.at("/subresources/status").isMissingNode()).isFalse();
        assertThat(JSON.valueToTree(CapacityTestStatus.NONE).propertyNames())
                .containsExactlyInAnyOrderElementsOf(status.get("properties").propertyNames());
    }
}
