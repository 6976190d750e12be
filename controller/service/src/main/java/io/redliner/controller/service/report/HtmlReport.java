// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.SearchConclusion.Validity;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.service.report.RunReport.Head;
import io.redliner.controller.service.report.RunReport.Result;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A report as one page that needs nothing from anywhere: style and charts are within, and there is no script. It is fit
 * for light and dark screens, for phones and for paper, and each chart has its data as a table. The template is {@code report.html}.
 */
public final class HtmlReport {

    private static final String STYLE = ReportTemplates.text("report.css");

    private static final String POLICY = "default-src 'none'; style-src 'sha256-"
            + Base64.getEncoder().encodeToString(Sha256.of(STYLE)) + "'; base-uri 'none'; form-action 'none'";

    private HtmlReport() {}

    /** Returns the Content-Security-Policy of the page: a browser may apply the page's own style, and load nothing. */
    public static String contentSecurityPolicy() {
        return POLICY + "; frame-ancestors 'none'";
    }

    /**
     * Writes the page.
     *
     * @param certainty how far the run's number can be relied on
     * @param fleet the instances that its service needs by it
     * @param windows what all windows of the run come to
     * @throws IOException when the reader is gone
     */
    public static void write(RunReport report, Certainty certainty, FleetNeed fleet, WindowSummary windows, Writer out)
            throws IOException {
        List<WindowBucket> buckets = windows.buckets();
        ReportCharts charts = new ReportCharts(report, buckets);
        Map<String, Object> model = new HashMap<>();
        model.put("report", report);
        model.put("windows", windows);
        model.put("charts", charts.all());
        model.put("knee", charts.knee());
        model.put("summary", ReportSummary.of(report, certainty, fleet, windows));
        model.put("picture", AnswerPicture.of(report, buckets));
        model.put("limitChart", LimitChart.of(report));
        model.put("text", new Words(buckets.isEmpty() ? report.head().submittedAt() : buckets.getFirst().start()));
        model.put("limit", limit(report));
        model.put("good", good(report, certainty));
        model.put("breached", buckets.stream().mapToLong(WindowBucket::breached).sum());
        model.put("policy", POLICY);
        model.put("style", STYLE);
        out.write(ReportTemplates.page(model));
    }

    /** Writes a comparison as a page of the same kind. */
    public static void write(RunComparison comparison, StringWriter out) {
        Map<String, Object> model = new HashMap<>();
        model.put("comparison", comparison);
        model.put("picture", AnswerPicture.of(comparison.run().answer().result(),
                comparison.other().answer().result(), "this run", "the other"));
        model.put("text", new Words(comparison.run().submittedAt()));
        model.put("policy", POLICY);
        model.put("style", STYLE);
        out.append(ReportTemplates.comparison(model));
    }

    /** Returns true for a safe answer that nothing speaks against; a capacity must be sure. */
    private static boolean good(RunReport report, Certainty certainty) {
        Head head = report.head();
        return !head.live() && head.exitCode() != null && head.exitCode() == 0
                && (report.result() == null || certainty.level() == Certainty.Level.SURE)
                && report.validity().stream().noneMatch(
                        check -> check.verdict() == Validity.DOUBTFUL || check.verdict() == Validity.INVALID);
    }

    private static String limit(RunReport report) {
        Result result = report.resultOrEstimate();
        if (result == null || result.limitingRule().isEmpty()) {
            return "nothing";
        }
        String unit = RuleSummary.unit(report.rules(), result.limitingRule());
        return result.limitingRule() + ": " + NumberText.measure(result.limitingValue(), unit) + " against "
                + NumberText.measure(result.limitingThreshold(), unit)
                + report.rules().stream().filter(rule -> rule.name().equals(result.limitingRule())).findFirst()
                        .map(rule -> " (" + rule.expression() + ")").orElse("");
    }

    /**
     * Formats numbers and times for the template.
     *
     * @param zero where the tables' time begins, as that of the charts does
     */
    record Words(Instant zero) {

        public String clock(Instant at) {
            return at.isBefore(zero)
                    ? "before"
                    : ReportCharts.clock(Math.floor(Duration.between(zero, at).toMillis() / 1000.0));
        }

        /** {@code 2026-01-31 09:00:00 UTC}. */
        public String time(Instant at) {
            return at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", " UTC");
        }

        public String shortened(String name) {
            return ReportSummary.shortened(name);
        }

        public String spell(double seconds) {
            return DurationText.spell(seconds);
        }

        public String rate(@Nullable Double rate) {
            return NumberText.rate(rate);
        }

        public String round(@Nullable Double number) {
            return NumberText.round(number);
        }

        public String brief(@Nullable Double number) {
            return NumberText.brief(number);
        }

        public String signed(@Nullable Double number) {
            return NumberText.signed(number == null ? Double.NaN : number);
        }

        public String percent(@Nullable Double ratio) {
            return NumberText.percent(ratio);
        }

        public String milliseconds(@Nullable Double seconds) {
            return NumberText.milliseconds(seconds);
        }

        public String measure(@Nullable Double value, String unit) {
            return NumberText.measure(value, unit);
        }

        public String explained(String check) {
            return ValidityExplanations.of(check);
        }
    }
}
