// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/**
 * The OpenAPI document. It is written by hand in several files, which are put together as one tree; answers that every
 * operation may give are written once, under {@value #EVERY_OPERATION}, and added to each.
 */
final class OpenApiDocument {

    private static final String FILES = "classpath:/controller-openapi/*.yaml";

    /** It goes first, so that readers meet the title before the details. */
    private static final String ROOT = "openapi.yaml";

    private static final String EVERY_OPERATION = "x-every-operation";

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER, YAMLWriteFeature.SPLIT_LINES)
            .build();

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final byte[] yaml;

    private final byte[] json;

    private OpenApiDocument(JsonNode document) {
        this.yaml = YAML.writeValueAsString(document).getBytes(StandardCharsets.UTF_8);
        this.json = JSON.writeValueAsBytes(document);
    }

    /**
     * Assembles the document.
     *
     * @throws UncheckedIOException when its files cannot be read
     * @throws IllegalStateException when two files say the same thing, or there is none
     */
    static OpenApiDocument load() {
        try {
            Resource[] files = new PathMatchingResourcePatternResolver(OpenApiDocument.class.getClassLoader())
                    .getResources(FILES);
            Arrays.sort(files, Comparator.comparing((Resource file) -> !name(file).equals(ROOT))
                    .thenComparing(OpenApiDocument::name));
            ObjectNode document = JSON.createObjectNode();
            for (Resource file : files) {
                try (InputStream input = file.getInputStream()) {
                    add(document, YAML.readTree(input), name(file));
                }
            }
            complete(document);
            return new OpenApiDocument(document);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String name(Resource file) {
        return Objects.requireNonNull(file.getFilename());
    }

    private static void add(ObjectNode to, JsonNode more, String file) {
        more.forEachEntry((name, value) -> {
            JsonNode there = to.get(name);
            if (there == null) {
                to.set(name, value);
            } else if (there instanceof ObjectNode object && value.isObject()) {
                add(object, value, file);
            } else {
                throw new IllegalStateException(name + " of the OpenAPI document is said again in " + file);
            }
        });
    }

    private static void complete(ObjectNode document) {
        JsonNode common = document.remove(EVERY_OPERATION);
        if (common == null) {
            throw new IllegalStateException("the OpenAPI document is not complete");
        }
        List<JsonNode> paths = List.copyOf(document.path("paths").values());
        for (JsonNode path : paths) {
            for (JsonNode operation : path) {
                if (operation.get("responses") instanceof ObjectNode responses) {
                    common.forEachEntry((status, response) -> {
                        if (!responses.has(status)) {
                            responses.set(status, response);
                        }
                    });
                }
            }
        }
    }

    byte[] yaml() {
        return yaml.clone();
    }

    byte[] json() {
        return json.clone();
    }
}
