// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.Writer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reports and comparisons as JSON: the fields of {@link RunReport} and {@link RunComparison}; what is unknown is left out. */
public final class JsonReport {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .addMixIn(StepView.class, OfStep.class)
            .addMixIn(RunCondition.class, OfCondition.class)
            .addMixIn(RestoreView.class, OfRestore.class)
            .addMixIn(RunComparison.class, OfComparison.class)
            .build();

    private JsonReport() {}

    @JsonIgnoreProperties("endedAt")
    private interface OfStep {}

    private interface OfCondition {

        @JsonProperty("at")
        @SuppressWarnings("unused")
        @Nullable
        Instant lastTransitionTime();
    }

    @JsonIgnoreProperties("traffic")
    @JsonPropertyOrder({"proof", "proven", "seconds", "detail"})
    private interface OfRestore {

        @JsonProperty
        @SuppressWarnings("unused")
        boolean proven();
    }

    @JsonPropertyOrder({"summary", "comparable"})
    private interface OfComparison {

        @JsonProperty
        @SuppressWarnings("unused")
        boolean comparable();
    }

    /** Writes the document. */
    public static void write(RunReport report, Writer out) {
        JSON.writeValue(out, report);
    }

    /** Writes the document. */
    public static void write(RunComparison comparison, Writer out) {
        JSON.writeValue(out, comparison);
    }
}
