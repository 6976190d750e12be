// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.SearchConclusion;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
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
        long milliseconds = Math.round(Math.max(0, report.head().durationSeconds()) * 1000);
        out.write(ReportTemplates.junit(Map.of("report", report, "timestamp",
                TIME.format(report.head().submittedAt().truncatedTo(ChronoUnit.SECONDS)), "time",
                BigDecimal.valueOf(milliseconds, 3).toPlainString(), "certainty",
                Certainty.of(new SearchConclusion(List.of(), report.validity())))));
    }
}
