// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.port.StoredRun;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import io.redliner.controller.service.report.HtmlReport;
import io.redliner.controller.service.report.JsonReport;
import io.redliner.controller.service.report.RunComparison;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;

/** Comparisons of a run with another one, also with one that it cannot be compared with: the answer says why. */
@RestController
@RequestMapping("/api/v1/runs")
class ComparisonResource {

    private static final String JSON = "json";

    private static final String HTML = "html";

    private final RunLookup lookup;

    private final ReportAssembler assembler;

    ComparisonResource(RunLookup lookup, ReportAssembler assembler) {
        this.lookup = lookup;
        this.assembler = assembler;
    }

    @GetMapping("/{id}/comparison")
    ResponseEntity<String> compare(@PathVariable String id,
            @RequestParam(name = "with", required = false) @Nullable String other,
            @RequestParam(name = "format", defaultValue = JSON) String format) {
        if (other == null || other.isBlank()) {
            throw RequestParameters.refuse("with", "name the run to compare with: with=ID");
        }
        if (!format.equals(JSON) && !format.equals(HTML)) {
            throw RequestParameters.refuse("format", "there is no format " + format + " of a comparison")
                    .with("known", List.of(JSON, HTML));
        }
        StoredRun run = lookup.find(id);
        StoredRun with = lookup.find(other);
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (Stream.of(run, with).anyMatch(one -> !(one.state() instanceof RunState.Finished))) {
            answer.cacheControl(CacheControl.noStore());
        }
        try {
            RunComparison comparison = assembler.compare(run, with);
            StringWriter text = new StringWriter();
            if (format.equals(HTML)) {
                HtmlReport.write(comparison, text);
                return answer.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                        .header("Content-Security-Policy", HtmlReport.contentSecurityPolicy()).body(text.toString());
            }
            JsonReport.write(comparison, text);
            return answer.contentType(MediaType.APPLICATION_JSON).body(text.toString());
        } catch (JacksonException unreadable) {
            throw new ProblemException(ProblemType.RUN_UNREADABLE,
                    "what is stored of the runs cannot be read, so they cannot be compared").with("runId", id);
        }
    }
}
