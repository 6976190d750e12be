// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class OpenApiDocumentTest {

    private final Scene scene = Scene.shared();

    private SortedSet<String> served() {
        SortedSet<String> served = new TreeSet<>();
        RequestMappingHandlerMapping mapping = scene.context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
        for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
            for (String path : info.getPatternValues()) {
                for (RequestMethod method : info.getMethodsCondition().getMethods()) {
                    if (path.startsWith("/api/v1")) {
                        served.add(method + " " + path.replaceAll("\\{(\\w+):[^}]+}", "{$1}"));
                    }
                }
            }
        }
        return served;
    }

    @Test
    void every_operation_that_is_served_is_in_the_document_and_the_other_way_round() {
        SortedSet<String> documented = new TreeSet<>();
        scene.client().get("/api/v1/openapi.json").json().get("paths").forEachEntry((path, methods) -> methods
                .forEachEntry((method, operation) -> documented.add(method.toUpperCase(Locale.ROOT) + " " + path)));

        assertThat(documented).hasSizeGreaterThan(60).isEqualTo(served());
    }

    /** What an address of the document is answered by, as its Allow header has it. */
    private static SortedSet<String> allowed(JsonNode operations) {
        SortedSet<String> allowed = new TreeSet<>(Set.of("OPTIONS"));
        operations.propertyNames().forEach(method -> allowed.add(method.toUpperCase(Locale.ROOT)));
        if (allowed.contains("GET")) {
            allowed.add("HEAD");
        }
        return allowed;
    }

    @Test
    void the_allow_header_of_each_address_has_the_methods_of_that_address_and_no_others() {
        scene.client().get("/api/v1/openapi.json").json().get("paths").forEachEntry((path, operations) -> {
            String address = path.replaceAll("\\{\\w+}", "x");
            Answer options = scene.client().send("OPTIONS", address, null);
            Answer refused = scene.client().send("PATCH", address, "");

            assertThat(options.status()).as(path).isEqualTo(200);
            assertThat(List.of(options.header("Allow").split(", ?"))).as("OPTIONS %s", path)
                    .containsExactlyInAnyOrderElementsOf(allowed(operations));
            assertThat(refused.status()).as(path).isEqualTo(405);
            assertThat(List.of(refused.header("Allow").split(", ?"))).as("PATCH %s", path)
                    .containsExactlyInAnyOrderElementsOf(allowed(operations));
        });
    }

    @Test
    void the_document_is_the_same_as_yaml_and_as_json() {
        Answer yaml = scene.client().get("/api/v1/openapi.yaml");
        JsonNode json = scene.client().get("/api/v1/openapi.json").json();

        assertThat(yaml.header("Content-Type")).startsWith("application/yaml");
        assertThat(yaml.response().body()).startsWith("openapi: ");
        assertThat(YAMLMapper.builder().build().readTree(yaml.response().body())).isEqualTo(json);
        assertThat(yaml.response().body()).as("an exponent without a sign is a text to YAML 1.1")
                .doesNotContainPattern("[: ,\\[] *[0-9.]+[eE][0-9]");
    }

    @Test
    void every_reference_in_the_document_leads_somewhere() {
        JsonNode document = scene.client().get("/api/v1/openapi.json").json();

        assertThat(document.findValuesAsString("$ref")).isNotEmpty()
                .allSatisfy(reference -> assertThat(document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }
}
