// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.RunReport.Head;
import io.redliner.controller.service.report.RunReport.Result;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The claims of a run as test results, in the form that Jenkins, GitLab and Ant read. The template is {@code junit.xml}.
 */
public final class JunitReport {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss")
            .withZone(ZoneOffset.UTC);

    private JunitReport() {}

    /**
     * Writes the document.
     *
     * @throws IOException when the reader is gone
     */
    public static void write(RunReport report, Writer out) throws IOException {
        Head head = report.head();
        long milliseconds = Math.round(Math.max(0, head.durationSeconds()) * 1000);
        out.write(ReportTemplates.junit(Map.of("report", report, "properties", properties(report), "timestamp",
                TIME.format(head.submittedAt().truncatedTo(ChronoUnit.SECONDS)), "time",
                BigDecimal.valueOf(milliseconds, 3).toPlainString())));
    }

    private static Map<String, String> properties(RunReport report) {
        Head head = report.head();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("run", head.runId());
        properties.put("service", head.service());
        properties.put("sut", head.sut());
        properties.put("plan", head.plan());
        properties.put("plan.hash", head.planHash());
        properties.put("phase", head.phase());
        properties.put("live", Boolean.toString(head.live()));
        properties.put("version", head.version() == null ? NumberText.UNKNOWN : head.version());
        if (head.outcome() != null) {
            properties.put("outcome", head.outcome());
        }
        Result result = report.result();
        if (result != null) {
            properties.put("capacity.requests_per_second", Double.toString(result.capacity()));
            properties.put("capacity.low", Double.toString(result.low()));
            properties.put(result.lowerBound() ? "capacity.is_lower_bound" : "capacity.high",
                    result.lowerBound() ? "true" : Double.toString(result.high()));
            properties.put("capacity.doubts",
                    String.join(",", new SearchConclusion(List.of(), report.validity()).doubts()));
        }
        return properties;
    }
}
