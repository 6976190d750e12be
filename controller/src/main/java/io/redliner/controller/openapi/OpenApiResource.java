// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.openapi;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The published description of the API, for people and their tools. */
@RestController
@RequestMapping("/api/v1")
class OpenApiResource {

    private final OpenApiDocument document = OpenApiDocument.load();

    @GetMapping(path = "/openapi.yaml", produces = MediaType.APPLICATION_YAML_VALUE)
    byte[] yaml() {
        return document.yaml();
    }

    @GetMapping(path = "/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] json() {
        return document.json();
    }
}
