// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Writer;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** A report as JSON: the fields of {@link RunReport}; what is unknown is left out. */
public final class JsonReport {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private JsonReport() {}

    /** Writes the document. */
    public static void write(RunReport report, Writer out) {
        JSON.writeValue(out, report);
    }
}
