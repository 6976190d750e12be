// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.util.Locale;
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
                        served.add(method + " " + path);
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

    @Test
    void the_document_is_the_same_as_yaml_and_as_json() {
        Answer yaml = scene.client().get("/api/v1/openapi.yaml");
        JsonNode json = scene.client().get("/api/v1/openapi.json").json();

        assertThat(yaml.header("Content-Type")).startsWith("application/yaml");
        assertThat(yaml.response().body()).startsWith("openapi: ");
        assertThat(YAMLMapper.builder().build().readTree(yaml.response().body())).isEqualTo(json);
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
