// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.plan.yaml.PlanReader;
import java.util.function.Supplier;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The published description of the API, for people and their tools. */
@RestController
@RequestMapping("/api/v1")
class OpenApiResource {

    /** Few ask for it, and putting it together would hold up every start. */
    private final Supplier<OpenApiDocument> document = SingletonSupplier.of(OpenApiDocument::load);

    @GetMapping(path = "/openapi.yaml", produces = MediaType.APPLICATION_YAML_VALUE)
    byte[] yaml() {
        return document.get().yaml();
    }

    /** Returns the JSON schema of a plan file. */
    @GetMapping(path = "/plan.schema.json", produces = "application/schema+json")
    String planSchema() {
        return PlanReader.schema();
    }

    @GetMapping(path = "/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] json() {
        return document.get().json();
    }
}
