// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.SearchConclusion;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.service.report.ReportCheck.Verdict;
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
 * The claims of a run as test results, in the form that Jenkins, GitLab and Ant read: one suite per run, one case per
 * claim. The parts stand in the order of Ant's schema, which is the strictest of them.
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
        List<ReportCheck> claims = report.claims();
        MarkupWriter xml = new MarkupWriter(out);
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").open("testsuites").line();
        xml.open("testsuite", "name", "RedLiner " + head.profile() + " test of " + head.service(), "package",
                "redliner." + head.service(), "id", "0", "hostname", head.sut(), "timestamp",
                TIME.format(head.submittedAt().truncatedTo(ChronoUnit.SECONDS)), "time",
                seconds(head.durationSeconds()), "tests", Integer.toString(claims.size()), "failures",
                count(claims, Verdict.FAILED), "errors", count(claims, Verdict.ERROR), "skipped",
                count(claims, Verdict.SKIPPED)).line();
        xml.open("properties").line();
        for (Map.Entry<String, String> property : properties(report).entrySet()) {
            xml.empty("property", "name", property.getKey(), "value", property.getValue()).line();
        }
        xml.close("properties").line();
        for (ReportCheck claim : claims) {
            testcase(xml, head, claim);
        }
        xml.open("system-out");
        if (head.live()) {
            xml.text("The run is live: this is how it stands at " + head.reportedAt() + ".").raw("\n");
        }
        for (ReportCheck claim : claims) {
            xml.text(claim.group() + ", " + claim.name() + ": " + claim.verdict() + ", " + claim.message()).raw("\n");
        }
        xml.close("system-out").line().element("system-err", "").line();
        xml.close("testsuite").line().close("testsuites").line();
    }

    private static void testcase(MarkupWriter xml, Head head, ReportCheck claim) throws IOException {
        String[] attributes = {"name", claim.name(), "classname",
            "redliner." + head.service() + "." + claim.group(), "time", "0"};
        String element = switch (claim.verdict()) {
            case PASSED -> "";
            case FAILED -> "failure";
            case ERROR -> "error";
            case SKIPPED -> "skipped";
        };
        if (element.isEmpty()) {
            xml.empty("testcase", attributes).line();
            return;
        }
        xml.open("testcase", attributes)
                .element(element, claim.message(), "message", claim.message(), "type", claim.type())
                .close("testcase")
                .line();
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

    private static String count(List<ReportCheck> claims, Verdict verdict) {
        return Long.toString(claims.stream().filter(claim -> claim.verdict() == verdict).count());
    }

    private static String seconds(double seconds) {
        return BigDecimal.valueOf(Math.round(Math.max(0, seconds) * 1000), 3).toPlainString();
    }
}
